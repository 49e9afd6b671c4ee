"""Beancount with beangulp: import.py FILE FOLDER

The importer reads the file; beangulp marks what it takes for duplicates of the ledger, which then
are comments; the rest is appended.
"""

import csv
import datetime
import os
import subprocess
import sys

import beangulp
from beancount import loader
from beancount.core import data
from beancount.core.amount import Amount
from beancount.core.number import D

LEDGER_HEADER = 'option "operating_currency" "USD"\nplugin "beancount.plugins.auto_accounts"\n'


def account(kind, name):
    """A name as Beancount allows it in an account."""
    return kind + ":" + name.title().replace(" ", "").replace("&", "And")


class Importer(beangulp.Importer):
    def identify(self, filepath):
        return filepath.endswith(".csv")

    def account(self, filepath):
        return "Assets:Checking"

    def extract(self, filepath, existing):
        entries = []
        with open(filepath, encoding="utf-8", newline="") as file:
            for line, row in enumerate(csv.DictReader(file), start=2):
                units = Amount(D(row["Amount"]), row["Currency"])
                own = account("Assets", row["Account"])
                other = account("Expenses", row["Category"] or "Unknown")
                posting = data.Posting(own, units, None, None, None, None)
                balancing = data.Posting(other, Amount(-units.number, units.currency), None, None, None, None)
                meta = data.new_metadata(filepath, line)
                if row["Notes"]:
                    meta["notes"] = row["Notes"]
                entries.append(
                    data.Transaction(
                        meta,
                        datetime.date.fromisoformat(row["Date"]),
                        "*",
                        None,
                        row["Name"],
                        frozenset(tag.replace(" ", "-") for tag in row["Tags"].split(",") if tag),
                        frozenset(),
                        [posting, balancing],
                    )
                )
        return entries


def run(file, folder):
    books = os.path.join(folder, "beancount")
    os.makedirs(books, exist_ok=True)
    ledger = os.path.join(books, "main.beancount")
    if not os.path.exists(ledger):
        with open(ledger, "w", encoding="utf-8") as out:
            out.write(LEDGER_HEADER)
    extracted = os.path.join(books, "new.beancount")
    # The script is its own beangulp program, as its documentation has it.
    subprocess.run(
        [sys.executable, __file__, "extract", "--existing", ledger, "--output", extracted, file],
        check=True,
        stderr=subprocess.DEVNULL,
    )
    with open(extracted, encoding="utf-8") as new, open(ledger, "a", encoding="utf-8") as out:
        out.write(new.read())
    entries, errors, _ = loader.load_file(ledger)
    if errors:
        raise SystemExit(f"{len(errors)} errors, the first: {errors[0]}")
    print("count", sum(isinstance(entry, data.Transaction) for entry in entries))


if __name__ == "__main__":
    if sys.argv[1] == "extract":
        beangulp.Ingest([Importer()])()
    else:
        run(*sys.argv[1:3])
