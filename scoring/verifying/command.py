"""The command `verify`: its arguments, the order of its steps, and what it says."""

import argparse
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from scoring import lazy
from scoring.display.arguments import add_command, add_output
from scoring.display.printable import one_line
from scoring.display.terminal import bar, write
from scoring.errors import SubmissionError
from scoring.verifying.chain import ReceiptReport, verify_receipts
from scoring.verifying.contents import Contents, read_contents
from scoring.verifying.evaluating import Recomputation, verify_evaluations
from scoring.verifying.opening import Archive, digest_problems, opened

_MOST_SHOWN = 100  # lines of a kind in the text; JSON has all
_GB = 2**30


def add_to(actions: Any) -> None:
    """Add the command to the subparsers."""
    help_ = "compute all figures of an archived task again, and name those that differ"
    parser = add_command(
        actions,
        "verify",
        help_,
        _verify,
        "Check the digests and receipts of an archive, score all its runs again, and make its boards again. "
        "Exit status: 0 all is as stored, 1 something differs or was not verified, 2 it is no archive, or a newer one.",
    )
    parser.add_argument("archive", type=Path, metavar="ARCHIVE", help="the zip file that a site has made")
    parser.add_argument("--limit", type=float, default=8, metavar="GB", help="most that is unpacked (default 8)")
    parser.add_argument(
        "--tolerance",
        type=float,
        default=0.0,
        metavar="T",
        help="let figures differ by this share, as another processor rounds sums (such as 1e-12; default 0)",
    )
    add_output(parser, ("text", "json"))


def _verify(arguments: argparse.Namespace) -> None:
    with opened(arguments.archive, int(arguments.limit * _GB)) as archive, TemporaryDirectory() as folder:
        report = verify(archive, Path(folder), arguments.tolerance)
    text = json.dumps(report, indent=2, ensure_ascii=False) + "\n" if arguments.format == "json" else _as_text(report)
    write(text, (), arguments.output)
    if report["problems"] or report["differences"] or report["skipped"]:
        raise SubmissionError([])  # said already


def verify(archive: Archive, folder: Path, tolerance: float = 0.0) -> dict[str, Any]:
    """Return what was found, as values of JSON; ConfigurationError where it is no archive."""
    with bar("Digests") as shown:
        seal, problems = digest_problems(archive, shown.at)
    contents = read_contents(archive)
    receipts = verify_receipts(archive, contents)
    recomputation = Recomputation(folder, problems=problems + receipts.problems, skipped=receipts.not_verified)
    with bar("Scoring") as shown:
        verify_evaluations(archive, contents, recomputation, shown.at)
    # Loaded now, since comparisons need SciPy, for which no other command shall wait.
    verify_board = lazy.load("scoring.verifying.boards", "verify_board")
    verify_combined = lazy.load("scoring.verifying.combined", "verify_combined")
    with bar("Boards") as shown:
        for number, board in enumerate(contents.boards):
            shown.at(number / len(contents.boards), board.file)
            with _report_broken(board.file, recomputation):
                verify_board(archive, board, recomputation)
        for combined in contents.combined:
            shown.at(1, combined.file)
            with _report_broken(combined.file, recomputation):
                verify_combined(archive, contents, combined, recomputation)
    return _report(contents, recomputation, seal, receipts, tolerance)


@contextmanager
def _report_broken(file: str, recomputation: Recomputation) -> Iterator[None]:
    """Report a file with values of other kinds than a site writes, which make no sense wherever they are used."""
    try:
        yield
    except (TypeError, ValueError, LookupError, AttributeError, ArithmeticError) as error:
        recomputation.problems.append(f"{file}: it is not as a site writes it ({type(error).__name__}: {error})")


def _report(
    contents: Contents, recomputation: Recomputation, seal: str, receipts: ReceiptReport, tolerance: float
) -> dict[str, Any]:
    apart = [difference for difference in recomputation.differences if difference.share > tolerance]
    shares = [difference.share for difference in apart]
    return {
        "digest": seal,
        "engine": contents.engine,
        "n_runs": len(contents.runs),
        "n_receipts": receipts.n_receipted,
        "n_links": receipts.n_links,
        "n_other_links": receipts.n_other_links,
        "n_evaluations": len(recomputation.entries),
        "n_boards": len(contents.boards) + len(contents.combined),
        "n_figures": recomputation.n_figures,
        "heads": receipts.heads,
        "without_receipts": receipts.exempt,
        "n_without_receipts": receipts.n_exempt,
        "problems": recomputation.problems,
        "differences": [
            {name: getattr(difference, name) for name in ("file", "about", "name", "stored", "recomputed")}
            | {"line": str(difference)}
            for difference in apart
        ],
        "n_within_tolerance": len(recomputation.differences) - len(apart),
        "largest_share": max(shares) if shares and max(shares) < 1 else None,
        "skipped": recomputation.skipped,
    }


def _as_text(report: dict[str, Any]) -> str:
    lines = [
        f"{report['n_receipts']:,} of {report['n_runs']:,} runs have receipts; "
        f"{report['n_evaluations']:,} evaluations and {report['n_boards']:,} boards: "
        f"{report['n_figures']:,} figures computed again by the engine {report['engine']}.",
        f"The archive's digest: {report['digest']}",
    ]
    if heads := report["heads"]:
        day, head = max(heads.items())
        lines.append(f"Receipts: the chain ends on {day} with {head}; compare it with a head that you have noted.")
        others = report["n_other_links"]
        verb = "belongs" if others == 1 else "belong"
        lines.append(f"Of {report['n_links']:,} links of the chain, {others:,} {verb} to no receipt here.")
    lines += _some("Without receipts, as the archive says", report["without_receipts"])
    lines += _some("Not verified", report["skipped"])
    lines += _some("Broken", report["problems"])
    lines += _some("Different", [difference["line"] for difference in report["differences"]])
    if report["largest_share"] is not None and report["largest_share"] < _ROUNDING:
        lines.append(
            f"All differ by a share of {report['largest_share']:.1g} at most, as the rounding of another processor "
            "may: see --tolerance."
        )
    if report["n_within_tolerance"]:
        lines.append(f"{report['n_within_tolerance']:,} figures differ within the tolerance.")
    if not report["problems"] and not report["differences"]:
        lines.append(_all_is_well(report))
    return "\n".join(map(one_line, lines)) + "\n"


_ROUNDING = 1e-9


def _all_is_well(report: dict[str, Any]) -> str:
    if report["skipped"]:
        return "Nothing differs of what was verified."
    if number := report["n_without_receipts"]:
        return f"Nothing differs. Of {number:,} runs nothing shows that they were uploaded, and when."
    return "Nothing differs."


def _some(title: str, lines: list[str]) -> list[str]:
    if not lines:
        return []
    more = [f"  … and {len(lines) - _MOST_SHOWN:,} more (--format json)"] if len(lines) > _MOST_SHOWN else []
    return [f"{title} ({len(lines):,}):", *(f"  {line}" for line in lines[:_MOST_SHOWN]), *more]
