"""Prints what Beancount makes of a journal: journal.py JOURNAL

An object with, for each account and commodity, the number of units at the end of each day on which
something was posted, and what the units with a known cost cost at the end. Any complaint of
bean-check's ends it with an error.
"""

import collections
import json
import sys

from beancount import loader
from beancount.core import data
from beancount.ops import validation

entries, errors, _ = loader.load_file(
    sys.argv[1], extra_validations=validation.HARDCORE_VALIDATIONS
)
for error in errors[:5]:
    print(error.source.get("lineno"), error.message, file=sys.stderr)
if errors:
    sys.exit(1)
units = collections.defaultdict(dict)
costs = collections.defaultdict(int)
names = {}
for entry in entries:
    if isinstance(entry, data.Open):
        names[entry.account] = entry.meta.get("id", "")
for entry in data.filter_txns(entries):
    for posting in entry.postings:
        number, commodity = posting.units
        days = units[posting.account, commodity]
        before = days[max(days)] if days else 0
        days[str(entry.date)] = before + number
        if posting.cost is not None:
            costs[posting.account, commodity] += number * posting.cost.number
tickers = {}
for entry in entries:
    if isinstance(entry, data.Commodity):
        market = entry.meta.get("market", "")
        tickers[entry.currency] = entry.meta.get("ticker", entry.currency) + "/" + market
print(json.dumps({
    "units": [
        [names[account], tickers[commodity], day, format(number, "f")]
        for (account, commodity), days in units.items() if names.get(account)
        for day, number in days.items()
    ],
    "costs": [
        [names[account], tickers[commodity], format(cost, "f")]
        for (account, commodity), cost in costs.items() if names.get(account)
    ],
}))
