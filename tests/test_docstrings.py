"""Docstrings of functions open with a verb, as orders do: "Return the newest edition", not "The newest edition"."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

# What functions do, in the imperative. A verb that is missing here is added; anything else opens no docstring.
_VERBS = """
Activate Add Align Annotate Answer Append Apply Approve Archive Arrange Ask Assign Attach Average Begin Bind Bound
Bring Build Cache Call Cancel Cast Change Check Choose Claim Clean Clear Clone Close Code Collect Combine Commit
Compare Compile Compute Confirm Connect Continue Convert Copy Count Create Cross Cut Decide Decline Decode Define
Delete Describe Detect Discard Divide Do Download Draw Drop Dump Encode End Enqueue Ensure Enter Escape Evaluate
Export Extract Fetch Fill Filter Find Fit Fold Forget Fork Format Free Give Go Grant Group Guess Hand Handle Hash Have
Hold Import Increment Index Initialise Insert Install Invite Isolate Iterate Join Judge Justify Keep Kill Label Leave
Let Limit Link List Load Lock Log Look Lower Mail Make Map Mark Match Measure Mend Merge Move Name Narrow Normalise
Note Notify Number Offer Open Order Pack Pair Parse Pass Pause Place Post Postpone Prepare Price Print Process Produce
Protect Prove Publish Push Put Queue Quote Raise Rank Read Receive Recompute Record Redirect Reduce Refuse Register
Reject Release Remake Remember Remove Render Renew Repair Replace Report Request Require Reset Resolve Restart Restore
Restrict Retry Return Reverse Revert Revoke Rewrite Round Run Sample Save Say Scale Schedule Score Seal Search Select
Send Serve Set Shade Share Shift Shorten Show Skip Sort Split Spread Standardise Start Stop Store Strip Submit
Subtract Sum Suppress Swap Switch Sync Tag Take Tally Tell Terminate Test Thin Tick Tidy Touch Track Transform
Translate Transpose Trim Try Turn Unbind Undo Unlock Unpack Update Upload Use Validate Verify Visit Wait Walk Warn
Weigh Wrap Write Yield
"""
VERBS = frozenset(_VERBS.split())


def openings(file: Path) -> Iterator[tuple[int, str]]:
    """Yield the line and the first word of each function's docstring, without the sign behind it."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            docstring = ast.get_docstring(node)
            if docstring is not None and "migrations" not in file.parts:
                yield node.lineno, docstring.partition(" ")[0].partition("\n")[0].rstrip(",;:.")


@pytest.mark.parametrize("folder", ["scoring", "evalsite", "demo"])
def test_docstrings_of_functions_open_with_a_verb(folder):
    others = [
        f"{file.relative_to(ROOT)}:{line}: {word}"
        for file in sorted((ROOT / folder).rglob("*.py"))
        for line, word in openings(file)
        if word not in VERBS
    ]
    assert others == []


def test_a_fragment_is_told_from_an_order(tmp_path):
    file = tmp_path / "module.py"
    file.write_text('def ids():\n    """The ids."""\n\n\ndef count():\n    """Count; nothing else."""\n')
    assert [word in VERBS for _, word in openings(file)] == [False, True]
