"""Docstrings of functions open with a verb, as orders do: "Return the newest edition", not "The newest edition"."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

# What functions do, in the imperative. A verb that is missing here is added; anything else opens no docstring.
_VERBS = """
Activate Add Align Allow Annotate Answer Append Apply Approve Archive Arrange Ask Assign Attach Authenticate Authorise
Average Avoid Balance Batch Begin Bind Block Bound Break Bring Build Cache Calculate Call Cancel Cast Chain Change
Check Choose Claim Clean Clear Clone Close Code Collect Combine Commit Compare Compile Compose Compute Configure
Confirm Connect Construct Continue Control Convert Coordinate Copy Count Create Cross Cut Decide Decline Decode
Decrease Default Defer Define Delete Deny Derive Describe Detach Detect Disable Discard Dismiss Display Distribute
Divide Do Download Drain Draw Drop Dump Edit Embed Empty Enable Encode Encrypt End Enforce Enqueue Ensure Enter Erase
Escape Estimate Evaluate Exclude Execute Expand Expire Export Expose Extend Extract Fetch Fill Filter Find Fit Fold
Follow Force Forget Fork Format Forward Free Generate Give Go Grant Group Guard Guess Hand Handle Hash Have Highlight
Hold Identify Ignore Import Include Increase Increment Index Inform Initialise Insert Inspect Install Interpret
Interrupt Invalidate Invite Isolate Iterate Join Judge Justify Keep Kill Label Launch Lay Lead Leave Let Lift Limit
Link List Load Locate Lock Log Look Lower Mail Make Map Mark Mask Match Measure Mend Merge Mirror Monitor Move
Multiply Name Narrow Normalise Note Notify Number Obtain Offer Open Order Overwrite Pack Paint Pair Parse Pass Pause
Permit Pick Place Plan Point Poll Populate Post Postpone Prepare Preserve Prevent Price Print Process Produce Promote
Propose Protect Prove Provide Prune Publish Push Put Queue Quit Quote Raise Rank Reach React Read Reassign Rebuild
Receive Reckon Recompute Record Recover Redirect Reduce Refresh Refuse Register Reject Release Remake Remember Remove
Rename Render Renew Reorder Repair Repeat Replace Report Represent Request Require Reserve Reset Resolve Respond
Restart Restore Restrict Resume Retry Return Reuse Reverse Revert Revoke Rewrite Roll Round Run Sample Sanitise Save
Say Scale Schedule Score Seal Search Seed Select Send Separate Serve Set Shade Share Shift Shorten Show Sign Simplify
Skip Snapshot Sort Split Spread Squash Stamp Standardise Start State Stop Store Strip Subdivide Submit Subscribe
Substitute Subtract Suggest Sum Summarise Supply Suppress Surround Swap Switch Sync Tag Take Tally Tell Terminate Test
Thin Throttle Tick Tidy Time Toggle Total Touch Track Transfer Transform Translate Transpose Trim Truncate Try Turn
Unbind Undo Unite Unlock Unpack Unsubscribe Update Upload Use Validate Verify Visit Wait Walk Warm Warn Watch Weaken
Weigh Withdraw Wrap Write Yield
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
