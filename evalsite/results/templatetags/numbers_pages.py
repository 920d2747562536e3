"""The page of an item with numbers: those of both sides, and what lies between them."""

from django import template

from evalsite.results.units.values import signed_value, value

register = template.Library()

register.filter(value)
register.filter(signed_value)

# Those of them that a result has are the columns of its tables.
_SCORES = (
    "pearson, spearman, kendall, ccc, r2, mae, mse, rmse, within, roc_auc, average_precision, eer, brier, log_loss"
)


@register.filter
def and_scores(columns: str) -> str:
    """Return names of columns, and behind them those of all scores."""
    return f"{columns}, {_SCORES}"
