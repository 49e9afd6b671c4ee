#!/bin/sh
# hledger: import.sh FILE FOLDER
set -eu
here=$(dirname "$0")
books="$2/hledger"
mkdir -p "$books"
# hledger keeps what it has seen of a file beside the file.
[ -e "$books/bank.csv" ] || cp "$1" "$books/bank.csv"
cp "$here/import.rules" "$books/import.rules"
touch "$books/main.journal"
hledger -f "$books/main.journal" import "$books/bank.csv" --rules-file "$books/import.rules" > /dev/null
# Each transaction starts with its date at the beginning of a line.
echo "count $(grep -c '^20' "$books/main.journal")"
