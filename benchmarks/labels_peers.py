"""What benchmarks/labels.py measures beside ours: pandas' reading, and scikit-learn's scores on strings."""

import io
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pandas as pd
from sklearn import metrics


def read(folder: Path) -> Callable[[], object]:
    """Both files read."""
    contents = [(folder / name).read_bytes() for name in ("gold.csv", "run.csv")]
    return lambda: [pd.read_csv(io.BytesIO(content)) for content in contents]


def score(folder: Path) -> Callable[[], object]:
    """Both files read and joined, and scored."""

    def work() -> None:
        both = pd.read_csv(folder / "gold.csv").merge(pd.read_csv(folder / "run.csv"), on="id")
        gold, system = both["label_x"].to_numpy(dtype=object), both["label_y"].to_numpy(dtype=object)
        metrics.classification_report(gold, system)
        for name in ("matthews_corrcoef", "cohen_kappa_score", "balanced_accuracy_score", "confusion_matrix"):
            getattr(metrics, name)(gold, system)

    return work


if __name__ == "__main__":
    _, _, what, folder = sys.argv
    work = {"pandas": read, "scikit-learn": score}[what](Path(folder))
    start = time.process_time()
    work()
    print(time.process_time() - start, 0)
