"""The arguments and the output of MATScore, as its documentation describes them, around this engine."""

import argparse
import codecs
import glob
import os
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from scoring.display.arguments import program
from scoring.display.terminal import exit_status, warn, write_bytes
from scoring.errors import ConfigurationError, problems_of_gold
from scoring.families.mat import MAT
from scoring.families.mat.exports import counts_as_csv, counts_as_text, details_as_csv, details_as_text
from scoring.families.moments import records_with_moments
from scoring.family import Options, Record
from scoring.readers.archive import Files, open_files
from scoring.readers.mat import Gold, System, keep_pairs, read_task
from scoring.significance import seed_of
from scoring.significance.limits import check_resampling

# The original calls the gold *reference* and the system *hypothesis*; so do the arguments and all texts of this
# command, and nothing else in the engine. Where it differs from the family's defaults, it follows the documentation:
#
# * A hypothesis without a reference, or a reference without a hypothesis, is left out with a warning, because
#   MATScore scores the hypotheses that it finds. `evaluate` refuses both.
# * The tokens of the hypotheses count, not those of the references.

Tables = Mapping[str, list[Record]]

_CHOICES = {option.key: option.choices for option in MAT.options}
# Argument -> option of the family; `--task_file` becomes an option too, see `_options`.
_OPTIONS = {
    "content_annotations": "content_annotations",
    "token_annotations": "token_annotations",
    "task": "task",
    "file_type": "system_format",
    "ref_file_type": "gold_format",
    "xml_input_is_overlay": "system_xml_overlay",
    "ref_xml_input_is_overlay": "gold_xml_overlay",
    "xml_translate_all": "system_xml_translate_all",
    "ref_xml_translate_all": "gold_xml_translate_all",
    "file_re": "system_pattern",
    "ref_fsuff_off": "suffix_off",
    "ref_fsuff_on": "suffix_on",
    "tokens": "tokens",
    "pairing": "pairing",
    "details": "details",
    "compute_confidence_data": "confidence_data",
}
# Arguments that have no effect without --dir, or without --csv_output_dir.
_ONLY_WITH_FOLDERS = ("file_re", "ref_fsuff_off", "ref_fsuff_on")
_ONLY_WITH_CSV = ("compute_confidence_data", "no_csv_formulas", "oo_separator", "csv_bom")


def main(argv: Sequence[str]) -> int:
    """Return the exit status: 0 done, 1 hypothesis refused, 2 reference or task; wrong usage ends in SystemExit."""
    arguments = _arguments(argv)
    return exit_status(lambda: _run(arguments))


def _run(arguments: argparse.Namespace) -> None:
    """Print the tables; with a folder for CSV files nothing is written to stdout."""
    tables = _score(arguments)
    if arguments.csv_output_dir:
        _write_csv(tables, arguments)
    else:
        write_bytes(_as_text(tables, arguments))


def _arguments(argv: Sequence[str]) -> argparse.Namespace:
    """Return the arguments, which fit together; SystemExit with status 2 if they do not."""
    parser = program("mat", __doc__)
    _add_inputs(parser)
    _add_task(parser)
    _add_output(parser)
    arguments = parser.parse_args(argv)
    paths = [bool(arguments.file), bool(arguments.ref_file), bool(arguments.dir), bool(arguments.ref_dir)]
    if paths not in ([True, True, False, False], [False, False, True, True]):
        parser.error("give --file with --ref_file, or --dir with --ref_dir")
    for name, is_folder in (("file", False), ("ref_file", False), ("dir", True), ("ref_dir", True)):
        if (path := getattr(arguments, name)) and _is_other_kind(path, is_folder):
            parser.error(f"--{name} is {'no folder' if is_folder else 'a folder'}: {path}")
    # The original wants these behind the type that they belong to; here any order will do.
    for side in ("", "ref_"):
        for name in (f"{side}xml_input_is_overlay", f"{side}xml_translate_all"):
            if getattr(arguments, name) and getattr(arguments, f"{side}file_type") != "xml-inline":
                parser.error(f"--{name} needs --{side}file_type xml-inline")
    return arguments


def _add_inputs(parser: argparse.ArgumentParser) -> None:
    # MATScore has a file for each document, which a table is not.
    formats = [name for name in _CHOICES["system_format"] if name != "table"]
    parser.add_argument("--file", metavar="F", help="a hypothesis")
    parser.add_argument("--ref_file", metavar="G", help="its reference")
    parser.add_argument("--dir", metavar="D", help="the folder of the hypotheses")
    parser.add_argument("--ref_dir", metavar="E", help="the folder of their references")
    parser.add_argument("--file_re", metavar="RE", help="a regular expression that the names in --dir match as a whole")
    parser.add_argument("--file_type", choices=formats, default="mat-json", help="of the hypotheses")
    parser.add_argument("--ref_file_type", choices=formats, default="mat-json", help="of the references")
    parser.add_argument("--ref_fsuff_off", metavar="S", help="taken off a hypothesis' name to find its reference")
    parser.add_argument("--ref_fsuff_on", metavar="S", help="then put on")
    for side, prefix in (("hypotheses", ""), ("references", "ref_")):
        parser.add_argument(
            f"--{prefix}xml_input_is_overlay",
            action="store_true",
            help=f"tags of {side} that are no annotation are text",
        )
        parser.add_argument(
            f"--{prefix}xml_translate_all", action="store_true", help=f"every tag of {side} is an annotation"
        )


def _add_task(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--task", metavar="NAME", help="a task of task.xml, here or one folder below")
    parser.add_argument("--task_file", metavar="PATH", help="a task.xml, or a folder with one")
    parser.add_argument("--content_annotations", metavar="A,B", help="the labels that are scored")
    parser.add_argument("--token_annotations", metavar="A,B", help="the labels of tokens")
    parser.add_argument(
        "--tokens", choices=_CHOICES["tokens"], default="system", help="whose tokens count; equal: both must agree"
    )
    parser.add_argument("--pairing", choices=_CHOICES["pairing"], default="1.2", help="of which version")


def _add_output(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--by_token", action="store_true", help="also the table by token")
    parser.add_argument("--details", action="store_true", help="also the table of single annotations")
    parser.add_argument("--csv_output_dir", metavar="DIR", help="CSV files in this folder instead of text")
    parser.add_argument(
        "--compute_confidence_data", action="store_true", help="mean, variance and deviation over 1,000 resamples"
    )
    parser.add_argument("--seed", type=int, metavar="N", help="of the resamples; else from the references' content")
    parser.add_argument("--no_csv_formulas", action="store_true", help="values instead of formulas")
    parser.add_argument("--oo_separator", action="store_true", help="; instead of , inside formulas")
    parser.add_argument("--csv_bom", action="store_true", help="a byte order mark, by which Excel knows UTF-8")


def _is_other_kind(path: str, is_folder: bool) -> bool:
    """Return whether a path is of the other kind; a zip archive stands for a folder, and an absent path for either."""
    if is_folder:
        return os.path.isfile(path) and not zipfile.is_zipfile(path)
    return os.path.isdir(path)


def _score(arguments: argparse.Namespace) -> Tables:
    """Return the tables of the documents that are there on both sides; warnings go to stderr.

    The steps are those of `scoring.evaluate`, without the intervals, which MATScore does not have.
    """
    # Only the seed can be wrong here; the two numbers are any that are allowed.
    check_resampling(0, 0.95, arguments.seed)
    _drop_ignored(arguments)
    options = MAT.configure(_options(arguments))
    gold_files, system_files = _files(arguments, options)
    with problems_of_gold():
        gold = MAT.read_gold(gold_files, options)
    system = MAT.read_system(system_files, gold, options)
    counted = MAT.count(gold, system, options)
    for warning in [*counted.warnings, *_differing_tokens(gold, system, options)]:
        warn(warning)
    # As in `evaluate`, the content of the gold gives the seed where none is chosen: the same files, the same numbers.
    seed = arguments.seed
    if seed is None and options["confidence_data"]:
        with problems_of_gold():
            seed = seed_of(gold_files.digest(gold.paths))
    tables = MAT.tables(counted.matches, options)
    return {name: records_with_moments(table, seed or 0) for name, table in tables.items()}


def _drop_ignored(arguments: argparse.Namespace) -> None:
    """Take back arguments that have no effect beside the others, with a warning."""
    if not arguments.dir:
        _ignore(arguments, _ONLY_WITH_FOLDERS, "without --dir")
    if not arguments.csv_output_dir:
        _ignore(arguments, _ONLY_WITH_CSV, "without --csv_output_dir")
    if arguments.task or arguments.task_file:
        _ignore(arguments, ("content_annotations", "token_annotations"), "as the task says what counts")


def _ignore(arguments: argparse.Namespace, names: Sequence[str], reason: str) -> None:
    for name in names:
        if getattr(arguments, name):
            warn(f"--{name} is ignored {reason}")
            setattr(arguments, name, None)


def _options(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the options of the family that are given; without one the family's default holds."""
    options = {option: getattr(arguments, name) for name, option in _OPTIONS.items()}
    options["task_file"] = arguments.task_file or (arguments.task and _task_file(arguments.task))
    return {option: value for option, value in options.items() if value is not None}


def _task_file(name: str) -> str:
    """Return the first task.xml with this task: that of the current folder, then those one level below by name."""
    candidates = ["task.xml", *sorted(glob.glob("*/task.xml"))]
    # Why none of the files will do, if it comes to that.
    reasons = []
    for path in filter(os.path.exists, candidates):
        try:
            read_task(path, name)
        except ConfigurationError as error:
            reasons.append(str(error))
        else:
            return path
    none = f"no task {name!r} in a task.xml of the current folder or one level below it"
    raise ConfigurationError("\n".join([*reasons, none]))


def _files(arguments: argparse.Namespace, options: Options) -> tuple[Files, Files]:
    """Return the references and the hypotheses that have a partner."""
    with problems_of_gold():
        references = open_files(arguments.ref_file or arguments.ref_dir)
    hypotheses = open_files(arguments.file or arguments.dir)
    gold, system, warnings = keep_pairs(references, hypotheses, options)
    for warning in warnings:
        warn(warning)
    return gold, system


def _differing_tokens(gold: Gold, system: System, options: Options) -> list[str]:
    """Return a warning where tokens differ: the original counts the hypothesis', whatever they are."""
    if options["tokens"] != "system":
        return []
    sides = [(side.tokens.document, side.tokens.start, side.tokens.end) for side in (gold, system)]
    if all(map(np.array_equal, *sides)):
        return []
    return ["the tokens of the hypotheses count, and differ from those of the references (see --tokens)"]


def _as_text(tables: Tables, arguments: argparse.Namespace) -> str:
    """Return the tables in the order of the original, without that by token where there is none: a warning says so."""
    blocks = [f"By tag:\n\n{counts_as_text(tables['by_tag'])}"]
    if arguments.by_token and tables["by_token"]:
        blocks.append(f"By token:\n\n{counts_as_text(tables['by_token'])}")
    if arguments.details:
        blocks.append(f"Details:\n\n{details_as_text(tables['details'])}")
    return "\n".join(blocks)


def _write_csv(tables: Tables, arguments: argparse.Namespace) -> None:
    """Write one file for each table. OpenOffice wants ; inside formulas, whatever stands between the cells."""
    separator = None if arguments.no_csv_formulas else ";" if arguments.oo_separator else ","
    contents = {"bytag.csv": counts_as_csv(tables["by_tag"], separator)}
    if arguments.by_token and tables["by_token"]:
        contents["bytoken.csv"] = counts_as_csv(tables["by_token"], separator)
    if arguments.details:
        contents["details.csv"] = details_as_csv(tables["details"])
    folder = Path(arguments.csv_output_dir)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in contents.items():
            (folder / name).write_bytes((codecs.BOM_UTF8 if arguments.csv_bom else b"") + content)
    except OSError as error:
        raise ConfigurationError(f"{error.filename}: {error.strerror}") from None
