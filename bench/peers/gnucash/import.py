"""GnuCash through its Python bindings: import.py FILE FOLDER

The bindings have no importer: rows become transactions one by one. What recognises duplicates is
in the program's window only, so a second import adds everything again.
"""

import csv
import os
import sys

from gnucash import ACCT_TYPE_BANK, ACCT_TYPE_EXPENSE, Account, GncNumeric, Session, Split, Transaction
from gnucash import SessionOpenMode


def child(book, root, accounts, name, kind):
    """The account of that name, made when it is first asked for."""
    if name not in accounts:
        found = root.lookup_by_name(name)
        if found is None:
            found = Account(book)
            root.append_child(found)
            found.SetName(name)
            found.SetType(kind)
            found.SetCommodity(book.get_table().lookup("CURRENCY", "USD"))
        # As long as an account is edited it neither sorts its splits nor sums them up.
        found.BeginEdit()
        accounts[name] = found
    return accounts[name]


def run(file, folder):
    books = os.path.join(folder, "gnucash")
    os.makedirs(books, exist_ok=True)
    path = os.path.join(books, "books.gnucash")
    mode = SessionOpenMode.SESSION_NORMAL_OPEN
    if not os.path.exists(path):
        mode = SessionOpenMode.SESSION_NEW_STORE
    session = Session("xml://" + path, mode)
    book = session.book
    root = book.get_root_account()
    dollar = book.get_table().lookup("CURRENCY", "USD")
    accounts, categories = {}, {}
    with open(file, encoding="utf-8", newline="") as rows:
        for row in csv.DictReader(rows):
            cents = int(row["Amount"].replace(".", ""))
            own = child(book, root, accounts, row["Account"], ACCT_TYPE_BANK)
            name = row["Category"] or "Unknown"
            other = child(book, root, categories, "Expense " + name, ACCT_TYPE_EXPENSE)
            transaction = Transaction(book)
            transaction.BeginEdit()
            transaction.SetCurrency(dollar)
            transaction.SetDescription(row["Name"])
            transaction.SetNotes(row["Notes"])
            transaction.SetDate(*reversed(list(map(int, row["Date"].split("-")))))
            for account, value in ((own, cents), (other, -cents)):
                split = Split(book)
                split.SetParent(transaction)
                split.SetAccount(account)
                split.SetValue(GncNumeric(value, 100))
                split.SetAmount(GncNumeric(value, 100))
            transaction.CommitEdit()
    for account in [*accounts.values(), *categories.values()]:
        account.CommitEdit()
    session.save()
    count = sum(len(account.GetSplitList()) for account in accounts.values())
    session.end()
    print("count", count)


if __name__ == "__main__":
    run(*sys.argv[1:3])
