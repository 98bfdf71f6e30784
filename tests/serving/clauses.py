"""The clauses of the serving tests, written for them."""

from __future__ import annotations

import json

LIBRARY = (
    "Neither party shall be liable to the other party for any indirect, special or consequential damages.",
    "In no event shall Supplier's aggregate liability exceed the fees paid in the six (6) months before the claim.",
    "Each party's total liability under this Agreement shall not exceed $500,000, except for fraud or misconduct.",
    "Buyer's sole and exclusive remedy is repair or replacement of the defective unit.",
    "Provider shall have no liability whatsoever to Client for any loss or damage of any kind.",
    "Contractor's liability for any breach of this Agreement shall be unlimited.",
    "A claim of either party that is not brought within two years of the event behind it is lost.",
    "The limitations of liability shall not apply to breach of confidentiality or to indemnification obligations.",
)
GOOD = (
    "Except for breach of confidentiality, neither party's total liability under this Agreement shall exceed the fees "
    "paid by Customer in the twelve (12) months before the claim arose, and neither party shall be liable for indirect "
    "or consequential damages."
)
BREAD = "Knead the dough for ten minutes, let it rest in a warm place, and bake it until the crust is golden."
REDACTED = "Supplier's total liability under this Agreement shall not exceed [***] in any contract year."
LABELLED = {"L1": GOOD, "L2": REDACTED, "L3": BREAD}


def lines(text: str) -> list[dict]:
    """The objects of JSONL."""
    return [json.loads(line) for line in text.splitlines()]
