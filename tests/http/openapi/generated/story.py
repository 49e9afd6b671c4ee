"""A family's story in which every operation of the description is called at least once, through
the generated client.

Usage: story.py DESCRIPTION CLIENT ADDRESS KEY READ_KEY
"""

import sys

from harness import Api

description, client, address, key, read_key = sys.argv[1:]
api = Api(description, client, address, key)
call = api.call


def make(name, body):
    """Calls an operation that creates something; its id."""
    made = call(name, expect=201, body=body)
    return getattr(made, "data", made).id


# Things with a name: made, listed, shown, changed in both ways.
account = make("create_account", {
    "name": "Checking", "account_type": "depository", "opening_balance": "1000.00",
    "opening_date": "2025-12-31"})
savings = make("create_account", {
    "name": "Savings", "account_type": "depository"})
shares = make("create_account", {
    "name": "Shares", "account_type": "investment"})
category = make("create_category", {
    "category": {"name": "Wine", "color": "#2f7fc1"}})
budget = make("create_budget", {"month": "2020-01"})
merchant = make("create_merchant", {"name": "Corner shop"})
stock = make("create_security", {"ticker": "STOCK", "name": "Stock"})
valuation = make("record_valuation", {
    "account_id": savings, "amount": "50.25", "date": "2026-01-20"})
price = make("state_security_price", {
    "security_id": stock, "date": "2026-01-06", "price": 19.5, "currency": "USD"})
trade = make("create_trade", {
    "account_id": shares, "type": "buy", "date": "2026-01-05", "security_id": stock, "qty": "10",
    "price": "18.71"})
call("create_trade", expect=201, body={
    "account_id": shares, "type": "interest", "date": "2026-01-05", "amount": "1"})
rule = make("create_rule", {"rule": {
    "name": "Rent", "active": False,
    "conditions": [{"condition_type": "compound", "operator": "or", "sub_conditions": [
        {"condition_type": "transaction_amount", "operator": ">=", "value": "1"},
        {"condition_type": "transaction_category", "operator": "is_null"}]}],
    "actions": [{"action_type": "set_transaction_tags", "value": "Home"}]}})
entered = {"account_id": account, "date": "2026-01-02", "amount": "30.00", "name": "Supper",
           "category_id": category, "merchant_id": merchant, "external_id": "supper"}
supper = make("create_transaction", {"transaction": entered})
assert call("create_transaction", expect=200, body=entered).id == supper
holding = call("list_holdings", account_id=shares).holdings[0].id

NOUNS = [
    # Plural, singular, id (or what makes it), a change.
    ("accounts", "account", account, {"name": "Everyday", "institution_name": "Bank"}),
    ("budget_categories", "budget_category",
     {"budget_id": budget, "category_id": category, "budgeted_spending": 9},
     {"budgeted_spending": "9.50"}),
    ("budgets", "budget", budget, {"budgeted_spending": 2000}),
    ("categories", "category", category, {"icon": "wine", "color": None}),
    ("holdings", "holding", holding, {"avg_cost": "9.50"}),
    ("merchants", "merchant", merchant, {"website": "shop.example"}),
    ("recurring_transactions", "recurring_transaction",
     {"name": "Rent", "amount": 5, "expected_day_of_month": 31, "account_id": account},
     {"status": "inactive"}),
    ("rules", "rule", rule, {"name": "Flat", "effective_date": "2026-01-01"}),
    ("securities", "security", stock, {"isin": "US0378331005"}),
    ("security_prices", "security_price", price, {"price": "20.25"}),
    ("tags", "tag", {"name": "Trip"}, {"color": "#aabbcc"}),
    ("trades", "trade", trade, {"notes": "The first ones"}),
    ("transactions", "transaction", supper, {"notes": "With friends", "tag_ids": []}),
    ("valuations", "valuation", valuation, {"notes": "From a statement"}),
]
for plural, singular, id, change in NOUNS:
    if isinstance(id, dict):
        id = make(f"create_{singular}", id)
    call(f"list_{plural}")
    call(f"show_{singular}", id)
    call(f"update_{singular}", id, body=change)
    call(f"put_{singular}", id, body=change)
    if singular in ["budget_category", "recurring_transaction", "tag", "valuation"]:
        call(f"delete_{singular}", id, expect=204 if singular == "tag" else 200)

# Transactions: parts, transfers, rules.
call("split_transaction", supper, expect=201, body={
    "parts": [{"amount": 10, "name": "Wine"}, {"amount": 20}]})
call("show_split", supper)
call("unsplit_transaction", supper)


def pair(date):
    """Two transactions that cancel out."""
    sides = [(account, "7.00"), (savings, "-7.00")]
    outflow, inflow = [make("create_transaction", {
        "account_id": side, "date": date, "amount": amount, "name": "Moved"})
        for side, amount in sides]
    return {"outflow_transaction_id": outflow, "inflow_transaction_id": inflow}


call("update_family_settings", body={"transfer_matching": "propose"})
call("match_transfers", expect=202)
call("put_family_settings", body={"transfer_matching": "off", "country": "DE"})
call("match_transfers", expect=409)
call("show_family_settings")
transfer = make("create_transfer", pair("2026-02-01"))
call("list_transfers")
call("show_transfer", transfer)
call("put_transfer", transfer, body={"status": "confirmed"})
call("update_transfer", transfer, body={"status": "rejected"})
linked = pair("2026-02-03")
other = {"other_transaction_id": linked["inflow_transaction_id"]}
call("link_counterpart", linked["outflow_transaction_id"], body=other)
call("put_counterpart", linked["outflow_transaction_id"], body={"other_transaction_id": None})
transfer = make("create_transfer", pair("2026-02-02"))
call("delete_transfer", transfer)
rejected = call("list_rejected_transfers").rejected_transfers[0].id
call("show_rejected_transfer", rejected)
call("delete_rejected_transfer", rejected)
call("preview_rule", rule)
call("preview_new_rule", body={
    "actions": [{"action_type": "set_transaction_name", "value": "Dinner"}]})
run = call("run_rule", rule, expect=202).data.id
call("run_rules", expect=202)
call("list_rule_runs")
call("show_rule_run", run)

# Rates and prices, one by one and as tables in each of the three forms.
rate = {"base": "EUR", "quote": "USD", "date": "2026-02-02", "rate": 1.5}
call("state_exchange_rate", expect=201, body=rate)
rate = call("state_exchange_rate", expect=200, body=rate).id
call("show_exchange_rate", rate)
call("list_exchange_rates", source="manual", page=1)
call("look_up_exchange_rate", from_="EUR", to="USD")
rates = "date,base,quote,rate\n2026-02-03,EUR,USD,2\n"
call("import_exchange_rates", expect=201, body=api.file("rates.csv", rates))
call("import_exchange_rates", expect=201, body={"file": api.file("rates.csv", rates)})
prices = "date,ticker,price,currency\n2026-02-03,STOCK,7,USD\n"
call("import_security_prices", expect=201, body={"raw_file_content": prices})

# An import from its upload to its undoing, and one that never is published.
table = "date,amount,name,category,tags\n2026-01-02,-1.50,Tea,Drinks,Warm\n2026-01-03,x,Cake,,\n"
call("preflight_import", body={"raw_file_content": table, "account_id": account})
upload = {"file": api.file("bank.csv", table), "account_id": account}
imported = make("create_import", upload)
call("replace_import_file", imported, body=api.file("again.csv", table))
call("configure_import", imported, body={"signage_convention": "inflows_positive"})
call("publish_import", imported, expect=422)
call("correct_import_row", imported, 2, body={"cells": {"amount": "-2.50"}})
call("list_import_rows", imported, verdict=["create"])
call("publish_import", imported, expect=202)
assert '"complete"' in call("watch_import", imported)
call("show_import", imported)
call("preview_revert", imported)
call("revert_import", imported, expect=202)
call("watch_import", imported)
unwanted = make("create_import", {"raw_file_content": table})
call("list_imports", status="pending")
call("delete_import", unwanted)
stated = "date,amount,name,balance\n2026-01-02,-1.50,Tea,98.50\n2026-01-03,-2.50,Cake,96.00\n"
stated += "2026-01-04,10.00,Gift,106.00\n"
stated = make("create_import", {"raw_file_content": stated, "account_id": account})
call("publish_import", stated, expect=202)
assert '"complete"' in call("watch_import", stated)
statement = call("list_statements", account_id=account, page=1).statements[0].id
call("show_statement", statement)
call("revert_import", stated, expect=202)
call("watch_import", stated)
template = call("list_import_templates").data[0].id
call("update_import_template", template, body={"name": "Bank"})
call("delete_import_template", template)

# A file in the server's own format, in chunks.
session = make("create_import_session", {"client_session_id": "story", "expected_chunks": 2})
tag = '{"type":"Tag","data":{"id":"%s","name":"Part %s"}}\n'
chunk = {"sequence": 1, "raw_file_content": tag % (1, 1)}
call("add_import_session_chunk", session, expect=201, body=chunk)
call("delete_import_session_chunk", session, 1)
call("add_import_session_chunk", session, expect=201, body=chunk)
call("publish_import_session", session, expect=422)
chunk = {"sequence": 2, "file": api.file("two.ndjson", tag % (2, 2))}
call("add_import_session_chunk", session, expect=201, body=chunk)
call("publish_import_session", session, expect=202)
call("show_import_session", session)
call("list_import_sessions")
call("delete_import_session", session)

# What is computed, and what the server knows of itself.
sync = call("request_sync", expect=202).id
call("list_syncs")
call("show_latest_sync")
call("show_sync", sync)
call("request_family_export", expect=202)
export = next(one.id for one in call("list_family_exports").data if one.downloadable)
call("show_family_export", export)
call("download_family_export", export)
call("list_sync_outcomes", sync)
call("preview_sync_revert", sync)
call("revert_sync", sync)
pair, other = [pair.id for pair in call("list_duplicates").duplicates]
call("show_duplicate", pair)
call("dismiss_duplicate", pair)
call("merge_duplicate", pair, expect=404)
call("merge_duplicate", other)
bank = {"provider": "lunchflow", "key": "simulator-key", "name": "Banks"}
call("create_provider_connection", expect=422, body={**bank, "key": "wrong"})
bank = make("create_provider_connection", bank)
call("show_provider_connection", bank)
call("update_provider_connection", bank, body={"name": "All banks"})
call("put_provider_connection", bank, body={"name": "My banks"})
found = call("list_provider_accounts", bank).data[0].id
call("link_provider_account", bank, found, body={"currency": "EUR"})
call("preview_provider_sync", bank)
call("unlink_provider_account", bank, found)
call("ignore_provider_account", bank, found)
call("sync_provider_connection", bank, expect=202)
call("delete_provider_connection", bank)
hook = make("create_webhook", {"url": "https://hooks.example/", "events": ["sync.failed"],
                               "secret": "0123456789abcdef"})
call("list_webhooks")
call("show_webhook", hook)
call("update_webhook", hook, body={"active": False})
call("put_webhook", hook, body={"active": True})
call("test_webhook", hook, expect=202)
call("list_webhook_deliveries", hook)
call("delete_webhook", hook)
balance = call("list_balances", account_id=account).balances[0].id
call("show_balance", balance)
for report in ["show_balance_sheet", "report_cash_flow", "report_gains", "report_net_worth",
               "show_feeds", "show_usage", "show_current_user", "list_category_icons",
               "list_provider_connections", "list_providers"]:
    call(report)
call("bootstrap_categories", expect=201)
call("detect_recurring_transactions", expect=201)

# What is left of the deletions, and what is refused.
kiosk = make("create_merchant", {"name": "Kiosk"})
call("merge_merchant", kiosk, body={"into_id": merchant})
call("delete_security", stock, expect=409)
spare = make("create_security", {"ticker": "SPARE"})
for name, id in [
    ("security", spare), ("security_price", price), ("exchange_rate", rate), ("trade", trade),
    ("transaction", supper), ("rule", rule), ("merchant", merchant), ("budget", budget),
    ("category", category), ("account", savings),
]:
    call(f"delete_{name}", id)
call("show_tag", imported, expect=404)
call("create_tag", expect=422, body={"name": ""})
reader = Api(description, client, address, read_key)
reader.call("create_tag", expect=403, body={"name": "New"})
nobody = Api(description, client, address, "unknown")
nobody.call("list_tags", expect=401)
api.finish()
print(f"{len(api.called)} operations")
