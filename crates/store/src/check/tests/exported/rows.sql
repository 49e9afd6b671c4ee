-- A row in every table that is exported, with a value in every column. {20} is the id 20.
UPDATE families SET public_id = {1}, name = 'own', currency = 'EUR',
    time_zone = 'Europe/Berlin', transfer_matching = 'automatic', month_start_day = 1,
    locale = 'en', date_format = '%Y-%m-%d', country = 'DE';
UPDATE users SET email = 'own@example.org';
DELETE FROM accounts; DELETE FROM categories; DELETE FROM tags; DELETE FROM merchants;
DELETE FROM entries; DELETE FROM entry_tags; DELETE FROM entry_origins;
DELETE FROM entry_conversions; DELETE FROM trades; DELETE FROM position_statements;
DELETE FROM holdings; DELETE FROM transfers; DELETE FROM rejected_transfers;
DELETE FROM securities; DELETE FROM security_prices; DELETE FROM family_rates;
DELETE FROM rules; DELETE FROM recurring_transactions; DELETE FROM budgets;
DELETE FROM budget_categories;
INSERT INTO accounts (family_id, id, name, name_key, account_type, subtype, currency, status,
        opening_amount, institution_name, institution_domain, transactions_count,
        valuations_count, created_at, updated_at, owner_id, cost_method, notes)
    VALUES ({family}, {10}, 'Giro', 'giro', 'investment', 'checking', 'EUR', 'active', 1000000,
        'Bank', 'bank.example', 0, 0, 0, 0, (SELECT id FROM users), 'average', 'joint');
INSERT INTO categories (family_id, id, name, name_key, parent_id, color, icon, created_at,
        updated_at)
    VALUES ({family}, {20}, 'Food', 'food', NULL, '#112233', 'utensils', 0, 0),
        ({family}, {21}, 'Bars', 'food:bars', {20}, '#445566', 'beer', 0, 0);
INSERT INTO tags (family_id, id, name, name_key, color, created_at, updated_at)
    VALUES ({family}, {30}, 'Home', 'home', '#778899', 0, 0);
INSERT INTO merchants (family_id, id, name, name_key, color, website, created_at, updated_at)
    VALUES ({family}, {40}, 'Baker', 'baker', '#aabbcc', 'baker.example', 0, 0);
INSERT INTO securities (family_id, id, ticker, exchange_operating_mic, name, kind, isin,
        country_code, currency, offline, feed_symbol, created_at, updated_at)
    VALUES ({family}, {50}, 'VTI', 'XNAS', 'Total', 'standard', 'US9229087690', 'CA', 'EUR',
        TRUE, 'VTI.US', 0, 0);
INSERT INTO security_prices (family_id, id, security_id, date, currency, price, source,
        created_at, updated_at)
    VALUES ({family}, {51}, {50}, 19727, 'EUR', '7.25', 'manual', 0, 0);
INSERT INTO family_rates (family_id, id, base, quote, date, rate, source, created_at,
        updated_at)
    VALUES ({family}, {52}, 'EUR', 'JPY', 19727, '158.5', 'file', 0, 0);
INSERT INTO position_statements (family_id, account_id, security_id, date, qty, price,
        currency, cost_total, cost_qty)
    VALUES ({family}, {10}, {50}, 19783, '4.0', '7.5', 'JPY', 200000, '4');
INSERT INTO holdings (family_id, id, account_id, security_id, cost_total, cost_qty, cost_date,
        cost_said_at, cost_locked, earlier_costs, created_at, updated_at)
    VALUES ({family}, {53}, {10}, {50}, 300000, '3.0', 19784, 1715940000000000, TRUE,
        '[{"date":"2024-02-29","total":200000,"quantity":"2.0",'
        || '"stated_at":"2024-03-01T00:00:00Z","locked":false,"import_id":null}]', 0, 0);
INSERT INTO entries (family_id, id, account_id, kind, date, amount, currency, name, notes,
        category_id, merchant_id, valuation_kind, pending, source, external_id, created_at,
        updated_at, changed_at, excluded, is_split, parent_id, locked, has_origin)
    VALUES ({family}, {60}, {10}, 0, 19727, 100000, 'JPY', 'Souvenirs', 'two', {21}, {40},
            NULL, TRUE, 'bank', 'X1', 0, 0, 0, TRUE, TRUE, NULL, 3, TRUE),
        ({family}, {61}, {10}, 3, 19727, 60000, 'JPY', 'Magnet', 'red', {20}, {40},
            NULL, FALSE, NULL, NULL, 0, 0, NULL, TRUE, FALSE, {60}, 1, FALSE),
        ({family}, {62}, {10}, 3, 19727, 40000, 'JPY', 'Shirt', NULL, NULL, NULL,
            NULL, FALSE, NULL, NULL, 0, 0, NULL, FALSE, FALSE, {60}, 0, FALSE),
        ({family}, {63}, {10}, 1, 19753, 2500000, 'EUR', '', 'statement', NULL, NULL,
            'reconciliation', FALSE, NULL, NULL, 0, 0, NULL, FALSE, FALSE, NULL, 0, FALSE),
        ({family}, {64}, {10}, 2, 19754, 0, 'EUR', 'Two for one', 'halved', NULL, NULL,
            NULL, FALSE, 'api', 'T1', 1715940000000000, 0, NULL, FALSE, FALSE, NULL, 0, FALSE);
INSERT INTO entry_tags (family_id, entry_id, tag_id)
    VALUES ({family}, {60}, {30}), ({family}, {61}, {30});
INSERT INTO entry_origins (family_id, entry_id, account_id, date, amount, currency, name,
        external_id, deleted_at, source, kind)
    VALUES ({family}, {60}, {10}, 19726, 99900, 'JPY', 'SOUV 12', 'X0', NULL, 'bank', 0),
        ({family}, {66}, {10}, 19728, 30000, 'EUR', 'Typo', 'X2', 1715940000000000, 'bank', 0);
INSERT INTO entry_conversions (family_id, entry_id, account_id, date, from_currency,
        to_currency, rate, given, origin)
    VALUES ({family}, {60}, {10}, 19727, 'JPY', 'EUR', '0.0063', TRUE, 'null');
INSERT INTO trades (family_id, entry_id, security_id, trade_type, qty, price, fee, value, cost,
        split_to, split_from, counterpart_id, lots, date)
    VALUES ({family}, {64}, {50}, 'split', '0.0', '0', 10000, 0, 50000, 2, 1, {65},
        '[{"opened":null,"since":"2024-01-01","quantity":"4.0","cost":"9/2","source":"calculated"}]',
        19754);
INSERT INTO transfers (family_id, id, outflow_id, inflow_id, status, made_by, score, reasons,
        created_at, updated_at)
    VALUES ({family}, {70}, {60}, {65}, 'confirmed', 'person', 99, '["Equal amounts"]', 0, 0);
INSERT INTO rejected_transfers (family_id, id, outflow_id, inflow_id, created_at)
    VALUES ({family}, {71}, {60}, {67}, 0);
INSERT INTO budgets (family_id, id, start_date, end_date, currency, budgeted_spending,
        expected_income, created_at, updated_at)
    VALUES ({family}, {82}, 19783, 19813, 'EUR', 5000000, 10000000, 0, 0);
INSERT INTO budget_categories (family_id, id, budget_id, category_id, budgeted_spending,
        created_at, updated_at)
    VALUES ({family}, {83}, {82}, {20}, 400000, 0, 0);
INSERT INTO recurring_transactions (family_id, id, account_id, merchant_id, category_id, name,
        amount, currency, expected_day, last_occurrence_date, next_expected_date, status,
        occurrences_count, made_by, created_at, updated_at)
    VALUES ({family}, {81}, {10}, {40}, {20}, 'Rent', 7000000, 'EUR', 1, 19783, 19814,
        'active', 3, 'person', 0, 0);
INSERT INTO rules (family_id, id, name, active, effective_date, conditions, actions, position,
        created_at, updated_at)
    VALUES ({family}, {80}, 'Pubs', TRUE, 19723,
        '[{"condition_type":"transaction_category","operator":"=","value":"{21:text}"}]',
        '[{"action_type":"set_transaction_name","value":"Pub"}]', 3, 0, 0);
