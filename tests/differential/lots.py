"""Prints what Beancount's booking made of a journal: lots.py JOURNAL

One row for each lot, or part of one, that a trade closed: account, day of the trade, shares, day
of the lot, cost of a share, price of a share.
"""

import json
import sys

from beancount import loader
from beancount.core import data

entries, errors, _ = loader.load_file(sys.argv[1])
for error in errors[:5]:
    print(error.source.get("lineno"), error.message, file=sys.stderr)
if errors:
    sys.exit(1)
rows = []
for entry in data.filter_txns(entries):
    for posting in entry.postings:
        if posting.cost is not None and posting.price is not None:
            texts = [
                posting.account,
                entry.date,
                format(posting.units.number, "f"),
                posting.cost.date,
                format(posting.cost.number, "f"),
                format(posting.price.number, "f"),
            ]
            rows.append([str(text) for text in texts])
print(json.dumps(rows))
