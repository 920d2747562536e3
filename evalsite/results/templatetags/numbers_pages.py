"""The page of an item with numbers: those of both sides, and what lies between them."""

from django import template

from evalsite.wording import NOTHING, in_digits

register = template.Library()

# Those of them that a result has are the columns of its tables.
_SCORES = (
    "pearson, spearman, kendall, ccc, r2, mae, mse, rmse, within, roc_auc, average_precision, eer, brier, log_loss"
)


@register.filter
def and_scores(columns: str) -> str:
    """Return names of columns, and behind them those of all scores."""
    return f"{columns}, {_SCORES}"


@register.filter
def value(number: float | None) -> str:
    """Return a number of a file with up to six significant digits: 3.25, −0.5, 1e+08.

    >>> value(3.25), value(-0.5), value(100000000.25), value(None)
    ('3.25', '−0.5', '1e+08', '–')
    """
    return NOTHING if number is None else in_digits(f"{number:.6g}")


@register.filter
def signed_value(number: float | None) -> str:
    """Return the same of a difference, with its sign.

    >>> signed_value(0.25), signed_value(0.0), signed_value(-2)
    ('+0.25', '0', '−2')
    """
    text = value(number)
    return f"+{text}" if number is not None and number > 0 else text
