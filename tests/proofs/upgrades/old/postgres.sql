SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
CREATE TABLE public.accounts (
    family_id bigint NOT NULL,
    id uuid NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    name_key text NOT NULL COLLATE pg_catalog."C",
    account_type text NOT NULL COLLATE pg_catalog."C",
    subtype text COLLATE pg_catalog."C",
    currency text NOT NULL COLLATE pg_catalog."C",
    status text NOT NULL COLLATE pg_catalog."C",
    opening_amount bigint NOT NULL,
    institution_name text COLLATE pg_catalog."C",
    institution_domain text COLLATE pg_catalog."C",
    transactions_count bigint NOT NULL,
    valuations_count bigint NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    owner_id uuid,
    cost_method text DEFAULT 'average'::text NOT NULL COLLATE pg_catalog."C",
    trades_count bigint DEFAULT 0 NOT NULL,
    backward boolean DEFAULT false NOT NULL,
    opening_derived bigint,
    notes text COLLATE pg_catalog."C"
);
CREATE TABLE public.api_key_accounts (
    family_id bigint NOT NULL,
    key_id uuid NOT NULL,
    account_id uuid NOT NULL
);
CREATE TABLE public.api_keys (
    family_id bigint NOT NULL,
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    scope text NOT NULL COLLATE pg_catalog."C",
    all_accounts boolean NOT NULL,
    expires_at bigint,
    revoked_at bigint,
    last_used_at bigint,
    created_at bigint NOT NULL
);
CREATE TABLE public.audit_events (
    family_id bigint NOT NULL,
    id uuid NOT NULL,
    at bigint NOT NULL,
    actor_kind text NOT NULL COLLATE pg_catalog."C",
    actor_id uuid,
    action text NOT NULL COLLATE pg_catalog."C",
    subject_kind text NOT NULL COLLATE pg_catalog."C",
    subject_id uuid,
    details text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.audit_images (
    family_id bigint NOT NULL,
    event_id uuid NOT NULL,
    block bigint NOT NULL,
    images text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.balances (
    family_id bigint NOT NULL,
    account_id uuid NOT NULL,
    date bigint NOT NULL,
    inflow bigint NOT NULL,
    outflow bigint NOT NULL,
    valued bigint,
    adjustment bigint NOT NULL,
    end_amount bigint NOT NULL,
    transactions_count bigint NOT NULL,
    bought bigint DEFAULT 0 NOT NULL,
    sold bigint DEFAULT 0 NOT NULL
);
CREATE TABLE public.budget_categories (
    family_id bigint NOT NULL,
    id uuid NOT NULL,
    budget_id uuid NOT NULL,
    category_id uuid NOT NULL,
    budgeted_spending bigint NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL
);
CREATE TABLE public.budgets (
    family_id bigint NOT NULL,
    id uuid NOT NULL,
    start_date bigint NOT NULL,
    end_date bigint NOT NULL,
    currency text NOT NULL COLLATE pg_catalog."C",
    budgeted_spending bigint,
    expected_income bigint,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL
);
CREATE TABLE public.categories (
    family_id bigint NOT NULL,
    id uuid NOT NULL,
    parent_id uuid,
    name text NOT NULL COLLATE pg_catalog."C",
    name_key text NOT NULL COLLATE pg_catalog."C",
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    color text COLLATE pg_catalog."C",
    icon text COLLATE pg_catalog."C"
);
CREATE TABLE public.connection_accounts (
    family_id bigint NOT NULL,
    connection_id uuid NOT NULL,
    external_id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    account_id uuid,
    created_at bigint NOT NULL
);
CREATE TABLE public.connections (
    family_id bigint NOT NULL,
    id uuid NOT NULL,
    provider text NOT NULL COLLATE pg_catalog."C",
    provider_type text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    status text NOT NULL COLLATE pg_catalog."C",
    credentials bytea,
    scheduled_for_deletion boolean NOT NULL,
    institution_name text COLLATE pg_catalog."C",
    institution_domain text COLLATE pg_catalog."C",
    institution_url text COLLATE pg_catalog."C",
    consent_expires_at bigint,
    next_attempt_at bigint,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL
);
CREATE TABLE public.entries (
    family_id bigint NOT NULL,
    id uuid NOT NULL,
    account_id uuid NOT NULL,
    kind bigint NOT NULL,
    date bigint NOT NULL,
    amount bigint NOT NULL,
    currency text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    notes text COLLATE pg_catalog."C",
    category_id uuid,
    merchant_id uuid,
    valuation_kind text COLLATE pg_catalog."C",
    pending boolean NOT NULL,
    source text COLLATE pg_catalog."C",
    external_id text COLLATE pg_catalog."C",
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    changed_at bigint,
    booked bigint,
    excluded boolean DEFAULT false NOT NULL,
    is_split boolean DEFAULT false NOT NULL,
    parent_id uuid,
    locked bigint DEFAULT 0 NOT NULL,
    has_origin boolean DEFAULT false NOT NULL
);
CREATE TABLE public.entry_conversions (
    family_id bigint NOT NULL,
    entry_id uuid NOT NULL,
    account_id uuid NOT NULL,
    date bigint NOT NULL,
    from_currency text NOT NULL COLLATE pg_catalog."C",
    to_currency text NOT NULL COLLATE pg_catalog."C",
    rate text COLLATE pg_catalog."C",
    given boolean NOT NULL,
    origin text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.entry_origins (
    family_id bigint NOT NULL,
    entry_id uuid NOT NULL,
    account_id uuid NOT NULL,
    date bigint NOT NULL,
    amount bigint NOT NULL,
    currency text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    external_id text COLLATE pg_catalog."C",
    deleted_at bigint,
    source text COLLATE pg_catalog."C",
    kind bigint DEFAULT 0 NOT NULL
);
CREATE TABLE public.entry_tags (
    family_id bigint NOT NULL,
    entry_id uuid NOT NULL,
    tag_id uuid NOT NULL
);
CREATE TABLE public.families (
    id bigint NOT NULL,
    public_id uuid NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    currency text NOT NULL COLLATE pg_catalog."C",
    time_zone text NOT NULL COLLATE pg_catalog."C",
    version bigint NOT NULL,
    created_at bigint NOT NULL,
    transfer_matching text DEFAULT 'automatic'::text NOT NULL COLLATE pg_catalog."C",
    updated_at bigint,
    month_start_day bigint DEFAULT 1 NOT NULL,
    locale text DEFAULT 'en'::text NOT NULL COLLATE pg_catalog."C",
    date_format text DEFAULT '%Y-%m-%d'::text NOT NULL COLLATE pg_catalog."C",
    country text COLLATE pg_catalog."C",
    deletion_at bigint
);
CREATE TABLE public.family_rates (
    family_id bigint NOT NULL,
    id uuid NOT NULL,
    base text NOT NULL COLLATE pg_catalog."C",
    quote text NOT NULL COLLATE pg_catalog."C",
    date bigint NOT NULL,
    rate text NOT NULL COLLATE pg_catalog."C",
    source text NOT NULL COLLATE pg_catalog."C",
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL
);
CREATE TABLE public.feed_rates (
    base text NOT NULL COLLATE pg_catalog."C",
    quote text NOT NULL COLLATE pg_catalog."C",
    date bigint NOT NULL,
    rate text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.feeds (
    name text NOT NULL COLLATE pg_catalog."C",
    asked_at bigint NOT NULL,
    succeeded_at bigint,
    error text COLLATE pg_catalog."C"
);
CREATE TABLE public.files (
    family_id bigint NOT NULL,
    id uuid NOT NULL,
    name text COLLATE pg_catalog."C",
    bytes bigint NOT NULL,
    sha256 bytea NOT NULL,
    created_at bigint NOT NULL
);
CREATE TABLE public.hidden_entries (
    family_id bigint NOT NULL,
    import_id uuid NOT NULL,
    action text NOT NULL COLLATE pg_catalog."C",
    first_id uuid NOT NULL,
    last_id uuid NOT NULL
);
CREATE TABLE public.holdings (
    family_id bigint NOT NULL,
    id uuid NOT NULL,
    account_id uuid NOT NULL,
    security_id uuid NOT NULL,
    cost_total bigint,
    cost_qty text COLLATE pg_catalog."C",
    cost_date bigint,
    cost_said_at bigint,
    cost_locked boolean NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL
);
CREATE TABLE public.idempotency_keys (
    family_id bigint NOT NULL,
    route text NOT NULL COLLATE pg_catalog."C",
    idempotency_key text NOT NULL COLLATE pg_catalog."C",
    fingerprint bytea NOT NULL,
    claim uuid NOT NULL,
    claimed_until bigint NOT NULL,
    subject_id uuid,
    status bigint,
    body text COLLATE pg_catalog."C",
    created_at bigint NOT NULL
);
CREATE TABLE public.import_changes (
    family_id bigint NOT NULL,
    import_id uuid NOT NULL,
    kind text NOT NULL COLLATE pg_catalog."C",
    target_id uuid NOT NULL,
    before_image text NOT NULL COLLATE pg_catalog."C",
    after_image text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.import_created (
    family_id bigint NOT NULL,
    import_id uuid NOT NULL,
    kind text NOT NULL COLLATE pg_catalog."C",
    target_id uuid NOT NULL
);
CREATE TABLE public.import_fills (
    family_id bigint NOT NULL,
    import_id uuid NOT NULL,
    entry_id uuid NOT NULL,
    filled text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.import_mappings (
    family_id bigint NOT NULL,
    import_id uuid NOT NULL,
    kind text NOT NULL COLLATE pg_catalog."C",
    value text NOT NULL COLLATE pg_catalog."C",
    value_key text NOT NULL COLLATE pg_catalog."C",
    target_id uuid,
    creates boolean NOT NULL,
    currency text COLLATE pg_catalog."C",
    problem text COLLATE pg_catalog."C",
    rows_count bigint NOT NULL,
    chosen boolean DEFAULT false NOT NULL,
    new_name text COLLATE pg_catalog."C",
    per_currency boolean DEFAULT false NOT NULL
);
CREATE TABLE public.import_offsets (
    family_id bigint NOT NULL,
    import_id uuid NOT NULL,
    records_file_id uuid,
    offsets bytea NOT NULL
);
CREATE TABLE public.import_plan_blocks (
    family_id bigint NOT NULL,
    import_id uuid NOT NULL,
    block bigint NOT NULL,
    verdicts bytea NOT NULL,
    matches bytea NOT NULL
);
CREATE TABLE public.import_row_edits (
    family_id bigint NOT NULL,
    import_id uuid NOT NULL,
    row_number bigint NOT NULL,
    cells text NOT NULL COLLATE pg_catalog."C",
    choice text NOT NULL COLLATE pg_catalog."C",
    updated_at bigint NOT NULL
);
CREATE TABLE public.import_templates (
    family_id bigint NOT NULL,
    id uuid NOT NULL,
    import_type text NOT NULL COLLATE pg_catalog."C",
    header_key bytea NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    settings text NOT NULL COLLATE pg_catalog."C",
    found text NOT NULL COLLATE pg_catalog."C",
    choices text NOT NULL COLLATE pg_catalog."C",
    account_id uuid,
    used_at bigint NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL
);
CREATE TABLE public.imports (
    family_id bigint NOT NULL,
    id uuid NOT NULL,
    import_type text NOT NULL COLLATE pg_catalog."C",
    status text NOT NULL COLLATE pg_catalog."C",
    account_id uuid,
    file_id uuid,
    settings text NOT NULL COLLATE pg_catalog."C",
    layout text COLLATE pg_catalog."C",
    readable boolean NOT NULL,
    as_of bigint NOT NULL,
    rows_count bigint NOT NULL,
    valid_rows_count bigint NOT NULL,
    invalid_rows_count bigint NOT NULL,
    mappings_count bigint NOT NULL,
    unassigned_mappings_count bigint NOT NULL,
    findings text NOT NULL COLLATE pg_catalog."C",
    publish_wanted boolean NOT NULL,
    skip_invalid boolean NOT NULL,
    upload_fingerprint bytea,
    publish_failed_at bigint,
    error text COLLATE pg_catalog."C",
    first_entry_id uuid,
    last_entry_id uuid,
    created_count bigint NOT NULL,
    completed_at bigint,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    plan text COLLATE pg_catalog."C",
    plan_version bigint,
    left_out_count bigint DEFAULT 0 NOT NULL,
    template_id uuid,
    rows_done bigint DEFAULT 0 NOT NULL,
    gone_count bigint DEFAULT 0 NOT NULL
);
CREATE TABLE public.installation (
    id uuid NOT NULL,
    removed_family bigint DEFAULT 0 NOT NULL
);
CREATE TABLE public.jobs (
    id uuid NOT NULL,
    family_id bigint NOT NULL,
    kind text NOT NULL COLLATE pg_catalog."C",
    payload text NOT NULL COLLATE pg_catalog."C",
    dedupe_key text COLLATE pg_catalog."C",
    state text NOT NULL COLLATE pg_catalog."C",
    run_at bigint NOT NULL,
    attempts bigint NOT NULL,
    attempts_max bigint NOT NULL,
    lease_token bigint NOT NULL,
    lease_owner text COLLATE pg_catalog."C",
    lease_until bigint,
    last_error text COLLATE pg_catalog."C",
    created_at bigint NOT NULL,
    deaths bigint DEFAULT 0 NOT NULL
);
CREATE TABLE public.key_hashes (
    hash bytea NOT NULL,
    family_id bigint NOT NULL,
    key_id uuid NOT NULL
);
CREATE VIEW public.ledger_accounts AS
 SELECT accounts.family_id,
    accounts.id,
    accounts.name,
    accounts.name_key,
    accounts.account_type,
    accounts.subtype,
    accounts.currency,
    accounts.status,
    accounts.opening_amount,
    accounts.institution_name,
    accounts.institution_domain,
    accounts.transactions_count,
    accounts.valuations_count,
    accounts.created_at,
    accounts.updated_at,
    accounts.owner_id,
    accounts.cost_method,
    accounts.trades_count,
    accounts.backward,
    accounts.opening_derived,
    accounts.notes
   FROM public.accounts
  WHERE (NOT (EXISTS ( SELECT 1
           FROM (public.hidden_entries hidden
             JOIN public.import_created made ON (((made.family_id = hidden.family_id) AND (made.import_id = hidden.import_id))))
          WHERE ((hidden.family_id = accounts.family_id) AND (hidden.action = 'publish'::text) AND (made.kind = 'account'::text) AND (made.target_id = accounts.id)))));
CREATE VIEW public.ledger_categories AS
 SELECT categories.family_id,
    categories.id,
    categories.parent_id,
    categories.name,
    categories.name_key,
    categories.created_at,
    categories.updated_at,
    categories.color,
    categories.icon
   FROM public.categories
  WHERE (NOT (EXISTS ( SELECT 1
           FROM (public.hidden_entries hidden
             JOIN public.import_created made ON (((made.family_id = hidden.family_id) AND (made.import_id = hidden.import_id))))
          WHERE ((hidden.family_id = categories.family_id) AND (hidden.action = 'publish'::text) AND (made.kind = 'category'::text) AND (made.target_id = categories.id)))));
CREATE VIEW public.ledger_entries AS
 SELECT entries.family_id,
    entries.id,
    entries.account_id,
    entries.kind,
    entries.date,
    entries.amount,
    entries.currency,
    entries.name,
    entries.notes,
    entries.category_id,
    entries.merchant_id,
    entries.valuation_kind,
    entries.pending,
    entries.source,
    entries.external_id,
    entries.created_at,
    entries.updated_at,
    entries.changed_at,
    entries.booked,
    entries.excluded,
    entries.is_split,
    entries.parent_id,
    entries.locked,
    entries.has_origin
   FROM public.entries
  WHERE true;
CREATE TABLE public.tags (
    family_id bigint NOT NULL,
    id uuid NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    name_key text NOT NULL COLLATE pg_catalog."C",
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    color text COLLATE pg_catalog."C"
);
CREATE VIEW public.ledger_tags AS
 SELECT tags.family_id,
    tags.id,
    tags.name,
    tags.name_key,
    tags.created_at,
    tags.updated_at,
    tags.color
   FROM public.tags
  WHERE (NOT (EXISTS ( SELECT 1
           FROM (public.hidden_entries hidden
             JOIN public.import_created made ON (((made.family_id = hidden.family_id) AND (made.import_id = hidden.import_id))))
          WHERE ((hidden.family_id = tags.family_id) AND (hidden.action = 'publish'::text) AND (made.kind = 'tag'::text) AND (made.target_id = tags.id)))));
CREATE TABLE public.merchants (
    family_id bigint NOT NULL,
    id uuid NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    name_key text NOT NULL COLLATE pg_catalog."C",
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    color text COLLATE pg_catalog."C",
    website text COLLATE pg_catalog."C"
);
CREATE TABLE public.position_segments (
    family_id bigint NOT NULL,
    account_id uuid NOT NULL,
    security_id uuid NOT NULL,
    date bigint NOT NULL,
    qty text NOT NULL COLLATE pg_catalog."C",
    cost text COLLATE pg_catalog."C",
    cost_source text COLLATE pg_catalog."C"
);
CREATE TABLE public.position_statements (
    family_id bigint NOT NULL,
    account_id uuid NOT NULL,
    security_id uuid NOT NULL,
    date bigint NOT NULL,
    qty text NOT NULL COLLATE pg_catalog."C",
    price text COLLATE pg_catalog."C",
    currency text NOT NULL COLLATE pg_catalog."C",
    cost_total bigint,
    cost_qty text COLLATE pg_catalog."C"
);
CREATE TABLE public.recurring_transactions (
    family_id bigint NOT NULL,
    id uuid NOT NULL,
    account_id uuid,
    merchant_id uuid,
    category_id uuid,
    name text NOT NULL COLLATE pg_catalog."C",
    amount bigint NOT NULL,
    currency text NOT NULL COLLATE pg_catalog."C",
    expected_day bigint NOT NULL,
    last_occurrence_date bigint NOT NULL,
    next_expected_date bigint NOT NULL,
    status text NOT NULL COLLATE pg_catalog."C",
    occurrences_count bigint NOT NULL,
    made_by text NOT NULL COLLATE pg_catalog."C",
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL
);
CREATE TABLE public.rejected_transfers (
    family_id bigint NOT NULL,
    id uuid NOT NULL,
    outflow_id uuid NOT NULL,
    inflow_id uuid NOT NULL,
    created_at bigint NOT NULL
);
CREATE TABLE public.rule_runs (
    family_id bigint NOT NULL,
    id uuid NOT NULL,
    rule_id uuid NOT NULL,
    rule_name text COLLATE pg_catalog."C",
    execution_type text NOT NULL COLLATE pg_catalog."C",
    import_id uuid,
    status text NOT NULL COLLATE pg_catalog."C",
    matched_count bigint NOT NULL,
    changed_count bigint NOT NULL,
    error text COLLATE pg_catalog."C",
    last_entry_id uuid,
    executed_at bigint NOT NULL,
    finished_at bigint
);
CREATE TABLE public.rules (
    family_id bigint NOT NULL,
    id uuid NOT NULL,
    name text COLLATE pg_catalog."C",
    active boolean NOT NULL,
    effective_date bigint,
    conditions text NOT NULL COLLATE pg_catalog."C",
    actions text NOT NULL COLLATE pg_catalog."C",
    "position" bigint NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL
);
CREATE TABLE public.schema_version (
    version bigint NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    applied_at bigint NOT NULL
);
CREATE TABLE public.securities (
    family_id bigint NOT NULL,
    id uuid NOT NULL,
    ticker text NOT NULL COLLATE pg_catalog."C",
    exchange_operating_mic text NOT NULL COLLATE pg_catalog."C",
    name text COLLATE pg_catalog."C",
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    kind text DEFAULT 'standard'::text NOT NULL COLLATE pg_catalog."C",
    isin text COLLATE pg_catalog."C",
    country_code text COLLATE pg_catalog."C",
    currency text COLLATE pg_catalog."C",
    offline boolean DEFAULT false NOT NULL,
    feed_symbol text COLLATE pg_catalog."C",
    feed_at bigint,
    feed_error text COLLATE pg_catalog."C"
);
CREATE TABLE public.security_prices (
    family_id bigint NOT NULL,
    id uuid NOT NULL,
    security_id uuid NOT NULL,
    date bigint NOT NULL,
    currency text NOT NULL COLLATE pg_catalog."C",
    price text NOT NULL COLLATE pg_catalog."C",
    source text NOT NULL COLLATE pg_catalog."C",
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL
);
CREATE TABLE public.sessions (
    hash bytea NOT NULL,
    family_id bigint NOT NULL,
    user_id uuid NOT NULL,
    form_token text NOT NULL COLLATE pg_catalog."C",
    created_at bigint NOT NULL,
    last_used_at bigint NOT NULL,
    expires_at bigint NOT NULL
);
CREATE TABLE public.sign_in_guesses (
    slot bigint NOT NULL,
    full_at bigint NOT NULL
);
CREATE TABLE public.sign_in_names (
    email text NOT NULL COLLATE pg_catalog."C",
    family_id bigint NOT NULL,
    user_id uuid NOT NULL
);
CREATE TABLE public.sign_in_sources (
    hash bytea NOT NULL,
    wrong bigint NOT NULL,
    guessed_at bigint NOT NULL,
    used_at bigint NOT NULL
);
CREATE TABLE public.syncs (
    family_id bigint NOT NULL,
    id uuid NOT NULL,
    connection_id uuid,
    actor_kind text NOT NULL COLLATE pg_catalog."C",
    actor_id uuid,
    status text NOT NULL COLLATE pg_catalog."C",
    accounts_synced bigint NOT NULL,
    accounts_failed bigint NOT NULL,
    error_code text COLLATE pg_catalog."C",
    created_at bigint NOT NULL,
    syncing_at bigint,
    completed_at bigint,
    failed_at bigint
);
CREATE TABLE public.trades (
    family_id bigint NOT NULL,
    entry_id uuid NOT NULL,
    security_id uuid NOT NULL,
    trade_type text NOT NULL COLLATE pg_catalog."C",
    qty text NOT NULL COLLATE pg_catalog."C",
    price text NOT NULL COLLATE pg_catalog."C",
    fee bigint NOT NULL,
    value bigint NOT NULL,
    cost bigint,
    split_to bigint,
    split_from bigint,
    counterpart_id uuid,
    lots text COLLATE pg_catalog."C"
);
CREATE TABLE public.transfers (
    family_id bigint NOT NULL,
    id uuid NOT NULL,
    outflow_id uuid NOT NULL,
    inflow_id uuid NOT NULL,
    status text NOT NULL COLLATE pg_catalog."C",
    made_by text NOT NULL COLLATE pg_catalog."C",
    score bigint NOT NULL,
    reasons text NOT NULL COLLATE pg_catalog."C",
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL
);
CREATE TABLE public.users (
    family_id bigint NOT NULL,
    id uuid NOT NULL,
    email text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    role text NOT NULL COLLATE pg_catalog."C",
    password_hash text NOT NULL COLLATE pg_catalog."C",
    deactivated_at bigint,
    created_at bigint NOT NULL,
    deletion_at bigint
);
INSERT INTO public.accounts VALUES (1, '01a22347-9f8a-72f2-b5fe-fd6d43847ecc', 'Depot', 'depot', 'investment', NULL, 'EUR', 'active', 0, NULL, NULL, 0, 0, 1795888226186127, 1795888228106039, NULL, 'average', 2, false, NULL, NULL);
INSERT INTO public.accounts VALUES (1, '01a22347-9f82-73f5-9662-2fbe574d44ea', 'Card', 'card', 'credit_card', NULL, 'USD', 'active', 0, NULL, NULL, 1, 0, 1795888226178175, 1795888228170763, NULL, 'average', 0, false, NULL, NULL);
INSERT INTO public.accounts VALUES (1, '01a22347-9f79-7110-a8ed-fa3a1a2f478a', 'Savings', 'savings', 'depository', NULL, 'EUR', 'active', 0, NULL, NULL, 2, 1, 1795888226169505, 1795888228212424, NULL, 'average', 0, false, NULL, NULL);
INSERT INTO public.accounts VALUES (1, '01a22347-9f5a-771f-b056-0e501a24e4e3', 'Giro', 'giro', 'depository', NULL, 'EUR', 'active', 0, NULL, NULL, 41, 1, 1795888226138024, 1795888228275581, NULL, 'average', 0, false, NULL, NULL);
INSERT INTO public.accounts VALUES (2, '01a22347-b103-7508-9628-680ff41d1d13', 'Depot', 'depot', 'investment', NULL, 'USD', 'active', 0, NULL, NULL, 0, 0, 1795888230659083, 1795888231307591, NULL, 'average', 2, false, NULL, NULL);
INSERT INTO public.accounts VALUES (2, '01a22347-b0f8-751d-80dc-ac56724969cc', 'Card', 'card', 'credit_card', NULL, 'USD', 'active', 0, NULL, NULL, 1, 0, 1795888230648755, 1795888231332894, NULL, 'average', 0, false, NULL, NULL);
INSERT INTO public.accounts VALUES (2, '01a22347-b0f1-73c3-b744-4caa8c98ac98', 'Savings', 'savings', 'depository', NULL, 'USD', 'active', 0, NULL, NULL, 2, 1, 1795888230641917, 1795888231346375, NULL, 'average', 0, false, NULL, NULL);
INSERT INTO public.accounts VALUES (2, '01a22347-b0eb-760a-b738-dee7af41ef78', 'Giro', 'giro', 'depository', NULL, 'USD', 'active', 0, NULL, NULL, 41, 1, 1795888230635106, 1795888231390813, NULL, 'average', 0, false, NULL, NULL);
INSERT INTO public.api_keys VALUES (1, '01a22347-9f44-7109-aef3-51d22e6fc93f', '01a22347-9ec8-77f1-9753-a6698a3d70b2', 'test', 'read_write', true, NULL, NULL, 1795888230283250, 1795888226116897);
INSERT INTO public.api_keys VALUES (2, '01a22347-b0da-74ce-89ac-5a0fbfbb8cdc', '01a22347-b0bc-74a2-a8b8-167e7b91d1e0', 'test', 'read_write', true, NULL, NULL, 1795888233408887, 1795888230618115);
INSERT INTO public.audit_events VALUES (1, '01a22347-9ec8-77f1-9753-a6698a3d70b3', 1795888225992709, 'cli', NULL, 'user.create', 'user', '01a22347-9ec8-77f1-9753-a6698a3d70b2', '{}');
INSERT INTO public.audit_events VALUES (1, '01a22347-9f44-7109-aef3-51d22e6fc940', 1795888226116897, 'cli', NULL, 'key.create', 'key', '01a22347-9f44-7109-aef3-51d22e6fc93f', '{}');
INSERT INTO public.audit_events VALUES (1, '01a22347-9f5a-771f-b056-0e501a24e4e4', 1795888226138024, 'key', '01a22347-9f44-7109-aef3-51d22e6fc93f', 'account.create', 'account', '01a22347-9f5a-771f-b056-0e501a24e4e3', '{"after":{"account_type":"depository","cost_method":"average","currency":"EUR","current_amount":null,"institution_domain":null,"institution_name":null,"name":"Giro","notes":null,"opening":{"amount":1000000,"date":"2023-12-31"},"owner":null,"subtype":null},"changes":[{"after":{"amount":1000000,"date":"2023-12-31","notes":null},"entry":"01a22347-9f5a-771f-b056-0e501a24e4e1"}],"entries":{"first":"01a22347-9f5a-771f-b056-0e501a24e4e1","last":"01a22347-9f5a-771f-b056-0e501a24e4e1"}}');
INSERT INTO public.audit_events VALUES (1, '01a22347-9f79-7110-a8ed-fa3a1a2f478b', 1795888226169505, 'key', '01a22347-9f44-7109-aef3-51d22e6fc93f', 'account.create', 'account', '01a22347-9f79-7110-a8ed-fa3a1a2f478a', '{"after":{"account_type":"depository","cost_method":"average","currency":"EUR","current_amount":null,"institution_domain":null,"institution_name":null,"name":"Savings","notes":null,"opening":{"amount":0,"date":null},"owner":null,"subtype":null}}');
INSERT INTO public.audit_events VALUES (1, '01a22347-9f82-73f5-9662-2fbe574d44eb', 1795888226178175, 'key', '01a22347-9f44-7109-aef3-51d22e6fc93f', 'account.create', 'account', '01a22347-9f82-73f5-9662-2fbe574d44ea', '{"after":{"account_type":"credit_card","cost_method":"average","currency":"USD","current_amount":null,"institution_domain":null,"institution_name":null,"name":"Card","notes":null,"opening":{"amount":0,"date":null},"owner":null,"subtype":null}}');
INSERT INTO public.audit_events VALUES (1, '01a22347-9f8a-72f2-b5fe-fd6d43847ecd', 1795888226186127, 'key', '01a22347-9f44-7109-aef3-51d22e6fc93f', 'account.create', 'account', '01a22347-9f8a-72f2-b5fe-fd6d43847ecc', '{"after":{"account_type":"investment","cost_method":"average","currency":"EUR","current_amount":null,"institution_domain":null,"institution_name":null,"name":"Depot","notes":null,"opening":{"amount":0,"date":null},"owner":null,"subtype":null}}');
INSERT INTO public.audit_events VALUES (1, '01a22347-9f93-71cb-8d82-8622c9f73d37', 1795888226195377, 'key', '01a22347-9f44-7109-aef3-51d22e6fc93f', 'exchange_rate.set', 'exchange_rate', '01a22347-9f93-71cb-8d82-8622c9f73d36', '{"after":{"base":"USD","date":"2024-01-01","quote":"EUR","rate":"0.9","source":"manual"}}');
INSERT INTO public.audit_events VALUES (1, '01a22347-9fb9-72f5-bcd8-cc0da68e9af2', 1795888226233798, 'key', '01a22347-9f44-7109-aef3-51d22e6fc93f', 'category.create', 'category', '01a22347-9fb9-72f5-bcd8-cc0da68e9af1', '{"after":{"color":"#336699","icon":null,"name":"Food","parent_id":null}}');
INSERT INTO public.audit_events VALUES (1, '01a22347-9fc9-7430-bb1e-a3acb18cf842', 1795888226249705, 'key', '01a22347-9f44-7109-aef3-51d22e6fc93f', 'category.create', 'category', '01a22347-9fc9-7430-bb1e-a3acb18cf841', '{"after":{"color":null,"icon":null,"name":"Eating out","parent_id":"01a22347-9fb9-72f5-bcd8-cc0da68e9af1"}}');
INSERT INTO public.audit_events VALUES (1, '01a22347-9fd4-739b-99be-604b0d4889a7', 1795888226260110, 'key', '01a22347-9f44-7109-aef3-51d22e6fc93f', 'tag.create', 'tag', '01a22347-9fd4-739b-99be-604b0d4889a6', '{"after":{"color":null,"name":"Trip"}}');
INSERT INTO public.audit_events VALUES (1, '01a22347-9fe5-77ff-9f58-26161bfbb30c', 1795888226277250, 'key', '01a22347-9f44-7109-aef3-51d22e6fc93f', 'tag.create', 'tag', '01a22347-9fe5-77ff-9f58-26161bfbb30b', '{"after":{"color":null,"name":"Trip2"}}');
INSERT INTO public.audit_events VALUES (1, '01a22347-9fee-7113-ae8b-8caabc13b0ad', 1795888226286482, 'key', '01a22347-9f44-7109-aef3-51d22e6fc93f', 'merchant.create', 'merchant', '01a22347-9fee-7113-ae8b-8caabc13b0ac', '{"after":{"color":"#112233","name":"Kiosk","website":null}}');
INSERT INTO public.audit_events VALUES (1, '01a22347-9ffd-7722-9ce8-f8f639161d41', 1795888226301416, 'key', '01a22347-9f44-7109-aef3-51d22e6fc93f', 'rule.create', 'rule', '01a22347-9ffd-7722-9ce8-f8f639161d40', '{"after":{"actions":[{"action_type":"set_transaction_category","value":"01a22347-9fb9-72f5-bcd8-cc0da68e9af1"}],"active":true,"conditions":[{"condition_type":"transaction_name","operator":"like","sub_conditions":[],"value":"Kiosk"}],"effective_date":null,"name":"Kiosks","position":1}}');
INSERT INTO public.audit_events VALUES (1, '01a22347-a0af-72a8-8ede-0e87eeeb8b27', 1795888226479503, 'key', '01a22347-9f44-7109-aef3-51d22e6fc93f', 'import.upload', 'import', '01a22347-a0af-72a8-8ede-0e87eeeb8b26', '{"rows":40}');
INSERT INTO public.audit_events VALUES (1, '01a22347-a0e7-75db-a591-fa96b843a7a2', 1795888226535019, 'import', '01a22347-a0af-72a8-8ede-0e87eeeb8b26', 'import.publish', 'import', '01a22347-a0af-72a8-8ede-0e87eeeb8b26', '{"entries":{"first":"01a22347-a0e7-75db-a591-fa96b843a77a","last":"01a22347-a0e7-75db-a591-fa96b843a7a1"},"plan":{"change":0,"create":40,"deleted_before":0,"invalid":0,"left_out":0,"matched_by_content":0,"matched_by_id":0,"matched_by_name":0,"needs_choice":0,"possible_duplicate":0,"repeats":0},"rows":40}');
INSERT INTO public.audit_events VALUES (1, '01a22347-a14b-7087-92fc-32ab005e50c3', 1795888226635345, 'key', '01a22347-9f44-7109-aef3-51d22e6fc93f', 'import.upload', 'import', '01a22347-a14b-7087-92fc-32ab005e50c2', '{"rows":2}');
INSERT INTO public.audit_events VALUES (1, '01a22347-a177-7562-9024-e4cf3c0a4838', 1795888226679584, 'import', '01a22347-a14b-7087-92fc-32ab005e50c2', 'import.publish', 'import', '01a22347-a14b-7087-92fc-32ab005e50c2', '{"entries":{"first":"01a22347-a177-7562-9024-e4cf3c0a4836","last":"01a22347-a177-7562-9024-e4cf3c0a4837"},"plan":{"change":0,"create":2,"deleted_before":0,"invalid":0,"left_out":0,"matched_by_content":0,"matched_by_id":0,"matched_by_name":0,"needs_choice":0,"possible_duplicate":0,"repeats":0},"rows":2}');
INSERT INTO public.audit_events VALUES (1, '01a22347-a1a8-7375-b263-f88870782aad', 1795888226728318, 'key', '01a22347-9f44-7109-aef3-51d22e6fc93f', 'import.upload', 'import', '01a22347-a1a8-7375-b263-f88870782aac', '{"rows":1}');
INSERT INTO public.audit_events VALUES (1, '01a22347-a1c2-70c3-8f91-535bf5b34944', 1795888226754722, 'import', '01a22347-a1a8-7375-b263-f88870782aac', 'import.publish', 'import', '01a22347-a1a8-7375-b263-f88870782aac', '{"entries":{"first":"01a22347-a1c2-70c3-8f91-535bf5b34943","last":"01a22347-a1c2-70c3-8f91-535bf5b34943"},"plan":{"change":0,"create":1,"deleted_before":0,"invalid":0,"left_out":0,"matched_by_content":0,"matched_by_id":0,"matched_by_name":0,"needs_choice":0,"possible_duplicate":0,"repeats":0},"rows":1}');
INSERT INTO public.audit_events VALUES (1, '01a22347-a1f0-753e-9b33-171d46da6974', 1795888226800776, 'system', NULL, 'transfers.match', 'transfer', NULL, '{"confirmed":1,"proposed":0,"withdrawn":0}');
INSERT INTO public.audit_events VALUES (1, '01a22347-a234-702c-844a-16fd47afb826', 1795888226868223, 'key', '01a22347-9f44-7109-aef3-51d22e6fc93f', 'import.upload', 'import', '01a22347-a234-702c-844a-16fd47afb825', '{"rows":2}');
INSERT INTO public.audit_events VALUES (1, '01a22347-a26c-76c4-8e4e-29d84ef2b65b', 1795888226924016, 'import', '01a22347-a234-702c-844a-16fd47afb825', 'import.publish', 'import', '01a22347-a234-702c-844a-16fd47afb825', '{"entries":{"first":"01a22347-a26c-76c4-8e4e-29d84ef2b659","last":"01a22347-a26c-76c4-8e4e-29d84ef2b65a"},"plan":{"change":0,"create":2,"deleted_before":0,"invalid":0,"left_out":0,"matched_by_content":0,"matched_by_id":0,"matched_by_name":0,"needs_choice":0,"possible_duplicate":0,"repeats":0},"rows":2}');
INSERT INTO public.audit_events VALUES (1, '01a22347-a340-755b-9a04-0b98362e578d', 1795888227136223, 'key', '01a22347-9f44-7109-aef3-51d22e6fc93f', 'transaction.revise', 'transaction', '01a22347-a26c-76c4-8e4e-29d84ef2b65a', '{"changes":[{"after":{"account":"01a22347-9f5a-771f-b056-0e501a24e4e3","amount":80000,"category":null,"date":"2024-05-06","excluded":false,"locked":["notes"],"merchant":null,"name":"Kept one","notes":"mine"},"before":{"account":"01a22347-9f5a-771f-b056-0e501a24e4e3","amount":80000,"category":null,"currency":"EUR","date":"2024-05-06","excluded":false,"external_id":null,"locked":[],"merchant":null,"name":"Kept one","notes":null,"tags":[]},"entry":"01a22347-a26c-76c4-8e4e-29d84ef2b65a"}]}');
INSERT INTO public.audit_events VALUES (1, '01a22347-a3ac-719a-9dac-d37996bd88ba', 1795888227244947, 'key', '01a22347-9f44-7109-aef3-51d22e6fc93f', 'import.revert_wish', 'import', '01a22347-a234-702c-844a-16fd47afb825', '{}');
INSERT INTO public.audit_events VALUES (1, '01a22347-a3f2-711f-b56b-4cf2fa5c9f9d', 1795888227304420, 'import', '01a22347-a234-702c-844a-16fd47afb825', 'import.revert', 'import', '01a22347-a234-702c-844a-16fd47afb825', '{"changes_kept":0,"changes_taken_back":0,"fills_kept":0,"fills_taken_back":0,"kept":1,"removed":1,"removed_entries":{"first":"01a22347-a26c-76c4-8e4e-29d84ef2b659","last":"01a22347-a26c-76c4-8e4e-29d84ef2b65a"},"row_choices_reset":0}');
INSERT INTO public.audit_events VALUES (1, '01a22347-a52d-73c2-baa3-554deebb0b8c', 1795888227629898, 'key', '01a22347-9f44-7109-aef3-51d22e6fc93f', 'import.upload', 'import', '01a22347-a52d-73c2-baa3-554deebb0b8b', '{"rows":1}');
INSERT INTO public.audit_events VALUES (1, '01a22347-a568-72aa-b464-03875115fb8c', 1795888227688297, 'key', '01a22347-9f44-7109-aef3-51d22e6fc93f', 'trade.create', 'trade', '01a22347-a568-72aa-b464-03875115fb88', '{"changes":[{"account":"01a22347-9f8a-72f2-b5fe-fd6d43847ecc","after":{"amount":1500000,"booked":1500000,"cost":null,"currency":"EUR","date":"2024-01-02","fee":0,"name":"","notes":null,"price":"15.0","qty":"10.0","security":"01a22347-a568-72aa-b464-03875115fb8a","split_from":null,"split_to":null,"type":"buy"},"entry":"01a22347-a568-72aa-b464-03875115fb88"},{"after":{"country_code":null,"currency":null,"exchange_operating_mic":"","feed_symbol":null,"isin":null,"kind":"standard","name":null,"offline":false,"ticker":"ACME"},"security":"01a22347-a568-72aa-b464-03875115fb8a"}],"entries":{"first":"01a22347-a568-72aa-b464-03875115fb88","last":"01a22347-a568-72aa-b464-03875115fb88"}}');
INSERT INTO public.audit_events VALUES (1, '01a22347-a70a-73d8-bf70-055d25958279', 1795888228106039, 'key', '01a22347-9f44-7109-aef3-51d22e6fc93f', 'trade.create', 'trade', '01a22347-a70a-73d8-bf70-055d25958277', '{"changes":[{"account":"01a22347-9f8a-72f2-b5fe-fd6d43847ecc","after":{"amount":-800000,"booked":-800000,"cost":null,"currency":"EUR","date":"2024-02-02","fee":0,"name":"","notes":null,"price":"20.0","qty":"-4.0","security":"01a22347-a568-72aa-b464-03875115fb8a","split_from":null,"split_to":null,"type":"sell"},"entry":"01a22347-a70a-73d8-bf70-055d25958277"}],"entries":{"first":"01a22347-a70a-73d8-bf70-055d25958277","last":"01a22347-a70a-73d8-bf70-055d25958277"}}');
INSERT INTO public.audit_events VALUES (1, '01a22347-a74a-7661-acd5-abc1800a9d2e', 1795888228170763, 'key', '01a22347-9f44-7109-aef3-51d22e6fc93f', 'transaction.create', 'transaction', '01a22347-a74a-7661-acd5-abc1800a9d2d', '{"after":{"account":"01a22347-9f82-73f5-9662-2fbe574d44ea","amount":123400,"category":null,"currency":"USD","date":"2024-02-02","excluded":false,"key":null,"locked":["name","date","amount"],"merchant":null,"name":"Books","notes":null,"rate":null,"tags":[]},"entries":{"first":"01a22347-a74a-7661-acd5-abc1800a9d2d","last":"01a22347-a74a-7661-acd5-abc1800a9d2d"}}');
INSERT INTO public.audit_events VALUES (2, '01a22347-b177-725c-8ee6-c61f6379d065', 1795888230775261, 'key', '01a22347-b0da-74ce-89ac-5a0fbfbb8cdc', 'import.upload', 'import', '01a22347-b177-725c-8ee6-c61f6379d064', '{"rows":40}');
INSERT INTO public.audit_events VALUES (2, '01a22347-b1f8-77fa-840c-5260224c9ace', 1795888230904402, 'key', '01a22347-b0da-74ce-89ac-5a0fbfbb8cdc', 'import.upload', 'import', '01a22347-b1f8-77fa-840c-5260224c9acd', '{"rows":2}');
INSERT INTO public.audit_events VALUES (2, '01a22347-b20a-7009-9212-4408d395660f', 1795888230922596, 'import', '01a22347-b1f8-77fa-840c-5260224c9acd', 'import.publish', 'import', '01a22347-b1f8-77fa-840c-5260224c9acd', '{"entries":{"first":"01a22347-b20a-7009-9212-4408d395660d","last":"01a22347-b20a-7009-9212-4408d395660e"},"plan":{"change":0,"create":2,"deleted_before":0,"invalid":0,"left_out":0,"matched_by_content":0,"matched_by_id":0,"matched_by_name":0,"needs_choice":0,"possible_duplicate":0,"repeats":0},"rows":2}');
INSERT INTO public.audit_events VALUES (2, '01a22347-b2af-7586-a6fe-c5ec204fb72b', 1795888231087061, 'system', NULL, 'transfers.match', 'transfer', NULL, '{"confirmed":1,"proposed":0,"withdrawn":0}');
INSERT INTO public.audit_events VALUES (2, '01a22347-b320-75f3-8605-55b1b1685a1c', 1795888231200611, 'key', '01a22347-b0da-74ce-89ac-5a0fbfbb8cdc', 'transaction.revise', 'transaction', '01a22347-b2d9-7552-95c3-65b6fb6a7273', '{"changes":[{"after":{"account":"01a22347-b0eb-760a-b738-dee7af41ef78","amount":80000,"category":null,"date":"2024-05-06","excluded":false,"locked":["notes"],"merchant":null,"name":"Kept one","notes":"mine"},"before":{"account":"01a22347-b0eb-760a-b738-dee7af41ef78","amount":80000,"category":null,"currency":"USD","date":"2024-05-06","excluded":false,"external_id":null,"locked":[],"merchant":null,"name":"Kept one","notes":null,"tags":[]},"entry":"01a22347-b2d9-7552-95c3-65b6fb6a7273"}]}');
INSERT INTO public.audit_events VALUES (2, '01a22347-b335-73ca-acaf-d1e11186ab84', 1795888231221222, 'key', '01a22347-b0da-74ce-89ac-5a0fbfbb8cdc', 'import.revert_wish', 'import', '01a22347-b2cc-7699-b376-f443f7e84b18', '{}');
INSERT INTO public.audit_events VALUES (2, '01a22347-b343-7285-bcdd-bf7f458fcff5', 1795888231235076, 'import', '01a22347-b2cc-7699-b376-f443f7e84b18', 'import.revert', 'import', '01a22347-b2cc-7699-b376-f443f7e84b18', '{"changes_kept":0,"changes_taken_back":0,"fills_kept":0,"fills_taken_back":0,"kept":1,"removed":1,"removed_entries":{"first":"01a22347-b2d9-7552-95c3-65b6fb6a7272","last":"01a22347-b2d9-7552-95c3-65b6fb6a7273"},"row_choices_reset":0}');
INSERT INTO public.audit_events VALUES (2, '01a22347-b38b-7474-8264-567001205654', 1795888231307591, 'key', '01a22347-b0da-74ce-89ac-5a0fbfbb8cdc', 'trade.create', 'trade', '01a22347-b38b-7474-8264-567001205652', '{"changes":[{"account":"01a22347-b103-7508-9628-680ff41d1d13","after":{"amount":-800000,"booked":-800000,"cost":null,"currency":"USD","date":"2024-02-02","fee":0,"name":"","notes":null,"price":"20.0","qty":"-4.0","security":"01a22347-b363-7315-9a70-e297968bfe68","split_from":null,"split_to":null,"type":"sell"},"entry":"01a22347-b38b-7474-8264-567001205652"}],"entries":{"first":"01a22347-b38b-7474-8264-567001205652","last":"01a22347-b38b-7474-8264-567001205652"}}');
INSERT INTO public.audit_events VALUES (2, '01a22347-b3a4-70ae-932b-823fdd840f4e', 1795888231332894, 'key', '01a22347-b0da-74ce-89ac-5a0fbfbb8cdc', 'transaction.create', 'transaction', '01a22347-b3a4-70ae-932b-823fdd840f4d', '{"after":{"account":"01a22347-b0f8-751d-80dc-ac56724969cc","amount":123400,"category":null,"currency":"USD","date":"2024-02-02","excluded":false,"key":null,"locked":["name","date","amount"],"merchant":null,"name":"Books","notes":null,"rate":null,"tags":[]},"entries":{"first":"01a22347-b3a4-70ae-932b-823fdd840f4d","last":"01a22347-b3a4-70ae-932b-823fdd840f4d"}}');
INSERT INTO public.audit_events VALUES (1, '01a22347-a774-7450-a24f-718eba18d224', 1795888228212424, 'key', '01a22347-9f44-7109-aef3-51d22e6fc93f', 'valuation.set', 'valuation', '01a22347-a774-7450-a24f-718eba18d223', '{"changes":[{"after":{"amount":600000,"date":"2024-04-01","notes":null},"entry":"01a22347-a774-7450-a24f-718eba18d223"}],"entries":{"first":"01a22347-a774-7450-a24f-718eba18d223","last":"01a22347-a774-7450-a24f-718eba18d223"}}');
INSERT INTO public.audit_events VALUES (1, '01a22347-a7b3-71bd-ac58-7dc34ff08e7a', 1795888228275581, 'key', '01a22347-9f44-7109-aef3-51d22e6fc93f', 'transaction.remove', 'transaction', '01a22347-a0e7-75db-a591-fa96b843a78a', '{"changes":[{"before":{"account":"01a22347-9f5a-771f-b056-0e501a24e4e3","amount":172500,"category":"01a22347-9fb9-72f5-bcd8-cc0da68e9af1","currency":"EUR","date":"2024-06-18","excluded":false,"external_id":null,"locked":[],"merchant":null,"name":"Bakery 17","notes":"note 17","tags":["01a22347-9fd4-739b-99be-604b0d4889a6"]},"entry":"01a22347-a0e7-75db-a591-fa96b843a78a","parts":[]}]}');
INSERT INTO public.audit_events VALUES (2, '01a22347-b0bc-74a2-a8b8-167e7b91d1e1', 1795888230588544, 'cli', NULL, 'user.create', 'user', '01a22347-b0bc-74a2-a8b8-167e7b91d1e0', '{}');
INSERT INTO public.audit_events VALUES (2, '01a22347-b0da-74ce-89ac-5a0fbfbb8cdd', 1795888230618115, 'cli', NULL, 'key.create', 'key', '01a22347-b0da-74ce-89ac-5a0fbfbb8cdc', '{}');
INSERT INTO public.audit_events VALUES (2, '01a22347-b0eb-760a-b738-dee7af41ef79', 1795888230635106, 'key', '01a22347-b0da-74ce-89ac-5a0fbfbb8cdc', 'account.create', 'account', '01a22347-b0eb-760a-b738-dee7af41ef78', '{"after":{"account_type":"depository","cost_method":"average","currency":"USD","current_amount":null,"institution_domain":null,"institution_name":null,"name":"Giro","notes":null,"opening":{"amount":1000000,"date":"2023-12-31"},"owner":null,"subtype":null},"changes":[{"after":{"amount":1000000,"date":"2023-12-31","notes":null},"entry":"01a22347-b0eb-760a-b738-dee7af41ef76"}],"entries":{"first":"01a22347-b0eb-760a-b738-dee7af41ef76","last":"01a22347-b0eb-760a-b738-dee7af41ef76"}}');
INSERT INTO public.audit_events VALUES (2, '01a22347-b0f1-73c3-b744-4caa8c98ac99', 1795888230641917, 'key', '01a22347-b0da-74ce-89ac-5a0fbfbb8cdc', 'account.create', 'account', '01a22347-b0f1-73c3-b744-4caa8c98ac98', '{"after":{"account_type":"depository","cost_method":"average","currency":"USD","current_amount":null,"institution_domain":null,"institution_name":null,"name":"Savings","notes":null,"opening":{"amount":0,"date":null},"owner":null,"subtype":null}}');
INSERT INTO public.audit_events VALUES (2, '01a22347-b0f8-751d-80dc-ac56724969cd', 1795888230648755, 'key', '01a22347-b0da-74ce-89ac-5a0fbfbb8cdc', 'account.create', 'account', '01a22347-b0f8-751d-80dc-ac56724969cc', '{"after":{"account_type":"credit_card","cost_method":"average","currency":"USD","current_amount":null,"institution_domain":null,"institution_name":null,"name":"Card","notes":null,"opening":{"amount":0,"date":null},"owner":null,"subtype":null}}');
INSERT INTO public.audit_events VALUES (2, '01a22347-b103-7508-9628-680ff41d1d14', 1795888230659083, 'key', '01a22347-b0da-74ce-89ac-5a0fbfbb8cdc', 'account.create', 'account', '01a22347-b103-7508-9628-680ff41d1d13', '{"after":{"account_type":"investment","cost_method":"average","currency":"USD","current_amount":null,"institution_domain":null,"institution_name":null,"name":"Depot","notes":null,"opening":{"amount":0,"date":null},"owner":null,"subtype":null}}');
INSERT INTO public.audit_events VALUES (2, '01a22347-b106-7589-bb1c-19feb26c2a0a', 1795888230662555, 'key', '01a22347-b0da-74ce-89ac-5a0fbfbb8cdc', 'exchange_rate.set', 'exchange_rate', '01a22347-b106-7589-bb1c-19feb26c2a09', '{"after":{"base":"USD","date":"2024-01-01","quote":"EUR","rate":"0.9","source":"manual"}}');
INSERT INTO public.audit_events VALUES (2, '01a22347-b113-722e-9bdd-e9eec04a8772', 1795888230675131, 'key', '01a22347-b0da-74ce-89ac-5a0fbfbb8cdc', 'category.create', 'category', '01a22347-b113-722e-9bdd-e9eec04a8771', '{"after":{"color":"#336699","icon":null,"name":"Food","parent_id":null}}');
INSERT INTO public.audit_events VALUES (2, '01a22347-b119-736f-96c4-bbf712f484f4', 1795888230681556, 'key', '01a22347-b0da-74ce-89ac-5a0fbfbb8cdc', 'category.create', 'category', '01a22347-b119-736f-96c4-bbf712f484f3', '{"after":{"color":null,"icon":null,"name":"Eating out","parent_id":"01a22347-b113-722e-9bdd-e9eec04a8771"}}');
INSERT INTO public.audit_events VALUES (2, '01a22347-b121-7143-91d8-325e9d73cbf8', 1795888230689394, 'key', '01a22347-b0da-74ce-89ac-5a0fbfbb8cdc', 'tag.create', 'tag', '01a22347-b121-7143-91d8-325e9d73cbf7', '{"after":{"color":null,"name":"Trip"}}');
INSERT INTO public.audit_events VALUES (2, '01a22347-b130-72f7-8072-b49a90f826e0', 1795888230704560, 'key', '01a22347-b0da-74ce-89ac-5a0fbfbb8cdc', 'tag.create', 'tag', '01a22347-b130-72f7-8072-b49a90f826df', '{"after":{"color":null,"name":"Trip2"}}');
INSERT INTO public.audit_events VALUES (2, '01a22347-b139-7148-ba0a-b5c0dde8c477', 1795888230713209, 'key', '01a22347-b0da-74ce-89ac-5a0fbfbb8cdc', 'merchant.create', 'merchant', '01a22347-b139-7148-ba0a-b5c0dde8c476', '{"after":{"color":"#112233","name":"Kiosk","website":null}}');
INSERT INTO public.audit_events VALUES (2, '01a22347-b13d-7356-bf61-0895159ae5e5', 1795888230717518, 'key', '01a22347-b0da-74ce-89ac-5a0fbfbb8cdc', 'rule.create', 'rule', '01a22347-b13d-7356-bf61-0895159ae5e4', '{"after":{"actions":[{"action_type":"set_transaction_category","value":"01a22347-b113-722e-9bdd-e9eec04a8771"}],"active":true,"conditions":[{"condition_type":"transaction_name","operator":"like","sub_conditions":[],"value":"Kiosk"}],"effective_date":null,"name":"Kiosks","position":1}}');
INSERT INTO public.audit_events VALUES (2, '01a22347-b196-72e3-974d-ec994555febb', 1795888230806259, 'import', '01a22347-b177-725c-8ee6-c61f6379d064', 'import.publish', 'import', '01a22347-b177-725c-8ee6-c61f6379d064', '{"entries":{"first":"01a22347-b196-72e3-974d-ec994555fe93","last":"01a22347-b196-72e3-974d-ec994555feba"},"plan":{"change":0,"create":40,"deleted_before":0,"invalid":0,"left_out":0,"matched_by_content":0,"matched_by_id":0,"matched_by_name":0,"needs_choice":0,"possible_duplicate":0,"repeats":0},"rows":40}');
INSERT INTO public.audit_events VALUES (2, '01a22347-b283-718a-899d-989dabceb14f', 1795888231043036, 'key', '01a22347-b0da-74ce-89ac-5a0fbfbb8cdc', 'import.upload', 'import', '01a22347-b283-718a-899d-989dabceb14e', '{"rows":1}');
INSERT INTO public.audit_events VALUES (2, '01a22347-b29a-7759-b6f6-ebad99fe7175', 1795888231066337, 'import', '01a22347-b283-718a-899d-989dabceb14e', 'import.publish', 'import', '01a22347-b283-718a-899d-989dabceb14e', '{"entries":{"first":"01a22347-b29a-7759-b6f6-ebad99fe7174","last":"01a22347-b29a-7759-b6f6-ebad99fe7174"},"plan":{"change":0,"create":1,"deleted_before":0,"invalid":0,"left_out":0,"matched_by_content":0,"matched_by_id":0,"matched_by_name":0,"needs_choice":0,"possible_duplicate":0,"repeats":0},"rows":1}');
INSERT INTO public.audit_events VALUES (2, '01a22347-b2cc-7699-b376-f443f7e84b19', 1795888231116207, 'key', '01a22347-b0da-74ce-89ac-5a0fbfbb8cdc', 'import.upload', 'import', '01a22347-b2cc-7699-b376-f443f7e84b18', '{"rows":2}');
INSERT INTO public.audit_events VALUES (2, '01a22347-b2d9-7552-95c3-65b6fb6a7274', 1795888231129216, 'import', '01a22347-b2cc-7699-b376-f443f7e84b18', 'import.publish', 'import', '01a22347-b2cc-7699-b376-f443f7e84b18', '{"entries":{"first":"01a22347-b2d9-7552-95c3-65b6fb6a7272","last":"01a22347-b2d9-7552-95c3-65b6fb6a7273"},"plan":{"change":0,"create":2,"deleted_before":0,"invalid":0,"left_out":0,"matched_by_content":0,"matched_by_id":0,"matched_by_name":0,"needs_choice":0,"possible_duplicate":0,"repeats":0},"rows":2}');
INSERT INTO public.audit_events VALUES (2, '01a22347-b351-77c3-8e65-bd684a2d06ab', 1795888231249861, 'key', '01a22347-b0da-74ce-89ac-5a0fbfbb8cdc', 'import.upload', 'import', '01a22347-b351-77c3-8e65-bd684a2d06aa', '{"rows":1}');
INSERT INTO public.audit_events VALUES (2, '01a22347-b363-7315-9a70-e297968bfe6a', 1795888231267473, 'key', '01a22347-b0da-74ce-89ac-5a0fbfbb8cdc', 'trade.create', 'trade', '01a22347-b363-7315-9a70-e297968bfe66', '{"changes":[{"account":"01a22347-b103-7508-9628-680ff41d1d13","after":{"amount":1500000,"booked":1500000,"cost":null,"currency":"USD","date":"2024-01-02","fee":0,"name":"","notes":null,"price":"15.0","qty":"10.0","security":"01a22347-b363-7315-9a70-e297968bfe68","split_from":null,"split_to":null,"type":"buy"},"entry":"01a22347-b363-7315-9a70-e297968bfe66"},{"after":{"country_code":null,"currency":null,"exchange_operating_mic":"","feed_symbol":null,"isin":null,"kind":"standard","name":null,"offline":false,"ticker":"ACME"},"security":"01a22347-b363-7315-9a70-e297968bfe68"}],"entries":{"first":"01a22347-b363-7315-9a70-e297968bfe66","last":"01a22347-b363-7315-9a70-e297968bfe66"}}');
INSERT INTO public.audit_events VALUES (2, '01a22347-b3b2-7363-b12f-f0744404e828', 1795888231346375, 'key', '01a22347-b0da-74ce-89ac-5a0fbfbb8cdc', 'valuation.set', 'valuation', '01a22347-b3b2-7363-b12f-f0744404e827', '{"changes":[{"after":{"amount":600000,"date":"2024-04-01","notes":null},"entry":"01a22347-b3b2-7363-b12f-f0744404e827"}],"entries":{"first":"01a22347-b3b2-7363-b12f-f0744404e827","last":"01a22347-b3b2-7363-b12f-f0744404e827"}}');
INSERT INTO public.audit_events VALUES (2, '01a22347-b3de-77fc-af35-e5d280928721', 1795888231390813, 'key', '01a22347-b0da-74ce-89ac-5a0fbfbb8cdc', 'transaction.remove', 'transaction', '01a22347-b196-72e3-974d-ec994555fea3', '{"changes":[{"before":{"account":"01a22347-b0eb-760a-b738-dee7af41ef78","amount":172500,"category":"01a22347-b113-722e-9bdd-e9eec04a8771","currency":"USD","date":"2024-06-18","excluded":false,"external_id":null,"locked":[],"merchant":null,"name":"Bakery 17","notes":"note 17","tags":["01a22347-b121-7143-91d8-325e9d73cbf7"]},"entry":"01a22347-b196-72e3-974d-ec994555fea3","parts":[]}]}');
INSERT INTO public.balances VALUES (1, '01a22347-9f5a-771f-b056-0e501a24e4e3', 19722, 0, 0, 1000000, 1000000, 1000000, 0, 0, 0);
INSERT INTO public.balances VALUES (1, '01a22347-9f5a-771f-b056-0e501a24e4e3', 19725, 302500, 0, NULL, 0, 1302500, 1, 0, 0);
INSERT INTO public.balances VALUES (1, '01a22347-9f5a-771f-b056-0e501a24e4e3', 19729, 62500, 0, NULL, 0, 1365000, 1, 0, 0);
INSERT INTO public.balances VALUES (1, '01a22347-9f5a-771f-b056-0e501a24e4e3', 19731, 362500, 0, NULL, 0, 1727500, 1, 0, 0);
INSERT INTO public.balances VALUES (1, '01a22347-9f5a-771f-b056-0e501a24e4e3', 19735, 122500, 0, NULL, 0, 1850000, 1, 0, 0);
INSERT INTO public.balances VALUES (1, '01a22347-9f5a-771f-b056-0e501a24e4e3', 19741, 182500, 0, NULL, 0, 2032500, 1, 0, 0);
INSERT INTO public.balances VALUES (1, '01a22347-9f5a-771f-b056-0e501a24e4e3', 19747, 242500, 0, NULL, 0, 2275000, 1, 0, 0);
INSERT INTO public.balances VALUES (1, '01a22347-9f5a-771f-b056-0e501a24e4e3', 19755, 0, 12500, NULL, 0, 2262500, 1, 0, 0);
INSERT INTO public.balances VALUES (1, '01a22347-9f5a-771f-b056-0e501a24e4e3', 19757, 0, 312500, NULL, 0, 1950000, 1, 0, 0);
INSERT INTO public.balances VALUES (1, '01a22347-9f5a-771f-b056-0e501a24e4e3', 19761, 0, 72500, NULL, 0, 1877500, 1, 0, 0);
INSERT INTO public.balances VALUES (1, '01a22347-9f5a-771f-b056-0e501a24e4e3', 19763, 0, 372500, NULL, 0, 1505000, 1, 0, 0);
INSERT INTO public.balances VALUES (1, '01a22347-9f5a-771f-b056-0e501a24e4e3', 19767, 0, 132500, NULL, 0, 1372500, 1, 0, 0);
INSERT INTO public.balances VALUES (1, '01a22347-9f5a-771f-b056-0e501a24e4e3', 19773, 0, 192500, NULL, 0, 1180000, 1, 0, 0);
INSERT INTO public.balances VALUES (1, '01a22347-9f5a-771f-b056-0e501a24e4e3', 19779, 0, 252500, NULL, 0, 927500, 1, 0, 0);
INSERT INTO public.balances VALUES (1, '01a22347-9f79-7110-a8ed-fa3a1a2f478a', 19785, 500000, 0, NULL, 0, 500000, 1, 0, 0);
INSERT INTO public.balances VALUES (1, '01a22347-9f79-7110-a8ed-fa3a1a2f478a', 19786, 10000, 0, NULL, 0, 510000, 1, 0, 0);
INSERT INTO public.balances VALUES (1, '01a22347-9f5a-771f-b056-0e501a24e4e3', 19785, 0, 522500, NULL, 0, 405000, 2, 0, 0);
INSERT INTO public.balances VALUES (1, '01a22347-9f5a-771f-b056-0e501a24e4e3', 19787, 0, 322500, NULL, 0, 82500, 1, 0, 0);
INSERT INTO public.balances VALUES (1, '01a22347-9f5a-771f-b056-0e501a24e4e3', 19791, 0, 82500, NULL, 0, 0, 1, 0, 0);
INSERT INTO public.balances VALUES (1, '01a22347-9f5a-771f-b056-0e501a24e4e3', 19793, 0, 382500, NULL, 0, -382500, 1, 0, 0);
INSERT INTO public.balances VALUES (1, '01a22347-9f5a-771f-b056-0e501a24e4e3', 19797, 0, 142500, NULL, 0, -525000, 1, 0, 0);
INSERT INTO public.balances VALUES (1, '01a22347-9f5a-771f-b056-0e501a24e4e3', 19803, 0, 202500, NULL, 0, -727500, 1, 0, 0);
INSERT INTO public.balances VALUES (1, '01a22347-9f5a-771f-b056-0e501a24e4e3', 19809, 0, 262500, NULL, 0, -990000, 1, 0, 0);
INSERT INTO public.balances VALUES (1, '01a22347-9f5a-771f-b056-0e501a24e4e3', 19817, 32500, 0, NULL, 0, -957500, 1, 0, 0);
INSERT INTO public.balances VALUES (1, '01a22347-9f5a-771f-b056-0e501a24e4e3', 19819, 332500, 0, NULL, 0, -625000, 1, 0, 0);
INSERT INTO public.balances VALUES (1, '01a22347-9f5a-771f-b056-0e501a24e4e3', 19823, 92500, 0, NULL, 0, -532500, 1, 0, 0);
INSERT INTO public.balances VALUES (1, '01a22347-9f5a-771f-b056-0e501a24e4e3', 19825, 392500, 0, NULL, 0, -140000, 1, 0, 0);
INSERT INTO public.balances VALUES (1, '01a22347-9f5a-771f-b056-0e501a24e4e3', 19829, 152500, 0, NULL, 0, 12500, 1, 0, 0);
INSERT INTO public.balances VALUES (1, '01a22347-9f5a-771f-b056-0e501a24e4e3', 19835, 212500, 0, NULL, 0, 225000, 1, 0, 0);
INSERT INTO public.balances VALUES (1, '01a22347-9f5a-771f-b056-0e501a24e4e3', 19841, 272500, 0, NULL, 0, 497500, 1, 0, 0);
INSERT INTO public.balances VALUES (1, '01a22347-9f5a-771f-b056-0e501a24e4e3', 19844, 0, 282500, NULL, 0, 215000, 1, 0, 0);
INSERT INTO public.balances VALUES (1, '01a22347-9f79-7110-a8ed-fa3a1a2f478a', 19814, 0, 0, 600000, 90000, 600000, 0, 0, 0);
INSERT INTO public.balances VALUES (1, '01a22347-9f5a-771f-b056-0e501a24e4e3', 19898, 0, 232500, NULL, 0, -2182500, 1, 0, 0);
INSERT INTO public.balances VALUES (2, '01a22347-b0eb-760a-b738-dee7af41ef78', 19722, 0, 0, 1000000, 1000000, 1000000, 0, 0, 0);
INSERT INTO public.balances VALUES (2, '01a22347-b0eb-760a-b738-dee7af41ef78', 19725, 302500, 0, NULL, 0, 1302500, 1, 0, 0);
INSERT INTO public.balances VALUES (2, '01a22347-b0eb-760a-b738-dee7af41ef78', 19729, 62500, 0, NULL, 0, 1365000, 1, 0, 0);
INSERT INTO public.balances VALUES (2, '01a22347-b0eb-760a-b738-dee7af41ef78', 19731, 362500, 0, NULL, 0, 1727500, 1, 0, 0);
INSERT INTO public.balances VALUES (2, '01a22347-b0eb-760a-b738-dee7af41ef78', 19735, 122500, 0, NULL, 0, 1850000, 1, 0, 0);
INSERT INTO public.balances VALUES (2, '01a22347-b0eb-760a-b738-dee7af41ef78', 19741, 182500, 0, NULL, 0, 2032500, 1, 0, 0);
INSERT INTO public.balances VALUES (2, '01a22347-b0eb-760a-b738-dee7af41ef78', 19747, 242500, 0, NULL, 0, 2275000, 1, 0, 0);
INSERT INTO public.balances VALUES (2, '01a22347-b0eb-760a-b738-dee7af41ef78', 19755, 0, 12500, NULL, 0, 2262500, 1, 0, 0);
INSERT INTO public.balances VALUES (2, '01a22347-b0eb-760a-b738-dee7af41ef78', 19757, 0, 312500, NULL, 0, 1950000, 1, 0, 0);
INSERT INTO public.balances VALUES (2, '01a22347-b0eb-760a-b738-dee7af41ef78', 19761, 0, 72500, NULL, 0, 1877500, 1, 0, 0);
INSERT INTO public.balances VALUES (2, '01a22347-b0eb-760a-b738-dee7af41ef78', 19763, 0, 372500, NULL, 0, 1505000, 1, 0, 0);
INSERT INTO public.balances VALUES (2, '01a22347-b0eb-760a-b738-dee7af41ef78', 19767, 0, 132500, NULL, 0, 1372500, 1, 0, 0);
INSERT INTO public.balances VALUES (2, '01a22347-b0eb-760a-b738-dee7af41ef78', 19773, 0, 192500, NULL, 0, 1180000, 1, 0, 0);
INSERT INTO public.balances VALUES (2, '01a22347-b0eb-760a-b738-dee7af41ef78', 19779, 0, 252500, NULL, 0, 927500, 1, 0, 0);
INSERT INTO public.balances VALUES (1, '01a22347-9f5a-771f-b056-0e501a24e4e3', 19848, 0, 42500, NULL, 0, 172500, 1, 0, 0);
INSERT INTO public.balances VALUES (1, '01a22347-9f5a-771f-b056-0e501a24e4e3', 19849, 0, 80000, NULL, 0, 92500, 1, 0, 0);
INSERT INTO public.balances VALUES (1, '01a22347-9f5a-771f-b056-0e501a24e4e3', 19850, 0, 342500, NULL, 0, -250000, 1, 0, 0);
INSERT INTO public.balances VALUES (1, '01a22347-9f5a-771f-b056-0e501a24e4e3', 19854, 0, 102500, NULL, 0, -352500, 1, 0, 0);
INSERT INTO public.balances VALUES (1, '01a22347-9f5a-771f-b056-0e501a24e4e3', 19856, 0, 402500, NULL, 0, -755000, 1, 0, 0);
INSERT INTO public.balances VALUES (1, '01a22347-9f5a-771f-b056-0e501a24e4e3', 19860, 0, 162500, NULL, 0, -917500, 1, 0, 0);
INSERT INTO public.balances VALUES (1, '01a22347-9f5a-771f-b056-0e501a24e4e3', 19866, 0, 222500, NULL, 0, -1140000, 1, 0, 0);
INSERT INTO public.balances VALUES (1, '01a22347-9f5a-771f-b056-0e501a24e4e3', 19876, 0, 292500, NULL, 0, -1432500, 1, 0, 0);
INSERT INTO public.balances VALUES (1, '01a22347-9f5a-771f-b056-0e501a24e4e3', 19880, 0, 52500, NULL, 0, -1485000, 1, 0, 0);
INSERT INTO public.balances VALUES (1, '01a22347-9f5a-771f-b056-0e501a24e4e3', 19882, 0, 352500, NULL, 0, -1837500, 1, 0, 0);
INSERT INTO public.balances VALUES (1, '01a22347-9f5a-771f-b056-0e501a24e4e3', 19886, 0, 112500, NULL, 0, -1950000, 1, 0, 0);
INSERT INTO public.balances VALUES (1, '01a22347-9f8a-72f2-b5fe-fd6d43847ecc', 19724, 0, 1500000, NULL, 0, -1500000, 0, 1500000, 0);
INSERT INTO public.balances VALUES (1, '01a22347-9f8a-72f2-b5fe-fd6d43847ecc', 19755, 800000, 0, NULL, 0, -700000, 0, 0, 800000);
INSERT INTO public.balances VALUES (1, '01a22347-9f82-73f5-9662-2fbe574d44ea', 19755, 0, 123400, NULL, 0, 123400, 1, 0, 0);
INSERT INTO public.balances VALUES (2, '01a22347-b0f1-73c3-b744-4caa8c98ac98', 19785, 500000, 0, NULL, 0, 500000, 1, 0, 0);
INSERT INTO public.balances VALUES (2, '01a22347-b0f1-73c3-b744-4caa8c98ac98', 19786, 10000, 0, NULL, 0, 510000, 1, 0, 0);
INSERT INTO public.balances VALUES (2, '01a22347-b0eb-760a-b738-dee7af41ef78', 19848, 0, 42500, NULL, 0, 172500, 1, 0, 0);
INSERT INTO public.balances VALUES (2, '01a22347-b0eb-760a-b738-dee7af41ef78', 19849, 0, 80000, NULL, 0, 92500, 1, 0, 0);
INSERT INTO public.balances VALUES (2, '01a22347-b0eb-760a-b738-dee7af41ef78', 19850, 0, 342500, NULL, 0, -250000, 1, 0, 0);
INSERT INTO public.balances VALUES (2, '01a22347-b0eb-760a-b738-dee7af41ef78', 19854, 0, 102500, NULL, 0, -352500, 1, 0, 0);
INSERT INTO public.balances VALUES (2, '01a22347-b0eb-760a-b738-dee7af41ef78', 19856, 0, 402500, NULL, 0, -755000, 1, 0, 0);
INSERT INTO public.balances VALUES (2, '01a22347-b0eb-760a-b738-dee7af41ef78', 19860, 0, 162500, NULL, 0, -917500, 1, 0, 0);
INSERT INTO public.balances VALUES (2, '01a22347-b0eb-760a-b738-dee7af41ef78', 19866, 0, 222500, NULL, 0, -1140000, 1, 0, 0);
INSERT INTO public.balances VALUES (2, '01a22347-b0eb-760a-b738-dee7af41ef78', 19876, 0, 292500, NULL, 0, -1432500, 1, 0, 0);
INSERT INTO public.balances VALUES (2, '01a22347-b0eb-760a-b738-dee7af41ef78', 19880, 0, 52500, NULL, 0, -1485000, 1, 0, 0);
INSERT INTO public.balances VALUES (2, '01a22347-b0eb-760a-b738-dee7af41ef78', 19882, 0, 352500, NULL, 0, -1837500, 1, 0, 0);
INSERT INTO public.balances VALUES (2, '01a22347-b0eb-760a-b738-dee7af41ef78', 19886, 0, 112500, NULL, 0, -1950000, 1, 0, 0);
INSERT INTO public.balances VALUES (2, '01a22347-b103-7508-9628-680ff41d1d13', 19755, 800000, 0, NULL, 0, -700000, 0, 0, 800000);
INSERT INTO public.balances VALUES (2, '01a22347-b0f8-751d-80dc-ac56724969cc', 19755, 0, 123400, NULL, 0, 123400, 1, 0, 0);
INSERT INTO public.balances VALUES (2, '01a22347-b0eb-760a-b738-dee7af41ef78', 19785, 0, 522500, NULL, 0, 405000, 2, 0, 0);
INSERT INTO public.balances VALUES (2, '01a22347-b0eb-760a-b738-dee7af41ef78', 19787, 0, 322500, NULL, 0, 82500, 1, 0, 0);
INSERT INTO public.balances VALUES (2, '01a22347-b0eb-760a-b738-dee7af41ef78', 19791, 0, 82500, NULL, 0, 0, 1, 0, 0);
INSERT INTO public.balances VALUES (2, '01a22347-b0eb-760a-b738-dee7af41ef78', 19793, 0, 382500, NULL, 0, -382500, 1, 0, 0);
INSERT INTO public.balances VALUES (2, '01a22347-b0eb-760a-b738-dee7af41ef78', 19797, 0, 142500, NULL, 0, -525000, 1, 0, 0);
INSERT INTO public.balances VALUES (2, '01a22347-b0eb-760a-b738-dee7af41ef78', 19803, 0, 202500, NULL, 0, -727500, 1, 0, 0);
INSERT INTO public.balances VALUES (2, '01a22347-b0eb-760a-b738-dee7af41ef78', 19809, 0, 262500, NULL, 0, -990000, 1, 0, 0);
INSERT INTO public.balances VALUES (2, '01a22347-b0eb-760a-b738-dee7af41ef78', 19817, 32500, 0, NULL, 0, -957500, 1, 0, 0);
INSERT INTO public.balances VALUES (2, '01a22347-b0eb-760a-b738-dee7af41ef78', 19819, 332500, 0, NULL, 0, -625000, 1, 0, 0);
INSERT INTO public.balances VALUES (2, '01a22347-b0eb-760a-b738-dee7af41ef78', 19823, 92500, 0, NULL, 0, -532500, 1, 0, 0);
INSERT INTO public.balances VALUES (2, '01a22347-b0eb-760a-b738-dee7af41ef78', 19825, 392500, 0, NULL, 0, -140000, 1, 0, 0);
INSERT INTO public.balances VALUES (2, '01a22347-b0eb-760a-b738-dee7af41ef78', 19829, 152500, 0, NULL, 0, 12500, 1, 0, 0);
INSERT INTO public.balances VALUES (2, '01a22347-b0eb-760a-b738-dee7af41ef78', 19835, 212500, 0, NULL, 0, 225000, 1, 0, 0);
INSERT INTO public.balances VALUES (2, '01a22347-b0eb-760a-b738-dee7af41ef78', 19841, 272500, 0, NULL, 0, 497500, 1, 0, 0);
INSERT INTO public.balances VALUES (2, '01a22347-b0eb-760a-b738-dee7af41ef78', 19844, 0, 282500, NULL, 0, 215000, 1, 0, 0);
INSERT INTO public.balances VALUES (2, '01a22347-b103-7508-9628-680ff41d1d13', 19724, 0, 1500000, NULL, 0, -1500000, 0, 1500000, 0);
INSERT INTO public.balances VALUES (2, '01a22347-b0f1-73c3-b744-4caa8c98ac98', 19814, 0, 0, 600000, 90000, 600000, 0, 0, 0);
INSERT INTO public.balances VALUES (2, '01a22347-b0eb-760a-b738-dee7af41ef78', 19898, 0, 232500, NULL, 0, -2182500, 1, 0, 0);
INSERT INTO public.categories VALUES (1, '01a22347-9fb9-72f5-bcd8-cc0da68e9af1', NULL, 'Food', 'food', 1795888226233798, 1795888226233798, '#336699', NULL);
INSERT INTO public.categories VALUES (1, '01a22347-9fc9-7430-bb1e-a3acb18cf841', '01a22347-9fb9-72f5-bcd8-cc0da68e9af1', 'Eating out', 'food:eating out', 1795888226249705, 1795888226249705, NULL, NULL);
INSERT INTO public.categories VALUES (2, '01a22347-b113-722e-9bdd-e9eec04a8771', NULL, 'Food', 'food', 1795888230675131, 1795888230675131, '#336699', NULL);
INSERT INTO public.categories VALUES (2, '01a22347-b119-736f-96c4-bbf712f484f3', '01a22347-b113-722e-9bdd-e9eec04a8771', 'Eating out', 'food:eating out', 1795888230681556, 1795888230681556, NULL, NULL);
INSERT INTO public.entries VALUES (1, '01a22347-9f5a-771f-b056-0e501a24e4e1', '01a22347-9f5a-771f-b056-0e501a24e4e3', 1, 19722, 1000000, 'EUR', '', NULL, NULL, NULL, 'opening_anchor', false, NULL, NULL, 1795888226138024, 1795888226138024, NULL, NULL, false, false, NULL, 0, false);
INSERT INTO public.entries VALUES (1, '01a22347-a0e7-75db-a591-fa96b843a77a', '01a22347-9f5a-771f-b056-0e501a24e4e3', 0, 19755, 12500, 'EUR', 'Bakery 1', 'note 1', '01a22347-9fb9-72f5-bcd8-cc0da68e9af1', NULL, NULL, false, NULL, NULL, 1795888226535019, 1795888226535019, NULL, NULL, false, false, NULL, 0, false);
INSERT INTO public.entries VALUES (1, '01a22347-a0e7-75db-a591-fa96b843a77b', '01a22347-9f5a-771f-b056-0e501a24e4e3', 0, 19785, 22500, 'EUR', 'Rent 2', 'note 2', '01a22347-9fb9-72f5-bcd8-cc0da68e9af1', NULL, NULL, false, NULL, NULL, 1795888226535019, 1795888226535019, NULL, NULL, false, false, NULL, 0, false);
INSERT INTO public.entries VALUES (1, '01a22347-a0e7-75db-a591-fa96b843a77c', '01a22347-9f5a-771f-b056-0e501a24e4e3', 0, 19817, -32500, 'EUR', 'Salary 3', 'note 3', '01a22347-9fb9-72f5-bcd8-cc0da68e9af1', NULL, NULL, false, NULL, NULL, 1795888226535019, 1795888226535019, NULL, NULL, false, false, NULL, 0, false);
INSERT INTO public.entries VALUES (1, '01a22347-a0e7-75db-a591-fa96b843a77d', '01a22347-9f5a-771f-b056-0e501a24e4e3', 0, 19848, 42500, 'EUR', 'Kiosk 4', 'note 4', '01a22347-9fb9-72f5-bcd8-cc0da68e9af1', NULL, NULL, false, NULL, NULL, 1795888226535019, 1795888226535019, NULL, NULL, false, false, NULL, 0, false);
INSERT INTO public.entries VALUES (1, '01a22347-a0e7-75db-a591-fa96b843a77e', '01a22347-9f5a-771f-b056-0e501a24e4e3', 0, 19880, 52500, 'EUR', 'Bakery 5', 'note 5', '01a22347-9fb9-72f5-bcd8-cc0da68e9af1', NULL, NULL, false, NULL, NULL, 1795888226535019, 1795888226535019, NULL, NULL, false, false, NULL, 0, false);
INSERT INTO public.entries VALUES (1, '01a22347-a0e7-75db-a591-fa96b843a77f', '01a22347-9f5a-771f-b056-0e501a24e4e3', 0, 19729, -62500, 'EUR', 'Rent 6', 'note 6', '01a22347-9fb9-72f5-bcd8-cc0da68e9af1', NULL, NULL, false, NULL, NULL, 1795888226535019, 1795888226535019, NULL, NULL, false, false, NULL, 0, false);
INSERT INTO public.entries VALUES (1, '01a22347-a0e7-75db-a591-fa96b843a780', '01a22347-9f5a-771f-b056-0e501a24e4e3', 0, 19761, 72500, 'EUR', 'Salary 7', 'note 7', '01a22347-9fb9-72f5-bcd8-cc0da68e9af1', NULL, NULL, false, NULL, NULL, 1795888226535019, 1795888226535019, NULL, NULL, false, false, NULL, 0, false);
INSERT INTO public.entries VALUES (1, '01a22347-a0e7-75db-a591-fa96b843a781', '01a22347-9f5a-771f-b056-0e501a24e4e3', 0, 19791, 82500, 'EUR', 'Kiosk 8', 'note 8', '01a22347-9fb9-72f5-bcd8-cc0da68e9af1', NULL, NULL, false, NULL, NULL, 1795888226535019, 1795888226535019, NULL, NULL, false, false, NULL, 0, false);
INSERT INTO public.entries VALUES (1, '01a22347-a0e7-75db-a591-fa96b843a782', '01a22347-9f5a-771f-b056-0e501a24e4e3', 0, 19823, -92500, 'EUR', 'Bakery 9', 'note 9', '01a22347-9fb9-72f5-bcd8-cc0da68e9af1', NULL, NULL, false, NULL, NULL, 1795888226535019, 1795888226535019, NULL, NULL, false, false, NULL, 0, false);
INSERT INTO public.entries VALUES (1, '01a22347-a0e7-75db-a591-fa96b843a783', '01a22347-9f5a-771f-b056-0e501a24e4e3', 0, 19854, 102500, 'EUR', 'Rent 10', 'note 10', '01a22347-9fb9-72f5-bcd8-cc0da68e9af1', NULL, NULL, false, NULL, NULL, 1795888226535019, 1795888226535019, NULL, NULL, false, false, NULL, 0, false);
INSERT INTO public.entries VALUES (1, '01a22347-a0e7-75db-a591-fa96b843a784', '01a22347-9f5a-771f-b056-0e501a24e4e3', 0, 19886, 112500, 'EUR', 'Salary 11', 'note 11', '01a22347-9fb9-72f5-bcd8-cc0da68e9af1', NULL, NULL, false, NULL, NULL, 1795888226535019, 1795888226535019, NULL, NULL, false, false, NULL, 0, false);
INSERT INTO public.entries VALUES (1, '01a22347-a0e7-75db-a591-fa96b843a785', '01a22347-9f5a-771f-b056-0e501a24e4e3', 0, 19735, -122500, 'EUR', 'Kiosk 12', 'note 12', '01a22347-9fb9-72f5-bcd8-cc0da68e9af1', NULL, NULL, false, NULL, NULL, 1795888226535019, 1795888226535019, NULL, NULL, false, false, NULL, 0, false);
INSERT INTO public.entries VALUES (1, '01a22347-a0e7-75db-a591-fa96b843a786', '01a22347-9f5a-771f-b056-0e501a24e4e3', 0, 19767, 132500, 'EUR', 'Bakery 13', 'note 13', '01a22347-9fb9-72f5-bcd8-cc0da68e9af1', NULL, NULL, false, NULL, NULL, 1795888226535019, 1795888226535019, NULL, NULL, false, false, NULL, 0, false);
INSERT INTO public.entries VALUES (1, '01a22347-a0e7-75db-a591-fa96b843a787', '01a22347-9f5a-771f-b056-0e501a24e4e3', 0, 19797, 142500, 'EUR', 'Rent 14', 'note 14', '01a22347-9fb9-72f5-bcd8-cc0da68e9af1', NULL, NULL, false, NULL, NULL, 1795888226535019, 1795888226535019, NULL, NULL, false, false, NULL, 0, false);
INSERT INTO public.entries VALUES (1, '01a22347-a0e7-75db-a591-fa96b843a788', '01a22347-9f5a-771f-b056-0e501a24e4e3', 0, 19829, -152500, 'EUR', 'Salary 15', 'note 15', '01a22347-9fb9-72f5-bcd8-cc0da68e9af1', NULL, NULL, false, NULL, NULL, 1795888226535019, 1795888226535019, NULL, NULL, false, false, NULL, 0, false);
INSERT INTO public.entries VALUES (1, '01a22347-a0e7-75db-a591-fa96b843a789', '01a22347-9f5a-771f-b056-0e501a24e4e3', 0, 19860, 162500, 'EUR', 'Kiosk 16', 'note 16', '01a22347-9fb9-72f5-bcd8-cc0da68e9af1', NULL, NULL, false, NULL, NULL, 1795888226535019, 1795888226535019, NULL, NULL, false, false, NULL, 0, false);
INSERT INTO public.entries VALUES (1, '01a22347-a0e7-75db-a591-fa96b843a78b', '01a22347-9f5a-771f-b056-0e501a24e4e3', 0, 19741, -182500, 'EUR', 'Rent 18', 'note 18', '01a22347-9fb9-72f5-bcd8-cc0da68e9af1', NULL, NULL, false, NULL, NULL, 1795888226535019, 1795888226535019, NULL, NULL, false, false, NULL, 0, false);
INSERT INTO public.entries VALUES (1, '01a22347-a0e7-75db-a591-fa96b843a78c', '01a22347-9f5a-771f-b056-0e501a24e4e3', 0, 19773, 192500, 'EUR', 'Salary 19', 'note 19', '01a22347-9fb9-72f5-bcd8-cc0da68e9af1', NULL, NULL, false, NULL, NULL, 1795888226535019, 1795888226535019, NULL, NULL, false, false, NULL, 0, false);
INSERT INTO public.entries VALUES (1, '01a22347-a0e7-75db-a591-fa96b843a78d', '01a22347-9f5a-771f-b056-0e501a24e4e3', 0, 19803, 202500, 'EUR', 'Kiosk 20', 'note 20', '01a22347-9fb9-72f5-bcd8-cc0da68e9af1', NULL, NULL, false, NULL, NULL, 1795888226535019, 1795888226535019, NULL, NULL, false, false, NULL, 0, false);
INSERT INTO public.entries VALUES (1, '01a22347-a0e7-75db-a591-fa96b843a78e', '01a22347-9f5a-771f-b056-0e501a24e4e3', 0, 19835, -212500, 'EUR', 'Bakery 21', 'note 21', '01a22347-9fb9-72f5-bcd8-cc0da68e9af1', NULL, NULL, false, NULL, NULL, 1795888226535019, 1795888226535019, NULL, NULL, false, false, NULL, 0, false);
INSERT INTO public.entries VALUES (1, '01a22347-a0e7-75db-a591-fa96b843a78f', '01a22347-9f5a-771f-b056-0e501a24e4e3', 0, 19866, 222500, 'EUR', 'Rent 22', 'note 22', '01a22347-9fb9-72f5-bcd8-cc0da68e9af1', NULL, NULL, false, NULL, NULL, 1795888226535019, 1795888226535019, NULL, NULL, false, false, NULL, 0, false);
INSERT INTO public.entries VALUES (1, '01a22347-a0e7-75db-a591-fa96b843a790', '01a22347-9f5a-771f-b056-0e501a24e4e3', 0, 19898, 232500, 'EUR', 'Salary 23', 'note 23', '01a22347-9fb9-72f5-bcd8-cc0da68e9af1', NULL, NULL, false, NULL, NULL, 1795888226535019, 1795888226535019, NULL, NULL, false, false, NULL, 0, false);
INSERT INTO public.entries VALUES (1, '01a22347-a0e7-75db-a591-fa96b843a791', '01a22347-9f5a-771f-b056-0e501a24e4e3', 0, 19747, -242500, 'EUR', 'Kiosk 24', 'note 24', '01a22347-9fb9-72f5-bcd8-cc0da68e9af1', NULL, NULL, false, NULL, NULL, 1795888226535019, 1795888226535019, NULL, NULL, false, false, NULL, 0, false);
INSERT INTO public.entries VALUES (1, '01a22347-a0e7-75db-a591-fa96b843a792', '01a22347-9f5a-771f-b056-0e501a24e4e3', 0, 19779, 252500, 'EUR', 'Bakery 25', 'note 25', '01a22347-9fb9-72f5-bcd8-cc0da68e9af1', NULL, NULL, false, NULL, NULL, 1795888226535019, 1795888226535019, NULL, NULL, false, false, NULL, 0, false);
INSERT INTO public.entries VALUES (1, '01a22347-a0e7-75db-a591-fa96b843a793', '01a22347-9f5a-771f-b056-0e501a24e4e3', 0, 19809, 262500, 'EUR', 'Rent 26', 'note 26', '01a22347-9fb9-72f5-bcd8-cc0da68e9af1', NULL, NULL, false, NULL, NULL, 1795888226535019, 1795888226535019, NULL, NULL, false, false, NULL, 0, false);
INSERT INTO public.entries VALUES (1, '01a22347-a0e7-75db-a591-fa96b843a794', '01a22347-9f5a-771f-b056-0e501a24e4e3', 0, 19841, -272500, 'EUR', 'Salary 27', 'note 27', '01a22347-9fb9-72f5-bcd8-cc0da68e9af1', NULL, NULL, false, NULL, NULL, 1795888226535019, 1795888226535019, NULL, NULL, false, false, NULL, 0, false);
INSERT INTO public.entries VALUES (1, '01a22347-a0e7-75db-a591-fa96b843a795', '01a22347-9f5a-771f-b056-0e501a24e4e3', 0, 19844, 282500, 'EUR', 'Kiosk 28', 'note 28', '01a22347-9fb9-72f5-bcd8-cc0da68e9af1', NULL, NULL, false, NULL, NULL, 1795888226535019, 1795888226535019, NULL, NULL, false, false, NULL, 0, false);
INSERT INTO public.entries VALUES (1, '01a22347-a0e7-75db-a591-fa96b843a796', '01a22347-9f5a-771f-b056-0e501a24e4e3', 0, 19876, 292500, 'EUR', 'Bakery 29', 'note 29', '01a22347-9fb9-72f5-bcd8-cc0da68e9af1', NULL, NULL, false, NULL, NULL, 1795888226535019, 1795888226535019, NULL, NULL, false, false, NULL, 0, false);
INSERT INTO public.entries VALUES (1, '01a22347-a0e7-75db-a591-fa96b843a797', '01a22347-9f5a-771f-b056-0e501a24e4e3', 0, 19725, -302500, 'EUR', 'Rent 30', 'note 30', '01a22347-9fb9-72f5-bcd8-cc0da68e9af1', NULL, NULL, false, NULL, NULL, 1795888226535019, 1795888226535019, NULL, NULL, false, false, NULL, 0, false);
INSERT INTO public.entries VALUES (1, '01a22347-a0e7-75db-a591-fa96b843a798', '01a22347-9f5a-771f-b056-0e501a24e4e3', 0, 19757, 312500, 'EUR', 'Salary 31', 'note 31', '01a22347-9fb9-72f5-bcd8-cc0da68e9af1', NULL, NULL, false, NULL, NULL, 1795888226535019, 1795888226535019, NULL, NULL, false, false, NULL, 0, false);
INSERT INTO public.entries VALUES (1, '01a22347-a0e7-75db-a591-fa96b843a799', '01a22347-9f5a-771f-b056-0e501a24e4e3', 0, 19787, 322500, 'EUR', 'Kiosk 32', 'note 32', '01a22347-9fb9-72f5-bcd8-cc0da68e9af1', NULL, NULL, false, NULL, NULL, 1795888226535019, 1795888226535019, NULL, NULL, false, false, NULL, 0, false);
INSERT INTO public.entries VALUES (1, '01a22347-a0e7-75db-a591-fa96b843a79a', '01a22347-9f5a-771f-b056-0e501a24e4e3', 0, 19819, -332500, 'EUR', 'Bakery 33', 'note 33', '01a22347-9fb9-72f5-bcd8-cc0da68e9af1', NULL, NULL, false, NULL, NULL, 1795888226535019, 1795888226535019, NULL, NULL, false, false, NULL, 0, false);
INSERT INTO public.entries VALUES (1, '01a22347-a0e7-75db-a591-fa96b843a79b', '01a22347-9f5a-771f-b056-0e501a24e4e3', 0, 19850, 342500, 'EUR', 'Rent 34', 'note 34', '01a22347-9fb9-72f5-bcd8-cc0da68e9af1', NULL, NULL, false, NULL, NULL, 1795888226535019, 1795888226535019, NULL, NULL, false, false, NULL, 0, false);
INSERT INTO public.entries VALUES (1, '01a22347-a0e7-75db-a591-fa96b843a79c', '01a22347-9f5a-771f-b056-0e501a24e4e3', 0, 19882, 352500, 'EUR', 'Salary 35', 'note 35', '01a22347-9fb9-72f5-bcd8-cc0da68e9af1', NULL, NULL, false, NULL, NULL, 1795888226535019, 1795888226535019, NULL, NULL, false, false, NULL, 0, false);
INSERT INTO public.entries VALUES (1, '01a22347-a0e7-75db-a591-fa96b843a79d', '01a22347-9f5a-771f-b056-0e501a24e4e3', 0, 19731, -362500, 'EUR', 'Kiosk 36', 'note 36', '01a22347-9fb9-72f5-bcd8-cc0da68e9af1', NULL, NULL, false, NULL, NULL, 1795888226535019, 1795888226535019, NULL, NULL, false, false, NULL, 0, false);
INSERT INTO public.entries VALUES (1, '01a22347-a0e7-75db-a591-fa96b843a79e', '01a22347-9f5a-771f-b056-0e501a24e4e3', 0, 19763, 372500, 'EUR', 'Bakery 37', 'note 37', '01a22347-9fb9-72f5-bcd8-cc0da68e9af1', NULL, NULL, false, NULL, NULL, 1795888226535019, 1795888226535019, NULL, NULL, false, false, NULL, 0, false);
INSERT INTO public.entries VALUES (1, '01a22347-a0e7-75db-a591-fa96b843a79f', '01a22347-9f5a-771f-b056-0e501a24e4e3', 0, 19793, 382500, 'EUR', 'Rent 38', 'note 38', '01a22347-9fb9-72f5-bcd8-cc0da68e9af1', NULL, NULL, false, NULL, NULL, 1795888226535019, 1795888226535019, NULL, NULL, false, false, NULL, 0, false);
INSERT INTO public.entries VALUES (1, '01a22347-a0e7-75db-a591-fa96b843a7a0', '01a22347-9f5a-771f-b056-0e501a24e4e3', 0, 19825, -392500, 'EUR', 'Salary 39', 'note 39', '01a22347-9fb9-72f5-bcd8-cc0da68e9af1', NULL, NULL, false, NULL, NULL, 1795888226535019, 1795888226535019, NULL, NULL, false, false, NULL, 0, false);
INSERT INTO public.entries VALUES (1, '01a22347-a0e7-75db-a591-fa96b843a7a1', '01a22347-9f5a-771f-b056-0e501a24e4e3', 0, 19856, 402500, 'EUR', 'Kiosk 40', 'note 40', '01a22347-9fb9-72f5-bcd8-cc0da68e9af1', NULL, NULL, false, NULL, NULL, 1795888226535019, 1795888226535019, NULL, NULL, false, false, NULL, 0, false);
INSERT INTO public.entries VALUES (1, '01a22347-a177-7562-9024-e4cf3c0a4836', '01a22347-9f79-7110-a8ed-fa3a1a2f478a', 0, 19785, -500000, 'EUR', 'From giro', NULL, NULL, NULL, NULL, false, NULL, NULL, 1795888226679584, 1795888226679584, NULL, NULL, false, false, NULL, 0, false);
INSERT INTO public.entries VALUES (1, '01a22347-a177-7562-9024-e4cf3c0a4837', '01a22347-9f79-7110-a8ed-fa3a1a2f478a', 0, 19786, -10000, 'EUR', 'Interest', NULL, NULL, NULL, NULL, false, NULL, NULL, 1795888226679584, 1795888226679584, NULL, NULL, false, false, NULL, 0, false);
INSERT INTO public.entries VALUES (1, '01a22347-a1c2-70c3-8f91-535bf5b34943', '01a22347-9f5a-771f-b056-0e501a24e4e3', 0, 19785, 500000, 'EUR', 'To savings', NULL, NULL, NULL, NULL, false, NULL, NULL, 1795888226754722, 1795888226754722, NULL, NULL, false, false, NULL, 0, false);
INSERT INTO public.entries VALUES (1, '01a22347-a774-7450-a24f-718eba18d223', '01a22347-9f79-7110-a8ed-fa3a1a2f478a', 1, 19814, 600000, 'EUR', '', NULL, NULL, NULL, 'reconciliation', false, NULL, NULL, 1795888228212424, 1795888228212424, NULL, NULL, false, false, NULL, 0, false);
INSERT INTO public.entries VALUES (2, '01a22347-b0eb-760a-b738-dee7af41ef76', '01a22347-b0eb-760a-b738-dee7af41ef78', 1, 19722, 1000000, 'USD', '', NULL, NULL, NULL, 'opening_anchor', false, NULL, NULL, 1795888230635106, 1795888230635106, NULL, NULL, false, false, NULL, 0, false);
INSERT INTO public.entries VALUES (1, '01a22347-a26c-76c4-8e4e-29d84ef2b65a', '01a22347-9f5a-771f-b056-0e501a24e4e3', 0, 19849, 80000, 'EUR', 'Kept one', 'mine', NULL, NULL, NULL, false, NULL, NULL, 1795888226924016, 1795888227136223, 1795888227136223, NULL, false, false, NULL, 16, true);
INSERT INTO public.entries VALUES (1, '01a22347-a568-72aa-b464-03875115fb88', '01a22347-9f8a-72f2-b5fe-fd6d43847ecc', 2, 19724, 1500000, 'EUR', '', NULL, NULL, NULL, NULL, false, NULL, NULL, 1795888227688297, 1795888227688297, NULL, NULL, false, false, NULL, 0, false);
INSERT INTO public.entries VALUES (1, '01a22347-a70a-73d8-bf70-055d25958277', '01a22347-9f8a-72f2-b5fe-fd6d43847ecc', 2, 19755, -800000, 'EUR', '', NULL, NULL, NULL, NULL, false, NULL, NULL, 1795888228106039, 1795888228106039, NULL, NULL, false, false, NULL, 0, false);
INSERT INTO public.entries VALUES (1, '01a22347-a74a-7661-acd5-abc1800a9d2d', '01a22347-9f82-73f5-9662-2fbe574d44ea', 0, 19755, 123400, 'USD', 'Books', NULL, NULL, NULL, NULL, false, NULL, NULL, 1795888228170763, 1795888228170763, NULL, NULL, false, false, NULL, 193, false);
INSERT INTO public.entries VALUES (2, '01a22347-b20a-7009-9212-4408d395660d', '01a22347-b0f1-73c3-b744-4caa8c98ac98', 0, 19785, -500000, 'USD', 'From giro', NULL, NULL, NULL, NULL, false, NULL, NULL, 1795888230922596, 1795888230922596, NULL, NULL, false, false, NULL, 0, false);
INSERT INTO public.entries VALUES (2, '01a22347-b20a-7009-9212-4408d395660e', '01a22347-b0f1-73c3-b744-4caa8c98ac98', 0, 19786, -10000, 'USD', 'Interest', NULL, NULL, NULL, NULL, false, NULL, NULL, 1795888230922596, 1795888230922596, NULL, NULL, false, false, NULL, 0, false);
INSERT INTO public.entries VALUES (2, '01a22347-b38b-7474-8264-567001205652', '01a22347-b103-7508-9628-680ff41d1d13', 2, 19755, -800000, 'USD', '', NULL, NULL, NULL, NULL, false, NULL, NULL, 1795888231307591, 1795888231307591, NULL, NULL, false, false, NULL, 0, false);
INSERT INTO public.entries VALUES (2, '01a22347-b3a4-70ae-932b-823fdd840f4d', '01a22347-b0f8-751d-80dc-ac56724969cc', 0, 19755, 123400, 'USD', 'Books', NULL, NULL, NULL, NULL, false, NULL, NULL, 1795888231332894, 1795888231332894, NULL, NULL, false, false, NULL, 193, false);
INSERT INTO public.entries VALUES (2, '01a22347-b196-72e3-974d-ec994555fe93', '01a22347-b0eb-760a-b738-dee7af41ef78', 0, 19755, 12500, 'USD', 'Bakery 1', 'note 1', '01a22347-b113-722e-9bdd-e9eec04a8771', NULL, NULL, false, NULL, NULL, 1795888230806259, 1795888230806259, NULL, NULL, false, false, NULL, 0, false);
INSERT INTO public.entries VALUES (2, '01a22347-b196-72e3-974d-ec994555fe94', '01a22347-b0eb-760a-b738-dee7af41ef78', 0, 19785, 22500, 'USD', 'Rent 2', 'note 2', '01a22347-b113-722e-9bdd-e9eec04a8771', NULL, NULL, false, NULL, NULL, 1795888230806259, 1795888230806259, NULL, NULL, false, false, NULL, 0, false);
INSERT INTO public.entries VALUES (2, '01a22347-b196-72e3-974d-ec994555fe95', '01a22347-b0eb-760a-b738-dee7af41ef78', 0, 19817, -32500, 'USD', 'Salary 3', 'note 3', '01a22347-b113-722e-9bdd-e9eec04a8771', NULL, NULL, false, NULL, NULL, 1795888230806259, 1795888230806259, NULL, NULL, false, false, NULL, 0, false);
INSERT INTO public.entries VALUES (2, '01a22347-b196-72e3-974d-ec994555fe96', '01a22347-b0eb-760a-b738-dee7af41ef78', 0, 19848, 42500, 'USD', 'Kiosk 4', 'note 4', '01a22347-b113-722e-9bdd-e9eec04a8771', NULL, NULL, false, NULL, NULL, 1795888230806259, 1795888230806259, NULL, NULL, false, false, NULL, 0, false);
INSERT INTO public.entries VALUES (2, '01a22347-b196-72e3-974d-ec994555fe97', '01a22347-b0eb-760a-b738-dee7af41ef78', 0, 19880, 52500, 'USD', 'Bakery 5', 'note 5', '01a22347-b113-722e-9bdd-e9eec04a8771', NULL, NULL, false, NULL, NULL, 1795888230806259, 1795888230806259, NULL, NULL, false, false, NULL, 0, false);
INSERT INTO public.entries VALUES (2, '01a22347-b196-72e3-974d-ec994555fe98', '01a22347-b0eb-760a-b738-dee7af41ef78', 0, 19729, -62500, 'USD', 'Rent 6', 'note 6', '01a22347-b113-722e-9bdd-e9eec04a8771', NULL, NULL, false, NULL, NULL, 1795888230806259, 1795888230806259, NULL, NULL, false, false, NULL, 0, false);
INSERT INTO public.entries VALUES (2, '01a22347-b196-72e3-974d-ec994555fe99', '01a22347-b0eb-760a-b738-dee7af41ef78', 0, 19761, 72500, 'USD', 'Salary 7', 'note 7', '01a22347-b113-722e-9bdd-e9eec04a8771', NULL, NULL, false, NULL, NULL, 1795888230806259, 1795888230806259, NULL, NULL, false, false, NULL, 0, false);
INSERT INTO public.entries VALUES (2, '01a22347-b196-72e3-974d-ec994555fe9a', '01a22347-b0eb-760a-b738-dee7af41ef78', 0, 19791, 82500, 'USD', 'Kiosk 8', 'note 8', '01a22347-b113-722e-9bdd-e9eec04a8771', NULL, NULL, false, NULL, NULL, 1795888230806259, 1795888230806259, NULL, NULL, false, false, NULL, 0, false);
INSERT INTO public.entries VALUES (2, '01a22347-b196-72e3-974d-ec994555fe9b', '01a22347-b0eb-760a-b738-dee7af41ef78', 0, 19823, -92500, 'USD', 'Bakery 9', 'note 9', '01a22347-b113-722e-9bdd-e9eec04a8771', NULL, NULL, false, NULL, NULL, 1795888230806259, 1795888230806259, NULL, NULL, false, false, NULL, 0, false);
INSERT INTO public.entries VALUES (2, '01a22347-b196-72e3-974d-ec994555fe9c', '01a22347-b0eb-760a-b738-dee7af41ef78', 0, 19854, 102500, 'USD', 'Rent 10', 'note 10', '01a22347-b113-722e-9bdd-e9eec04a8771', NULL, NULL, false, NULL, NULL, 1795888230806259, 1795888230806259, NULL, NULL, false, false, NULL, 0, false);
INSERT INTO public.entries VALUES (2, '01a22347-b196-72e3-974d-ec994555fe9d', '01a22347-b0eb-760a-b738-dee7af41ef78', 0, 19886, 112500, 'USD', 'Salary 11', 'note 11', '01a22347-b113-722e-9bdd-e9eec04a8771', NULL, NULL, false, NULL, NULL, 1795888230806259, 1795888230806259, NULL, NULL, false, false, NULL, 0, false);
INSERT INTO public.entries VALUES (2, '01a22347-b196-72e3-974d-ec994555fe9e', '01a22347-b0eb-760a-b738-dee7af41ef78', 0, 19735, -122500, 'USD', 'Kiosk 12', 'note 12', '01a22347-b113-722e-9bdd-e9eec04a8771', NULL, NULL, false, NULL, NULL, 1795888230806259, 1795888230806259, NULL, NULL, false, false, NULL, 0, false);
INSERT INTO public.entries VALUES (2, '01a22347-b196-72e3-974d-ec994555fe9f', '01a22347-b0eb-760a-b738-dee7af41ef78', 0, 19767, 132500, 'USD', 'Bakery 13', 'note 13', '01a22347-b113-722e-9bdd-e9eec04a8771', NULL, NULL, false, NULL, NULL, 1795888230806259, 1795888230806259, NULL, NULL, false, false, NULL, 0, false);
INSERT INTO public.entries VALUES (2, '01a22347-b196-72e3-974d-ec994555fea0', '01a22347-b0eb-760a-b738-dee7af41ef78', 0, 19797, 142500, 'USD', 'Rent 14', 'note 14', '01a22347-b113-722e-9bdd-e9eec04a8771', NULL, NULL, false, NULL, NULL, 1795888230806259, 1795888230806259, NULL, NULL, false, false, NULL, 0, false);
INSERT INTO public.entries VALUES (2, '01a22347-b196-72e3-974d-ec994555fea1', '01a22347-b0eb-760a-b738-dee7af41ef78', 0, 19829, -152500, 'USD', 'Salary 15', 'note 15', '01a22347-b113-722e-9bdd-e9eec04a8771', NULL, NULL, false, NULL, NULL, 1795888230806259, 1795888230806259, NULL, NULL, false, false, NULL, 0, false);
INSERT INTO public.entries VALUES (2, '01a22347-b196-72e3-974d-ec994555fea2', '01a22347-b0eb-760a-b738-dee7af41ef78', 0, 19860, 162500, 'USD', 'Kiosk 16', 'note 16', '01a22347-b113-722e-9bdd-e9eec04a8771', NULL, NULL, false, NULL, NULL, 1795888230806259, 1795888230806259, NULL, NULL, false, false, NULL, 0, false);
INSERT INTO public.entries VALUES (2, '01a22347-b196-72e3-974d-ec994555fea4', '01a22347-b0eb-760a-b738-dee7af41ef78', 0, 19741, -182500, 'USD', 'Rent 18', 'note 18', '01a22347-b113-722e-9bdd-e9eec04a8771', NULL, NULL, false, NULL, NULL, 1795888230806259, 1795888230806259, NULL, NULL, false, false, NULL, 0, false);
INSERT INTO public.entries VALUES (2, '01a22347-b196-72e3-974d-ec994555fea5', '01a22347-b0eb-760a-b738-dee7af41ef78', 0, 19773, 192500, 'USD', 'Salary 19', 'note 19', '01a22347-b113-722e-9bdd-e9eec04a8771', NULL, NULL, false, NULL, NULL, 1795888230806259, 1795888230806259, NULL, NULL, false, false, NULL, 0, false);
INSERT INTO public.entries VALUES (2, '01a22347-b196-72e3-974d-ec994555fea6', '01a22347-b0eb-760a-b738-dee7af41ef78', 0, 19803, 202500, 'USD', 'Kiosk 20', 'note 20', '01a22347-b113-722e-9bdd-e9eec04a8771', NULL, NULL, false, NULL, NULL, 1795888230806259, 1795888230806259, NULL, NULL, false, false, NULL, 0, false);
INSERT INTO public.entries VALUES (2, '01a22347-b196-72e3-974d-ec994555fea7', '01a22347-b0eb-760a-b738-dee7af41ef78', 0, 19835, -212500, 'USD', 'Bakery 21', 'note 21', '01a22347-b113-722e-9bdd-e9eec04a8771', NULL, NULL, false, NULL, NULL, 1795888230806259, 1795888230806259, NULL, NULL, false, false, NULL, 0, false);
INSERT INTO public.entries VALUES (2, '01a22347-b196-72e3-974d-ec994555fea8', '01a22347-b0eb-760a-b738-dee7af41ef78', 0, 19866, 222500, 'USD', 'Rent 22', 'note 22', '01a22347-b113-722e-9bdd-e9eec04a8771', NULL, NULL, false, NULL, NULL, 1795888230806259, 1795888230806259, NULL, NULL, false, false, NULL, 0, false);
INSERT INTO public.entries VALUES (2, '01a22347-b196-72e3-974d-ec994555fea9', '01a22347-b0eb-760a-b738-dee7af41ef78', 0, 19898, 232500, 'USD', 'Salary 23', 'note 23', '01a22347-b113-722e-9bdd-e9eec04a8771', NULL, NULL, false, NULL, NULL, 1795888230806259, 1795888230806259, NULL, NULL, false, false, NULL, 0, false);
INSERT INTO public.entries VALUES (2, '01a22347-b196-72e3-974d-ec994555feaa', '01a22347-b0eb-760a-b738-dee7af41ef78', 0, 19747, -242500, 'USD', 'Kiosk 24', 'note 24', '01a22347-b113-722e-9bdd-e9eec04a8771', NULL, NULL, false, NULL, NULL, 1795888230806259, 1795888230806259, NULL, NULL, false, false, NULL, 0, false);
INSERT INTO public.entries VALUES (2, '01a22347-b196-72e3-974d-ec994555feab', '01a22347-b0eb-760a-b738-dee7af41ef78', 0, 19779, 252500, 'USD', 'Bakery 25', 'note 25', '01a22347-b113-722e-9bdd-e9eec04a8771', NULL, NULL, false, NULL, NULL, 1795888230806259, 1795888230806259, NULL, NULL, false, false, NULL, 0, false);
INSERT INTO public.entries VALUES (2, '01a22347-b196-72e3-974d-ec994555feac', '01a22347-b0eb-760a-b738-dee7af41ef78', 0, 19809, 262500, 'USD', 'Rent 26', 'note 26', '01a22347-b113-722e-9bdd-e9eec04a8771', NULL, NULL, false, NULL, NULL, 1795888230806259, 1795888230806259, NULL, NULL, false, false, NULL, 0, false);
INSERT INTO public.entries VALUES (2, '01a22347-b196-72e3-974d-ec994555fead', '01a22347-b0eb-760a-b738-dee7af41ef78', 0, 19841, -272500, 'USD', 'Salary 27', 'note 27', '01a22347-b113-722e-9bdd-e9eec04a8771', NULL, NULL, false, NULL, NULL, 1795888230806259, 1795888230806259, NULL, NULL, false, false, NULL, 0, false);
INSERT INTO public.entries VALUES (2, '01a22347-b196-72e3-974d-ec994555feae', '01a22347-b0eb-760a-b738-dee7af41ef78', 0, 19844, 282500, 'USD', 'Kiosk 28', 'note 28', '01a22347-b113-722e-9bdd-e9eec04a8771', NULL, NULL, false, NULL, NULL, 1795888230806259, 1795888230806259, NULL, NULL, false, false, NULL, 0, false);
INSERT INTO public.entries VALUES (2, '01a22347-b196-72e3-974d-ec994555feaf', '01a22347-b0eb-760a-b738-dee7af41ef78', 0, 19876, 292500, 'USD', 'Bakery 29', 'note 29', '01a22347-b113-722e-9bdd-e9eec04a8771', NULL, NULL, false, NULL, NULL, 1795888230806259, 1795888230806259, NULL, NULL, false, false, NULL, 0, false);
INSERT INTO public.entries VALUES (2, '01a22347-b196-72e3-974d-ec994555feb0', '01a22347-b0eb-760a-b738-dee7af41ef78', 0, 19725, -302500, 'USD', 'Rent 30', 'note 30', '01a22347-b113-722e-9bdd-e9eec04a8771', NULL, NULL, false, NULL, NULL, 1795888230806259, 1795888230806259, NULL, NULL, false, false, NULL, 0, false);
INSERT INTO public.entries VALUES (2, '01a22347-b196-72e3-974d-ec994555feb1', '01a22347-b0eb-760a-b738-dee7af41ef78', 0, 19757, 312500, 'USD', 'Salary 31', 'note 31', '01a22347-b113-722e-9bdd-e9eec04a8771', NULL, NULL, false, NULL, NULL, 1795888230806259, 1795888230806259, NULL, NULL, false, false, NULL, 0, false);
INSERT INTO public.entries VALUES (2, '01a22347-b196-72e3-974d-ec994555feb2', '01a22347-b0eb-760a-b738-dee7af41ef78', 0, 19787, 322500, 'USD', 'Kiosk 32', 'note 32', '01a22347-b113-722e-9bdd-e9eec04a8771', NULL, NULL, false, NULL, NULL, 1795888230806259, 1795888230806259, NULL, NULL, false, false, NULL, 0, false);
INSERT INTO public.entries VALUES (2, '01a22347-b196-72e3-974d-ec994555feb3', '01a22347-b0eb-760a-b738-dee7af41ef78', 0, 19819, -332500, 'USD', 'Bakery 33', 'note 33', '01a22347-b113-722e-9bdd-e9eec04a8771', NULL, NULL, false, NULL, NULL, 1795888230806259, 1795888230806259, NULL, NULL, false, false, NULL, 0, false);
INSERT INTO public.entries VALUES (2, '01a22347-b196-72e3-974d-ec994555feb4', '01a22347-b0eb-760a-b738-dee7af41ef78', 0, 19850, 342500, 'USD', 'Rent 34', 'note 34', '01a22347-b113-722e-9bdd-e9eec04a8771', NULL, NULL, false, NULL, NULL, 1795888230806259, 1795888230806259, NULL, NULL, false, false, NULL, 0, false);
INSERT INTO public.entries VALUES (2, '01a22347-b196-72e3-974d-ec994555feb5', '01a22347-b0eb-760a-b738-dee7af41ef78', 0, 19882, 352500, 'USD', 'Salary 35', 'note 35', '01a22347-b113-722e-9bdd-e9eec04a8771', NULL, NULL, false, NULL, NULL, 1795888230806259, 1795888230806259, NULL, NULL, false, false, NULL, 0, false);
INSERT INTO public.entries VALUES (2, '01a22347-b196-72e3-974d-ec994555feb6', '01a22347-b0eb-760a-b738-dee7af41ef78', 0, 19731, -362500, 'USD', 'Kiosk 36', 'note 36', '01a22347-b113-722e-9bdd-e9eec04a8771', NULL, NULL, false, NULL, NULL, 1795888230806259, 1795888230806259, NULL, NULL, false, false, NULL, 0, false);
INSERT INTO public.entries VALUES (2, '01a22347-b196-72e3-974d-ec994555feb7', '01a22347-b0eb-760a-b738-dee7af41ef78', 0, 19763, 372500, 'USD', 'Bakery 37', 'note 37', '01a22347-b113-722e-9bdd-e9eec04a8771', NULL, NULL, false, NULL, NULL, 1795888230806259, 1795888230806259, NULL, NULL, false, false, NULL, 0, false);
INSERT INTO public.entries VALUES (2, '01a22347-b196-72e3-974d-ec994555feb8', '01a22347-b0eb-760a-b738-dee7af41ef78', 0, 19793, 382500, 'USD', 'Rent 38', 'note 38', '01a22347-b113-722e-9bdd-e9eec04a8771', NULL, NULL, false, NULL, NULL, 1795888230806259, 1795888230806259, NULL, NULL, false, false, NULL, 0, false);
INSERT INTO public.entries VALUES (2, '01a22347-b196-72e3-974d-ec994555feb9', '01a22347-b0eb-760a-b738-dee7af41ef78', 0, 19825, -392500, 'USD', 'Salary 39', 'note 39', '01a22347-b113-722e-9bdd-e9eec04a8771', NULL, NULL, false, NULL, NULL, 1795888230806259, 1795888230806259, NULL, NULL, false, false, NULL, 0, false);
INSERT INTO public.entries VALUES (2, '01a22347-b196-72e3-974d-ec994555feba', '01a22347-b0eb-760a-b738-dee7af41ef78', 0, 19856, 402500, 'USD', 'Kiosk 40', 'note 40', '01a22347-b113-722e-9bdd-e9eec04a8771', NULL, NULL, false, NULL, NULL, 1795888230806259, 1795888230806259, NULL, NULL, false, false, NULL, 0, false);
INSERT INTO public.entries VALUES (2, '01a22347-b29a-7759-b6f6-ebad99fe7174', '01a22347-b0eb-760a-b738-dee7af41ef78', 0, 19785, 500000, 'USD', 'To savings', NULL, NULL, NULL, NULL, false, NULL, NULL, 1795888231066337, 1795888231066337, NULL, NULL, false, false, NULL, 0, false);
INSERT INTO public.entries VALUES (2, '01a22347-b2d9-7552-95c3-65b6fb6a7273', '01a22347-b0eb-760a-b738-dee7af41ef78', 0, 19849, 80000, 'USD', 'Kept one', 'mine', NULL, NULL, NULL, false, NULL, NULL, 1795888231129216, 1795888231200611, 1795888231200611, NULL, false, false, NULL, 16, true);
INSERT INTO public.entries VALUES (2, '01a22347-b363-7315-9a70-e297968bfe66', '01a22347-b103-7508-9628-680ff41d1d13', 2, 19724, 1500000, 'USD', '', NULL, NULL, NULL, NULL, false, NULL, NULL, 1795888231267473, 1795888231267473, NULL, NULL, false, false, NULL, 0, false);
INSERT INTO public.entries VALUES (2, '01a22347-b3b2-7363-b12f-f0744404e827', '01a22347-b0f1-73c3-b744-4caa8c98ac98', 1, 19814, 600000, 'USD', '', NULL, NULL, NULL, 'reconciliation', false, NULL, NULL, 1795888231346375, 1795888231346375, NULL, NULL, false, false, NULL, 0, false);
INSERT INTO public.entry_origins VALUES (1, '01a22347-a26c-76c4-8e4e-29d84ef2b65a', '01a22347-9f5a-771f-b056-0e501a24e4e3', 19849, 80000, 'EUR', 'Kept one', NULL, NULL, NULL, 0);
INSERT INTO public.entry_origins VALUES (1, '01a22347-a0e7-75db-a591-fa96b843a78a', '01a22347-9f5a-771f-b056-0e501a24e4e3', 19892, 172500, 'EUR', 'Bakery 17', NULL, 1795888228275581, NULL, 0);
INSERT INTO public.entry_origins VALUES (2, '01a22347-b2d9-7552-95c3-65b6fb6a7273', '01a22347-b0eb-760a-b738-dee7af41ef78', 19849, 80000, 'USD', 'Kept one', NULL, NULL, NULL, 0);
INSERT INTO public.entry_origins VALUES (2, '01a22347-b196-72e3-974d-ec994555fea3', '01a22347-b0eb-760a-b738-dee7af41ef78', 19892, 172500, 'USD', 'Bakery 17', NULL, 1795888231390813, NULL, 0);
INSERT INTO public.entry_tags VALUES (1, '01a22347-a0e7-75db-a591-fa96b843a77a', '01a22347-9fd4-739b-99be-604b0d4889a6');
INSERT INTO public.entry_tags VALUES (1, '01a22347-a0e7-75db-a591-fa96b843a77b', '01a22347-9fd4-739b-99be-604b0d4889a6');
INSERT INTO public.entry_tags VALUES (1, '01a22347-a0e7-75db-a591-fa96b843a77c', '01a22347-9fd4-739b-99be-604b0d4889a6');
INSERT INTO public.entry_tags VALUES (1, '01a22347-a0e7-75db-a591-fa96b843a77d', '01a22347-9fd4-739b-99be-604b0d4889a6');
INSERT INTO public.entry_tags VALUES (1, '01a22347-a0e7-75db-a591-fa96b843a77e', '01a22347-9fd4-739b-99be-604b0d4889a6');
INSERT INTO public.entry_tags VALUES (1, '01a22347-a0e7-75db-a591-fa96b843a77f', '01a22347-9fd4-739b-99be-604b0d4889a6');
INSERT INTO public.entry_tags VALUES (1, '01a22347-a0e7-75db-a591-fa96b843a780', '01a22347-9fd4-739b-99be-604b0d4889a6');
INSERT INTO public.entry_tags VALUES (1, '01a22347-a0e7-75db-a591-fa96b843a781', '01a22347-9fd4-739b-99be-604b0d4889a6');
INSERT INTO public.entry_tags VALUES (1, '01a22347-a0e7-75db-a591-fa96b843a782', '01a22347-9fd4-739b-99be-604b0d4889a6');
INSERT INTO public.entry_tags VALUES (1, '01a22347-a0e7-75db-a591-fa96b843a783', '01a22347-9fd4-739b-99be-604b0d4889a6');
INSERT INTO public.entry_tags VALUES (1, '01a22347-a0e7-75db-a591-fa96b843a784', '01a22347-9fd4-739b-99be-604b0d4889a6');
INSERT INTO public.entry_tags VALUES (1, '01a22347-a0e7-75db-a591-fa96b843a785', '01a22347-9fd4-739b-99be-604b0d4889a6');
INSERT INTO public.entry_tags VALUES (1, '01a22347-a0e7-75db-a591-fa96b843a786', '01a22347-9fd4-739b-99be-604b0d4889a6');
INSERT INTO public.entry_tags VALUES (1, '01a22347-a0e7-75db-a591-fa96b843a787', '01a22347-9fd4-739b-99be-604b0d4889a6');
INSERT INTO public.entry_tags VALUES (1, '01a22347-a0e7-75db-a591-fa96b843a788', '01a22347-9fd4-739b-99be-604b0d4889a6');
INSERT INTO public.entry_tags VALUES (1, '01a22347-a0e7-75db-a591-fa96b843a789', '01a22347-9fd4-739b-99be-604b0d4889a6');
INSERT INTO public.entry_tags VALUES (1, '01a22347-a0e7-75db-a591-fa96b843a78b', '01a22347-9fd4-739b-99be-604b0d4889a6');
INSERT INTO public.entry_tags VALUES (1, '01a22347-a0e7-75db-a591-fa96b843a78c', '01a22347-9fd4-739b-99be-604b0d4889a6');
INSERT INTO public.entry_tags VALUES (1, '01a22347-a0e7-75db-a591-fa96b843a78d', '01a22347-9fd4-739b-99be-604b0d4889a6');
INSERT INTO public.entry_tags VALUES (1, '01a22347-a0e7-75db-a591-fa96b843a78e', '01a22347-9fd4-739b-99be-604b0d4889a6');
INSERT INTO public.entry_tags VALUES (1, '01a22347-a0e7-75db-a591-fa96b843a78f', '01a22347-9fd4-739b-99be-604b0d4889a6');
INSERT INTO public.entry_tags VALUES (1, '01a22347-a0e7-75db-a591-fa96b843a790', '01a22347-9fd4-739b-99be-604b0d4889a6');
INSERT INTO public.entry_tags VALUES (1, '01a22347-a0e7-75db-a591-fa96b843a791', '01a22347-9fd4-739b-99be-604b0d4889a6');
INSERT INTO public.entry_tags VALUES (1, '01a22347-a0e7-75db-a591-fa96b843a792', '01a22347-9fd4-739b-99be-604b0d4889a6');
INSERT INTO public.entry_tags VALUES (1, '01a22347-a0e7-75db-a591-fa96b843a793', '01a22347-9fd4-739b-99be-604b0d4889a6');
INSERT INTO public.entry_tags VALUES (1, '01a22347-a0e7-75db-a591-fa96b843a794', '01a22347-9fd4-739b-99be-604b0d4889a6');
INSERT INTO public.entry_tags VALUES (1, '01a22347-a0e7-75db-a591-fa96b843a795', '01a22347-9fd4-739b-99be-604b0d4889a6');
INSERT INTO public.entry_tags VALUES (1, '01a22347-a0e7-75db-a591-fa96b843a796', '01a22347-9fd4-739b-99be-604b0d4889a6');
INSERT INTO public.entry_tags VALUES (1, '01a22347-a0e7-75db-a591-fa96b843a797', '01a22347-9fd4-739b-99be-604b0d4889a6');
INSERT INTO public.entry_tags VALUES (1, '01a22347-a0e7-75db-a591-fa96b843a798', '01a22347-9fd4-739b-99be-604b0d4889a6');
INSERT INTO public.entry_tags VALUES (1, '01a22347-a0e7-75db-a591-fa96b843a799', '01a22347-9fd4-739b-99be-604b0d4889a6');
INSERT INTO public.entry_tags VALUES (1, '01a22347-a0e7-75db-a591-fa96b843a79a', '01a22347-9fd4-739b-99be-604b0d4889a6');
INSERT INTO public.entry_tags VALUES (1, '01a22347-a0e7-75db-a591-fa96b843a79b', '01a22347-9fd4-739b-99be-604b0d4889a6');
INSERT INTO public.entry_tags VALUES (1, '01a22347-a0e7-75db-a591-fa96b843a79c', '01a22347-9fd4-739b-99be-604b0d4889a6');
INSERT INTO public.entry_tags VALUES (1, '01a22347-a0e7-75db-a591-fa96b843a79d', '01a22347-9fd4-739b-99be-604b0d4889a6');
INSERT INTO public.entry_tags VALUES (1, '01a22347-a0e7-75db-a591-fa96b843a79e', '01a22347-9fd4-739b-99be-604b0d4889a6');
INSERT INTO public.entry_tags VALUES (1, '01a22347-a0e7-75db-a591-fa96b843a79f', '01a22347-9fd4-739b-99be-604b0d4889a6');
INSERT INTO public.entry_tags VALUES (1, '01a22347-a0e7-75db-a591-fa96b843a7a0', '01a22347-9fd4-739b-99be-604b0d4889a6');
INSERT INTO public.entry_tags VALUES (1, '01a22347-a0e7-75db-a591-fa96b843a7a1', '01a22347-9fd4-739b-99be-604b0d4889a6');
INSERT INTO public.entry_tags VALUES (2, '01a22347-b196-72e3-974d-ec994555fe93', '01a22347-b121-7143-91d8-325e9d73cbf7');
INSERT INTO public.entry_tags VALUES (2, '01a22347-b196-72e3-974d-ec994555fe94', '01a22347-b121-7143-91d8-325e9d73cbf7');
INSERT INTO public.entry_tags VALUES (2, '01a22347-b196-72e3-974d-ec994555fe95', '01a22347-b121-7143-91d8-325e9d73cbf7');
INSERT INTO public.entry_tags VALUES (2, '01a22347-b196-72e3-974d-ec994555fe96', '01a22347-b121-7143-91d8-325e9d73cbf7');
INSERT INTO public.entry_tags VALUES (2, '01a22347-b196-72e3-974d-ec994555fe97', '01a22347-b121-7143-91d8-325e9d73cbf7');
INSERT INTO public.entry_tags VALUES (2, '01a22347-b196-72e3-974d-ec994555fe98', '01a22347-b121-7143-91d8-325e9d73cbf7');
INSERT INTO public.entry_tags VALUES (2, '01a22347-b196-72e3-974d-ec994555fe99', '01a22347-b121-7143-91d8-325e9d73cbf7');
INSERT INTO public.entry_tags VALUES (2, '01a22347-b196-72e3-974d-ec994555fe9a', '01a22347-b121-7143-91d8-325e9d73cbf7');
INSERT INTO public.entry_tags VALUES (2, '01a22347-b196-72e3-974d-ec994555fe9b', '01a22347-b121-7143-91d8-325e9d73cbf7');
INSERT INTO public.entry_tags VALUES (2, '01a22347-b196-72e3-974d-ec994555fe9c', '01a22347-b121-7143-91d8-325e9d73cbf7');
INSERT INTO public.entry_tags VALUES (2, '01a22347-b196-72e3-974d-ec994555fe9d', '01a22347-b121-7143-91d8-325e9d73cbf7');
INSERT INTO public.entry_tags VALUES (2, '01a22347-b196-72e3-974d-ec994555fe9e', '01a22347-b121-7143-91d8-325e9d73cbf7');
INSERT INTO public.entry_tags VALUES (2, '01a22347-b196-72e3-974d-ec994555fe9f', '01a22347-b121-7143-91d8-325e9d73cbf7');
INSERT INTO public.entry_tags VALUES (2, '01a22347-b196-72e3-974d-ec994555fea0', '01a22347-b121-7143-91d8-325e9d73cbf7');
INSERT INTO public.entry_tags VALUES (2, '01a22347-b196-72e3-974d-ec994555fea1', '01a22347-b121-7143-91d8-325e9d73cbf7');
INSERT INTO public.entry_tags VALUES (2, '01a22347-b196-72e3-974d-ec994555fea2', '01a22347-b121-7143-91d8-325e9d73cbf7');
INSERT INTO public.entry_tags VALUES (2, '01a22347-b196-72e3-974d-ec994555fea4', '01a22347-b121-7143-91d8-325e9d73cbf7');
INSERT INTO public.entry_tags VALUES (2, '01a22347-b196-72e3-974d-ec994555fea5', '01a22347-b121-7143-91d8-325e9d73cbf7');
INSERT INTO public.entry_tags VALUES (2, '01a22347-b196-72e3-974d-ec994555fea6', '01a22347-b121-7143-91d8-325e9d73cbf7');
INSERT INTO public.entry_tags VALUES (2, '01a22347-b196-72e3-974d-ec994555fea7', '01a22347-b121-7143-91d8-325e9d73cbf7');
INSERT INTO public.entry_tags VALUES (2, '01a22347-b196-72e3-974d-ec994555fea8', '01a22347-b121-7143-91d8-325e9d73cbf7');
INSERT INTO public.entry_tags VALUES (2, '01a22347-b196-72e3-974d-ec994555fea9', '01a22347-b121-7143-91d8-325e9d73cbf7');
INSERT INTO public.entry_tags VALUES (2, '01a22347-b196-72e3-974d-ec994555feaa', '01a22347-b121-7143-91d8-325e9d73cbf7');
INSERT INTO public.entry_tags VALUES (2, '01a22347-b196-72e3-974d-ec994555feab', '01a22347-b121-7143-91d8-325e9d73cbf7');
INSERT INTO public.entry_tags VALUES (2, '01a22347-b196-72e3-974d-ec994555feac', '01a22347-b121-7143-91d8-325e9d73cbf7');
INSERT INTO public.entry_tags VALUES (2, '01a22347-b196-72e3-974d-ec994555fead', '01a22347-b121-7143-91d8-325e9d73cbf7');
INSERT INTO public.entry_tags VALUES (2, '01a22347-b196-72e3-974d-ec994555feae', '01a22347-b121-7143-91d8-325e9d73cbf7');
INSERT INTO public.entry_tags VALUES (2, '01a22347-b196-72e3-974d-ec994555feaf', '01a22347-b121-7143-91d8-325e9d73cbf7');
INSERT INTO public.entry_tags VALUES (2, '01a22347-b196-72e3-974d-ec994555feb0', '01a22347-b121-7143-91d8-325e9d73cbf7');
INSERT INTO public.entry_tags VALUES (2, '01a22347-b196-72e3-974d-ec994555feb1', '01a22347-b121-7143-91d8-325e9d73cbf7');
INSERT INTO public.entry_tags VALUES (2, '01a22347-b196-72e3-974d-ec994555feb2', '01a22347-b121-7143-91d8-325e9d73cbf7');
INSERT INTO public.entry_tags VALUES (2, '01a22347-b196-72e3-974d-ec994555feb3', '01a22347-b121-7143-91d8-325e9d73cbf7');
INSERT INTO public.entry_tags VALUES (2, '01a22347-b196-72e3-974d-ec994555feb4', '01a22347-b121-7143-91d8-325e9d73cbf7');
INSERT INTO public.entry_tags VALUES (2, '01a22347-b196-72e3-974d-ec994555feb5', '01a22347-b121-7143-91d8-325e9d73cbf7');
INSERT INTO public.entry_tags VALUES (2, '01a22347-b196-72e3-974d-ec994555feb6', '01a22347-b121-7143-91d8-325e9d73cbf7');
INSERT INTO public.entry_tags VALUES (2, '01a22347-b196-72e3-974d-ec994555feb7', '01a22347-b121-7143-91d8-325e9d73cbf7');
INSERT INTO public.entry_tags VALUES (2, '01a22347-b196-72e3-974d-ec994555feb8', '01a22347-b121-7143-91d8-325e9d73cbf7');
INSERT INTO public.entry_tags VALUES (2, '01a22347-b196-72e3-974d-ec994555feb9', '01a22347-b121-7143-91d8-325e9d73cbf7');
INSERT INTO public.entry_tags VALUES (2, '01a22347-b196-72e3-974d-ec994555feba', '01a22347-b121-7143-91d8-325e9d73cbf7');
INSERT INTO public.families VALUES (1, '01a22347-9ec8-77f1-9753-a6698a3d70b1', 'Ann', 'EUR', 'UTC', 23, 1795888225992709, 'automatic', NULL, 1, 'en', '%Y-%m-%d', NULL, NULL);
INSERT INTO public.families VALUES (2, '01a22347-b0bc-74a2-a8b8-167e7b91d1df', 'Bob', 'USD', 'UTC', 23, 1795888230588544, 'automatic', NULL, 1, 'en', '%Y-%m-%d', NULL, NULL);
INSERT INTO public.family_rates VALUES (1, '01a22347-9f93-71cb-8d82-8622c9f73d36', 'USD', 'EUR', 19723, '0.9', 'manual', 1795888226195377, 1795888226195377);
INSERT INTO public.family_rates VALUES (2, '01a22347-b106-7589-bb1c-19feb26c2a09', 'USD', 'EUR', 19723, '0.9', 'manual', 1795888230662555, 1795888230662555);
INSERT INTO public.files VALUES (1, '01a22347-a020-728d-9145-b864b3933a29', NULL, 1807, '\x808c67e47635dfa0f2cc3f5ee5ca83ab37de8be1c9a4d466c1b77712afdb3614', 1795888226479503);
INSERT INTO public.files VALUES (1, '01a22347-a13f-7432-b233-beb7e50557d6', NULL, 69, '\x8d5abe6009851cd91011b54ca53220dee80f79756163479fdc762653bdffd20d', 1795888226635345);
INSERT INTO public.files VALUES (1, '01a22347-a1a3-7267-98ff-f271f5632806', NULL, 46, '\xa1fc82474eaf843825d7971bf34f9822b0948a4f82e1837896983c1533517f21', 1795888226728318);
INSERT INTO public.files VALUES (1, '01a22347-a20f-705a-b3e7-1a9099b205a8', NULL, 71, '\xf0940847184a9f7fc95c2b0440abe9e80305caebb2a02903bb10ca8181ff4d94', 1795888226868223);
INSERT INTO public.files VALUES (1, '01a22347-a3f2-711f-b56b-4cf2fa5c9f9a', NULL, 40, '\xfbd523542512c7af3e47328c86fac8a0a522c0a4a8f75c9e6803157a285b6f6b', 1795888227629898);
INSERT INTO public.files VALUES (2, '01a22347-b157-728f-83bd-ced1f7720184', NULL, 1807, '\x808c67e47635dfa0f2cc3f5ee5ca83ab37de8be1c9a4d466c1b77712afdb3614', 1795888230775261);
INSERT INTO public.files VALUES (2, '01a22347-b1da-7343-a1c1-1307554cb6a6', NULL, 69, '\x8d5abe6009851cd91011b54ca53220dee80f79756163479fdc762653bdffd20d', 1795888230904402);
INSERT INTO public.files VALUES (2, '01a22347-b27b-747b-87a9-a17362c7801e', NULL, 46, '\xa1fc82474eaf843825d7971bf34f9822b0948a4f82e1837896983c1533517f21', 1795888231043036);
INSERT INTO public.files VALUES (2, '01a22347-b2c7-761b-b090-9bb3315f5d8c', NULL, 71, '\xf0940847184a9f7fc95c2b0440abe9e80305caebb2a02903bb10ca8181ff4d94', 1795888231116207);
INSERT INTO public.files VALUES (2, '01a22347-b341-776a-86f3-2d15cd38db53', NULL, 40, '\xfbd523542512c7af3e47328c86fac8a0a522c0a4a8f75c9e6803157a285b6f6b', 1795888231249861);
INSERT INTO public.holdings VALUES (1, '01a22347-a568-72aa-b464-03875115fb8b', '01a22347-9f8a-72f2-b5fe-fd6d43847ecc', '01a22347-a568-72aa-b464-03875115fb8a', NULL, NULL, NULL, NULL, false, 1795888227688297, 1795888227688297);
INSERT INTO public.holdings VALUES (2, '01a22347-b363-7315-9a70-e297968bfe69', '01a22347-b103-7508-9628-680ff41d1d13', '01a22347-b363-7315-9a70-e297968bfe68', NULL, NULL, NULL, NULL, false, 1795888231267473, 1795888231267473);
INSERT INTO public.import_mappings VALUES (1, '01a22347-a0af-72a8-8ede-0e87eeeb8b26', 'category', 'Food', 'food', '01a22347-9fb9-72f5-bcd8-cc0da68e9af1', false, NULL, NULL, 40, false, NULL, false);
INSERT INTO public.import_mappings VALUES (1, '01a22347-a0af-72a8-8ede-0e87eeeb8b26', 'tag', 'Trip', 'trip', '01a22347-9fd4-739b-99be-604b0d4889a6', false, NULL, NULL, 40, false, NULL, false);
INSERT INTO public.import_mappings VALUES (2, '01a22347-b177-725c-8ee6-c61f6379d064', 'category', 'Food', 'food', '01a22347-b113-722e-9bdd-e9eec04a8771', false, NULL, NULL, 40, false, NULL, false);
INSERT INTO public.import_mappings VALUES (2, '01a22347-b177-725c-8ee6-c61f6379d064', 'tag', 'Trip', 'trip', '01a22347-b121-7143-91d8-325e9d73cbf7', false, NULL, NULL, 40, false, NULL, false);
INSERT INTO public.import_offsets VALUES (1, '01a22347-a0af-72a8-8ede-0e87eeeb8b26', NULL, '\x2500000002000000');
INSERT INTO public.import_offsets VALUES (1, '01a22347-a14b-7087-92fc-32ab005e50c2', NULL, '\x1100000002000000');
INSERT INTO public.import_offsets VALUES (1, '01a22347-a1a8-7375-b263-f88870782aac', NULL, '\x1100000002000000');
INSERT INTO public.import_offsets VALUES (1, '01a22347-a234-702c-844a-16fd47afb825', NULL, '\x1100000002000000');
INSERT INTO public.import_offsets VALUES (1, '01a22347-a52d-73c2-baa3-554deebb0b8b', NULL, '\x1100000002000000');
INSERT INTO public.import_offsets VALUES (2, '01a22347-b177-725c-8ee6-c61f6379d064', NULL, '\x2500000002000000');
INSERT INTO public.import_offsets VALUES (2, '01a22347-b1f8-77fa-840c-5260224c9acd', NULL, '\x1100000002000000');
INSERT INTO public.import_offsets VALUES (2, '01a22347-b283-718a-899d-989dabceb14e', NULL, '\x1100000002000000');
INSERT INTO public.import_offsets VALUES (2, '01a22347-b2cc-7699-b376-f443f7e84b18', NULL, '\x1100000002000000');
INSERT INTO public.import_offsets VALUES (2, '01a22347-b351-77c3-8e65-bd684a2d06aa', NULL, '\x1100000002000000');
INSERT INTO public.import_plan_blocks VALUES (1, '01a22347-a0af-72a8-8ede-0e87eeeb8b26', 0, '\x00000000000000000000000000000000000000000000000000000000000000000000000000000000', '\x');
INSERT INTO public.import_plan_blocks VALUES (1, '01a22347-a14b-7087-92fc-32ab005e50c2', 0, '\x0000', '\x');
INSERT INTO public.import_plan_blocks VALUES (1, '01a22347-a1a8-7375-b263-f88870782aac', 0, '\x00', '\x');
INSERT INTO public.import_plan_blocks VALUES (1, '01a22347-a52d-73c2-baa3-554deebb0b8b', 0, '\x00', '\x');
INSERT INTO public.import_plan_blocks VALUES (1, '01a22347-a234-702c-844a-16fd47afb825', 0, '\x0003', '\x000101a22347a26c76c48e4e29d84ef2b65a');
INSERT INTO public.import_plan_blocks VALUES (2, '01a22347-b177-725c-8ee6-c61f6379d064', 0, '\x00000000000000000000000000000000000000000000000000000000000000000000000000000000', '\x');
INSERT INTO public.import_plan_blocks VALUES (2, '01a22347-b1f8-77fa-840c-5260224c9acd', 0, '\x0000', '\x');
INSERT INTO public.import_plan_blocks VALUES (2, '01a22347-b283-718a-899d-989dabceb14e', 0, '\x00', '\x');
INSERT INTO public.import_plan_blocks VALUES (2, '01a22347-b351-77c3-8e65-bd684a2d06aa', 0, '\x00', '\x');
INSERT INTO public.import_plan_blocks VALUES (2, '01a22347-b2cc-7699-b376-f443f7e84b18', 0, '\x0003', '\x000101a22347b2d9755295c365b6fb6a7273');
INSERT INTO public.import_templates VALUES (1, '01a22347-a0e7-75db-a591-fa96b843a7a4', 'TransactionImport', '\xa8361b8d6abe021f30e899fd64aa0597e4376d85e452d63588aae539c66a014f', 'Date, Amount, Name, Category…', '{"labels":{},"signage_convention":"inflows_positive"}', '{"date_format":"%Y-%m-%d","number_format":"1,234.56"}', '[]', '01a22347-9f5a-771f-b056-0e501a24e4e3', 1795888226535019, 1795888226535019, 1795888226535019);
INSERT INTO public.import_templates VALUES (1, '01a22347-a177-7562-9024-e4cf3c0a483a', 'TransactionImport', '\x130fe41b13decc3e95cfa2508c3989f8bd0e4d42e4340fb2f9db4ff8f5166ed6', 'Date, Amount, Name', '{"labels":{},"signage_convention":"inflows_positive"}', '{"date_format":"%Y-%m-%d","number_format":"1,234.56"}', '[]', '01a22347-9f5a-771f-b056-0e501a24e4e3', 1795888226924016, 1795888226679584, 1795888226924016);
INSERT INTO public.import_templates VALUES (2, '01a22347-b196-72e3-974d-ec994555febd', 'TransactionImport', '\xa8361b8d6abe021f30e899fd64aa0597e4376d85e452d63588aae539c66a014f', 'Date, Amount, Name, Category…', '{"labels":{},"signage_convention":"inflows_positive"}', '{"date_format":"%Y-%m-%d","number_format":"1,234.56"}', '[]', '01a22347-b0eb-760a-b738-dee7af41ef78', 1795888230806259, 1795888230806259, 1795888230806259);
INSERT INTO public.import_templates VALUES (2, '01a22347-b20a-7009-9212-4408d3956611', 'TransactionImport', '\x130fe41b13decc3e95cfa2508c3989f8bd0e4d42e4340fb2f9db4ff8f5166ed6', 'Date, Amount, Name', '{"labels":{},"signage_convention":"inflows_positive"}', '{"date_format":"%Y-%m-%d","number_format":"1,234.56"}', '[]', '01a22347-b0eb-760a-b738-dee7af41ef78', 1795888231129216, 1795888230922596, 1795888231129216);
INSERT INTO public.imports VALUES (1, '01a22347-a14b-7087-92fc-32ab005e50c2', 'TransactionImport', 'complete', '01a22347-9f79-7110-a8ed-fa3a1a2f478a', '01a22347-a13f-7432-b233-beb7e50557d6', '{"labels":{},"signage_convention":"inflows_positive"}', '{"kind":"transaction","encoding":"UTF-8","encoding_certain":true,"separator":",","headers":["Date","Amount","Name"],"header_line":1,"start":{"offset":17,"line":2,"row":1},"columns":{"date":0,"amount":1,"debit":null,"credit":null,"direction":null,"names":[2],"category":null,"tags":null,"notes":null,"account":null,"currency":null,"balance":null,"external_id":null},"amount":{"signed":{"column":1}},"date_format":"%Y-%m-%d","number_format":"1,234.56","signage":"inflows_positive","found":["date_col_label","amount_col_label","name_col_label","col_sep","date_format","number_format"],"duplicate_headers":[],"problems":[]}', true, 20785, 2, 2, 0, 0, 0, '[]', false, false, '\x1e0f24cc840c1b0d5cfaf5fd94ff805fe5be34b863766cf2032f8524affbdfb8', NULL, NULL, '01a22347-a177-7562-9024-e4cf3c0a4836', '01a22347-a177-7562-9024-e4cf3c0a4837', 2, 1795888226679584, 1795888226635345, 1795888226679584, '{"create":2,"possible_duplicate":0,"matched_by_id":0,"matched_by_content":0,"deleted_before":0,"invalid":0,"left_out":0,"needs_choice":0,"matched_by_name":0,"change":0,"repeats":0}', 13, 0, NULL, 0, 0);
INSERT INTO public.imports VALUES (1, '01a22347-a0af-72a8-8ede-0e87eeeb8b26', 'TransactionImport', 'complete', '01a22347-9f5a-771f-b056-0e501a24e4e3', '01a22347-a020-728d-9145-b864b3933a29', '{"labels":{},"signage_convention":"inflows_positive"}', '{"kind":"transaction","encoding":"UTF-8","encoding_certain":true,"separator":",","headers":["Date","Amount","Name","Category","Tags","Notes"],"header_line":1,"start":{"offset":37,"line":2,"row":1},"columns":{"date":0,"amount":1,"debit":null,"credit":null,"direction":null,"names":[2],"category":3,"tags":4,"notes":5,"account":null,"currency":null,"balance":null,"external_id":null},"amount":{"signed":{"column":1}},"date_format":"%Y-%m-%d","number_format":"1,234.56","signage":"inflows_positive","found":["date_col_label","amount_col_label","name_col_label","category_col_label","tags_col_label","notes_col_label","col_sep","date_format","number_format"],"duplicate_headers":[],"problems":[]}', true, 20785, 40, 40, 0, 2, 0, '[]', false, false, '\xb885ebef33702c41255af428fdfdf07f8976844d5723eb0eec0e12f1748b2e1f', NULL, NULL, '01a22347-a0e7-75db-a591-fa96b843a77a', '01a22347-a0e7-75db-a591-fa96b843a7a1', 40, 1795888226535019, 1795888226479503, 1795888226535019, '{"create":40,"possible_duplicate":0,"matched_by_id":0,"matched_by_content":0,"deleted_before":0,"invalid":0,"left_out":0,"needs_choice":0,"matched_by_name":0,"change":0,"repeats":0}', 12, 0, NULL, 0, 0);
INSERT INTO public.imports VALUES (1, '01a22347-a234-702c-844a-16fd47afb825', 'TransactionImport', 'pending', '01a22347-9f5a-771f-b056-0e501a24e4e3', '01a22347-a20f-705a-b3e7-1a9099b205a8', '{"labels":{},"signage_convention":"inflows_positive"}', '{"kind":"transaction","encoding":"UTF-8","encoding_certain":true,"separator":",","headers":["Date","Amount","Name"],"header_line":1,"start":{"offset":17,"line":2,"row":1},"columns":{"date":0,"amount":1,"debit":null,"credit":null,"direction":null,"names":[2],"category":null,"tags":null,"notes":null,"account":null,"currency":null,"balance":null,"external_id":null},"amount":{"signed":{"column":1}},"date_format":"%Y-%m-%d","number_format":"1,234.56","signage":"inflows_positive","found":["date_col_label","amount_col_label","name_col_label","col_sep","date_format","number_format"],"duplicate_headers":[],"problems":[],"template":{"id":"01a22347-a177-7562-9024-e4cf3c0a483a","name":"Date, Amount, Name","settings_taken":[],"not_fitting":[],"account_id":null,"preferred":{"date_format":"%Y-%m-%d","number_format":"1,234.56"}}}', true, 20785, 2, 2, 0, 0, 0, '[]', false, false, '\x6f61ea4f9a7fcc20131fe820bfeee5dc79dd1c377941d1f052b0c470e5f9c202', NULL, NULL, NULL, NULL, 0, NULL, 1795888226868223, 1795888227304420, '{"create":1,"possible_duplicate":0,"matched_by_id":0,"matched_by_content":1,"deleted_before":0,"invalid":0,"left_out":0,"needs_choice":0,"matched_by_name":0,"change":0,"repeats":0}', 18, 0, '01a22347-a177-7562-9024-e4cf3c0a483a', 0, 0);
INSERT INTO public.imports VALUES (1, '01a22347-a1a8-7375-b263-f88870782aac', 'TransactionImport', 'complete', '01a22347-9f5a-771f-b056-0e501a24e4e3', '01a22347-a1a3-7267-98ff-f271f5632806', '{"labels":{},"signage_convention":"inflows_positive"}', '{"kind":"transaction","encoding":"UTF-8","encoding_certain":true,"separator":",","headers":["Date","Amount","Name"],"header_line":1,"start":{"offset":17,"line":2,"row":1},"columns":{"date":0,"amount":1,"debit":null,"credit":null,"direction":null,"names":[2],"category":null,"tags":null,"notes":null,"account":null,"currency":null,"balance":null,"external_id":null},"amount":{"signed":{"column":1}},"date_format":"%Y-%m-%d","number_format":"1,234.56","signage":"inflows_positive","found":["date_col_label","amount_col_label","name_col_label","col_sep","date_format","number_format"],"duplicate_headers":[],"problems":[],"template":{"id":"01a22347-a177-7562-9024-e4cf3c0a483a","name":"Date, Amount, Name","settings_taken":[],"not_fitting":[],"account_id":null,"preferred":{"date_format":"%Y-%m-%d","number_format":"1,234.56"}}}', true, 20785, 1, 1, 0, 0, 0, '[]', false, false, '\xd1a35b11aa3327b79e32663464d5453821adeb008996f5c3b0eff6dc90b0b032', NULL, NULL, '01a22347-a1c2-70c3-8f91-535bf5b34943', '01a22347-a1c2-70c3-8f91-535bf5b34943', 1, 1795888226754722, 1795888226728318, 1795888226754722, '{"create":1,"possible_duplicate":0,"matched_by_id":0,"matched_by_content":0,"deleted_before":0,"invalid":0,"left_out":0,"needs_choice":0,"matched_by_name":0,"change":0,"repeats":0}', 14, 0, '01a22347-a177-7562-9024-e4cf3c0a483a', 0, 0);
INSERT INTO public.imports VALUES (1, '01a22347-a52d-73c2-baa3-554deebb0b8b', 'TransactionImport', 'pending', '01a22347-9f82-73f5-9662-2fbe574d44ea', '01a22347-a3f2-711f-b56b-4cf2fa5c9f9a', '{"labels":{},"signage_convention":"inflows_positive"}', '{"kind":"transaction","encoding":"UTF-8","encoding_certain":true,"separator":",","headers":["Date","Amount","Name"],"header_line":1,"start":{"offset":17,"line":2,"row":1},"columns":{"date":0,"amount":1,"debit":null,"credit":null,"direction":null,"names":[2],"category":null,"tags":null,"notes":null,"account":null,"currency":null,"balance":null,"external_id":null},"amount":{"signed":{"column":1}},"date_format":"%Y-%m-%d","number_format":"1,234.56","signage":"inflows_positive","found":["date_col_label","amount_col_label","name_col_label","col_sep","date_format","number_format"],"duplicate_headers":[],"problems":[],"template":{"id":"01a22347-a177-7562-9024-e4cf3c0a483a","name":"Date, Amount, Name","settings_taken":["signage_convention"],"not_fitting":[],"account_id":null,"preferred":{"date_format":"%Y-%m-%d","number_format":"1,234.56"}}}', true, 20785, 1, 1, 0, 0, 0, '[]', false, false, '\xac8c534ef8584938e8598ecd66e9a4416d02fc11a506e3c2466010ad59b2d71a', NULL, NULL, NULL, NULL, 0, NULL, 1795888227629898, 1795888227629898, '{"create":1,"possible_duplicate":0,"matched_by_id":0,"matched_by_content":0,"deleted_before":0,"invalid":0,"left_out":0,"needs_choice":0,"matched_by_name":0,"change":0,"repeats":0}', 17, 0, '01a22347-a177-7562-9024-e4cf3c0a483a', 0, 0);
INSERT INTO public.imports VALUES (2, '01a22347-b283-718a-899d-989dabceb14e', 'TransactionImport', 'complete', '01a22347-b0eb-760a-b738-dee7af41ef78', '01a22347-b27b-747b-87a9-a17362c7801e', '{"labels":{},"signage_convention":"inflows_positive"}', '{"kind":"transaction","encoding":"UTF-8","encoding_certain":true,"separator":",","headers":["Date","Amount","Name"],"header_line":1,"start":{"offset":17,"line":2,"row":1},"columns":{"date":0,"amount":1,"debit":null,"credit":null,"direction":null,"names":[2],"category":null,"tags":null,"notes":null,"account":null,"currency":null,"balance":null,"external_id":null},"amount":{"signed":{"column":1}},"date_format":"%Y-%m-%d","number_format":"1,234.56","signage":"inflows_positive","found":["date_col_label","amount_col_label","name_col_label","col_sep","date_format","number_format"],"duplicate_headers":[],"problems":[],"template":{"id":"01a22347-b20a-7009-9212-4408d3956611","name":"Date, Amount, Name","settings_taken":[],"not_fitting":[],"account_id":null,"preferred":{"date_format":"%Y-%m-%d","number_format":"1,234.56"}}}', true, 20785, 1, 1, 0, 0, 0, '[]', false, false, '\x1b55576e6341e57d4dab37573c5c173e3929ca0a5fa9679f657a7772039e3f1a', NULL, NULL, '01a22347-b29a-7759-b6f6-ebad99fe7174', '01a22347-b29a-7759-b6f6-ebad99fe7174', 1, 1795888231066337, 1795888231043036, 1795888231066337, '{"create":1,"possible_duplicate":0,"matched_by_id":0,"matched_by_content":0,"deleted_before":0,"invalid":0,"left_out":0,"needs_choice":0,"matched_by_name":0,"change":0,"repeats":0}', 14, 0, '01a22347-b20a-7009-9212-4408d3956611', 0, 0);
INSERT INTO public.imports VALUES (2, '01a22347-b177-725c-8ee6-c61f6379d064', 'TransactionImport', 'complete', '01a22347-b0eb-760a-b738-dee7af41ef78', '01a22347-b157-728f-83bd-ced1f7720184', '{"labels":{},"signage_convention":"inflows_positive"}', '{"kind":"transaction","encoding":"UTF-8","encoding_certain":true,"separator":",","headers":["Date","Amount","Name","Category","Tags","Notes"],"header_line":1,"start":{"offset":37,"line":2,"row":1},"columns":{"date":0,"amount":1,"debit":null,"credit":null,"direction":null,"names":[2],"category":3,"tags":4,"notes":5,"account":null,"currency":null,"balance":null,"external_id":null},"amount":{"signed":{"column":1}},"date_format":"%Y-%m-%d","number_format":"1,234.56","signage":"inflows_positive","found":["date_col_label","amount_col_label","name_col_label","category_col_label","tags_col_label","notes_col_label","col_sep","date_format","number_format"],"duplicate_headers":[],"problems":[]}', true, 20785, 40, 40, 0, 2, 0, '[]', false, false, '\xd09e396b47aaba0ca7ec49e363eb586b12e0cc897fee5d55097971bbbaaf29be', NULL, NULL, '01a22347-b196-72e3-974d-ec994555fe93', '01a22347-b196-72e3-974d-ec994555feba', 40, 1795888230806259, 1795888230775261, 1795888230806259, '{"create":40,"possible_duplicate":0,"matched_by_id":0,"matched_by_content":0,"deleted_before":0,"invalid":0,"left_out":0,"needs_choice":0,"matched_by_name":0,"change":0,"repeats":0}', 12, 0, NULL, 0, 0);
INSERT INTO public.imports VALUES (2, '01a22347-b1f8-77fa-840c-5260224c9acd', 'TransactionImport', 'complete', '01a22347-b0f1-73c3-b744-4caa8c98ac98', '01a22347-b1da-7343-a1c1-1307554cb6a6', '{"labels":{},"signage_convention":"inflows_positive"}', '{"kind":"transaction","encoding":"UTF-8","encoding_certain":true,"separator":",","headers":["Date","Amount","Name"],"header_line":1,"start":{"offset":17,"line":2,"row":1},"columns":{"date":0,"amount":1,"debit":null,"credit":null,"direction":null,"names":[2],"category":null,"tags":null,"notes":null,"account":null,"currency":null,"balance":null,"external_id":null},"amount":{"signed":{"column":1}},"date_format":"%Y-%m-%d","number_format":"1,234.56","signage":"inflows_positive","found":["date_col_label","amount_col_label","name_col_label","col_sep","date_format","number_format"],"duplicate_headers":[],"problems":[]}', true, 20785, 2, 2, 0, 0, 0, '[]', false, false, '\x1858484374f38029b544176c05529f3ff03e11cc1099a23e2fdb3e774f2e92b4', NULL, NULL, '01a22347-b20a-7009-9212-4408d395660d', '01a22347-b20a-7009-9212-4408d395660e', 2, 1795888230922596, 1795888230904402, 1795888230922596, '{"create":2,"possible_duplicate":0,"matched_by_id":0,"matched_by_content":0,"deleted_before":0,"invalid":0,"left_out":0,"needs_choice":0,"matched_by_name":0,"change":0,"repeats":0}', 13, 0, NULL, 0, 0);
INSERT INTO public.imports VALUES (2, '01a22347-b2cc-7699-b376-f443f7e84b18', 'TransactionImport', 'pending', '01a22347-b0eb-760a-b738-dee7af41ef78', '01a22347-b2c7-761b-b090-9bb3315f5d8c', '{"labels":{},"signage_convention":"inflows_positive"}', '{"kind":"transaction","encoding":"UTF-8","encoding_certain":true,"separator":",","headers":["Date","Amount","Name"],"header_line":1,"start":{"offset":17,"line":2,"row":1},"columns":{"date":0,"amount":1,"debit":null,"credit":null,"direction":null,"names":[2],"category":null,"tags":null,"notes":null,"account":null,"currency":null,"balance":null,"external_id":null},"amount":{"signed":{"column":1}},"date_format":"%Y-%m-%d","number_format":"1,234.56","signage":"inflows_positive","found":["date_col_label","amount_col_label","name_col_label","col_sep","date_format","number_format"],"duplicate_headers":[],"problems":[],"template":{"id":"01a22347-b20a-7009-9212-4408d3956611","name":"Date, Amount, Name","settings_taken":[],"not_fitting":[],"account_id":null,"preferred":{"date_format":"%Y-%m-%d","number_format":"1,234.56"}}}', true, 20785, 2, 2, 0, 0, 0, '[]', false, false, '\x096bcf927bd5830eec8b9d13d53d712376786bf52ae2013717288f3beb4b6650', NULL, NULL, NULL, NULL, 0, NULL, 1795888231116207, 1795888231235076, '{"create":1,"possible_duplicate":0,"matched_by_id":0,"matched_by_content":1,"deleted_before":0,"invalid":0,"left_out":0,"needs_choice":0,"matched_by_name":0,"change":0,"repeats":0}', 18, 0, '01a22347-b20a-7009-9212-4408d3956611', 0, 0);
INSERT INTO public.imports VALUES (2, '01a22347-b351-77c3-8e65-bd684a2d06aa', 'TransactionImport', 'pending', '01a22347-b0f8-751d-80dc-ac56724969cc', '01a22347-b341-776a-86f3-2d15cd38db53', '{"labels":{},"signage_convention":"inflows_positive"}', '{"kind":"transaction","encoding":"UTF-8","encoding_certain":true,"separator":",","headers":["Date","Amount","Name"],"header_line":1,"start":{"offset":17,"line":2,"row":1},"columns":{"date":0,"amount":1,"debit":null,"credit":null,"direction":null,"names":[2],"category":null,"tags":null,"notes":null,"account":null,"currency":null,"balance":null,"external_id":null},"amount":{"signed":{"column":1}},"date_format":"%Y-%m-%d","number_format":"1,234.56","signage":"inflows_positive","found":["date_col_label","amount_col_label","name_col_label","col_sep","date_format","number_format"],"duplicate_headers":[],"problems":[],"template":{"id":"01a22347-b20a-7009-9212-4408d3956611","name":"Date, Amount, Name","settings_taken":["signage_convention"],"not_fitting":[],"account_id":null,"preferred":{"date_format":"%Y-%m-%d","number_format":"1,234.56"}}}', true, 20785, 1, 1, 0, 0, 0, '[]', false, false, '\x431404882ffacae897886f1657ae274ee5d61068882c0eee876537937f045aa9', NULL, NULL, NULL, NULL, 0, NULL, 1795888231249861, 1795888231249861, '{"create":1,"possible_duplicate":0,"matched_by_id":0,"matched_by_content":0,"deleted_before":0,"invalid":0,"left_out":0,"needs_choice":0,"matched_by_name":0,"change":0,"repeats":0}', 17, 0, '01a22347-b20a-7009-9212-4408d3956611', 0, 0);
INSERT INTO public.installation VALUES ('01a22347-993a-707a-8ae8-3e373a2e9d69', 0);
INSERT INTO public.key_hashes VALUES ('\x6fdf4d857f2871e7226faea1a4fc639f3ebf58f8b5632aa2e15b0afa98e1b085', 1, '01a22347-9f44-7109-aef3-51d22e6fc93f');
INSERT INTO public.key_hashes VALUES ('\x9faa29d5c37f825320108a23050fabafc70ae91688011f0adb5a9d4541fb9eb9', 2, '01a22347-b0da-74ce-89ac-5a0fbfbb8cdc');
INSERT INTO public.merchants VALUES (1, '01a22347-9fee-7113-ae8b-8caabc13b0ac', 'Kiosk', 'kiosk', 1795888226286482, 1795888226286482, '#112233', NULL);
INSERT INTO public.merchants VALUES (2, '01a22347-b139-7148-ba0a-b5c0dde8c476', 'Kiosk', 'kiosk', 1795888230713209, 1795888230713209, '#112233', NULL);
INSERT INTO public.position_segments VALUES (1, '01a22347-9f8a-72f2-b5fe-fd6d43847ecc', '01a22347-a568-72aa-b464-03875115fb8a', 19724, '10.0', '1500000', 'calculated');
INSERT INTO public.position_segments VALUES (1, '01a22347-9f8a-72f2-b5fe-fd6d43847ecc', '01a22347-a568-72aa-b464-03875115fb8a', 19755, '6.0', '900000', 'calculated');
INSERT INTO public.position_segments VALUES (2, '01a22347-b103-7508-9628-680ff41d1d13', '01a22347-b363-7315-9a70-e297968bfe68', 19724, '10.0', '1500000', 'calculated');
INSERT INTO public.position_segments VALUES (2, '01a22347-b103-7508-9628-680ff41d1d13', '01a22347-b363-7315-9a70-e297968bfe68', 19755, '6.0', '900000', 'calculated');
INSERT INTO public.rule_runs VALUES (1, '01a22347-a0e7-75db-a591-fa96b843a7a3', '01a22347-9ffd-7722-9ce8-f8f639161d40', 'Kiosks', 'import', '01a22347-a0af-72a8-8ede-0e87eeeb8b26', 'success', 10, 0, NULL, NULL, 1795888226535019, 1795888226535019);
INSERT INTO public.rule_runs VALUES (1, '01a22347-a177-7562-9024-e4cf3c0a4839', '01a22347-9ffd-7722-9ce8-f8f639161d40', 'Kiosks', 'import', '01a22347-a14b-7087-92fc-32ab005e50c2', 'success', 0, 0, NULL, NULL, 1795888226679584, 1795888226679584);
INSERT INTO public.rule_runs VALUES (1, '01a22347-a1c2-70c3-8f91-535bf5b34945', '01a22347-9ffd-7722-9ce8-f8f639161d40', 'Kiosks', 'import', '01a22347-a1a8-7375-b263-f88870782aac', 'success', 0, 0, NULL, NULL, 1795888226754722, 1795888226754722);
INSERT INTO public.rule_runs VALUES (1, '01a22347-a26c-76c4-8e4e-29d84ef2b65c', '01a22347-9ffd-7722-9ce8-f8f639161d40', 'Kiosks', 'import', '01a22347-a234-702c-844a-16fd47afb825', 'success', 0, 0, NULL, NULL, 1795888226924016, 1795888226924016);
INSERT INTO public.rule_runs VALUES (2, '01a22347-b196-72e3-974d-ec994555febc', '01a22347-b13d-7356-bf61-0895159ae5e4', 'Kiosks', 'import', '01a22347-b177-725c-8ee6-c61f6379d064', 'success', 10, 0, NULL, NULL, 1795888230806259, 1795888230806259);
INSERT INTO public.rule_runs VALUES (2, '01a22347-b20a-7009-9212-4408d3956610', '01a22347-b13d-7356-bf61-0895159ae5e4', 'Kiosks', 'import', '01a22347-b1f8-77fa-840c-5260224c9acd', 'success', 0, 0, NULL, NULL, 1795888230922596, 1795888230922596);
INSERT INTO public.rule_runs VALUES (2, '01a22347-b29a-7759-b6f6-ebad99fe7176', '01a22347-b13d-7356-bf61-0895159ae5e4', 'Kiosks', 'import', '01a22347-b283-718a-899d-989dabceb14e', 'success', 0, 0, NULL, NULL, 1795888231066337, 1795888231066337);
INSERT INTO public.rule_runs VALUES (2, '01a22347-b2d9-7552-95c3-65b6fb6a7275', '01a22347-b13d-7356-bf61-0895159ae5e4', 'Kiosks', 'import', '01a22347-b2cc-7699-b376-f443f7e84b18', 'success', 0, 0, NULL, NULL, 1795888231129216, 1795888231129216);
INSERT INTO public.rules VALUES (1, '01a22347-9ffd-7722-9ce8-f8f639161d40', 'Kiosks', true, NULL, '[{"condition_type":"transaction_name","operator":"like","sub_conditions":[],"value":"Kiosk"}]', '[{"action_type":"set_transaction_category","value":"01a22347-9fb9-72f5-bcd8-cc0da68e9af1"}]', 1, 1795888226301416, 1795888226301416);
INSERT INTO public.rules VALUES (2, '01a22347-b13d-7356-bf61-0895159ae5e4', 'Kiosks', true, NULL, '[{"condition_type":"transaction_name","operator":"like","sub_conditions":[],"value":"Kiosk"}]', '[{"action_type":"set_transaction_category","value":"01a22347-b113-722e-9bdd-e9eec04a8771"}]', 1, 1795888230717518, 1795888230717518);
INSERT INTO public.schema_version VALUES (1, 'foundation', 1795888223576639);
INSERT INTO public.schema_version VALUES (2, 'plan', 1795888223954439);
INSERT INTO public.schema_version VALUES (3, 'ledger', 1795888224187386);
INSERT INTO public.schema_version VALUES (4, 'records', 1795888224331537);
INSERT INTO public.schema_version VALUES (5, 'images', 1795888224351831);
INSERT INTO public.schema_version VALUES (6, 'lots', 1795888224386444);
INSERT INTO public.schema_version VALUES (7, 'guesses', 1795888224392023);
INSERT INTO public.schema_version VALUES (8, 'deaths', 1795888224435898);
INSERT INTO public.schema_version VALUES (9, 'syncs', 1795888224480476);
INSERT INTO public.schema_version VALUES (10, 'notes', 1795888224542917);
INSERT INTO public.schema_version VALUES (11, 'deletion', 1795888224558435);
INSERT INTO public.schema_version VALUES (12, 'exact_costs', 1795888224564203);
INSERT INTO public.securities VALUES (1, '01a22347-a568-72aa-b464-03875115fb8a', 'ACME', '', NULL, 1795888227688297, 1795888227688297, 'standard', NULL, NULL, NULL, false, NULL, NULL, NULL);
INSERT INTO public.securities VALUES (2, '01a22347-b363-7315-9a70-e297968bfe68', 'ACME', '', NULL, 1795888231267473, 1795888231267473, 'standard', NULL, NULL, NULL, false, NULL, NULL, NULL);
INSERT INTO public.sign_in_names VALUES ('ann@example.com', 1, '01a22347-9ec8-77f1-9753-a6698a3d70b2');
INSERT INTO public.sign_in_names VALUES ('bob@example.com', 2, '01a22347-b0bc-74a2-a8b8-167e7b91d1e0');
INSERT INTO public.tags VALUES (1, '01a22347-9fd4-739b-99be-604b0d4889a6', 'Trip', 'trip', 1795888226260110, 1795888226260110, NULL);
INSERT INTO public.tags VALUES (1, '01a22347-9fe5-77ff-9f58-26161bfbb30b', 'Trip2', 'trip2', 1795888226277250, 1795888226277250, NULL);
INSERT INTO public.tags VALUES (2, '01a22347-b121-7143-91d8-325e9d73cbf7', 'Trip', 'trip', 1795888230689394, 1795888230689394, NULL);
INSERT INTO public.tags VALUES (2, '01a22347-b130-72f7-8072-b49a90f826df', 'Trip2', 'trip2', 1795888230704560, 1795888230704560, NULL);
INSERT INTO public.trades VALUES (1, '01a22347-a568-72aa-b464-03875115fb88', '01a22347-a568-72aa-b464-03875115fb8a', 'buy', '10.0', '15.0', 0, 1500000, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.trades VALUES (1, '01a22347-a70a-73d8-bf70-055d25958277', '01a22347-a568-72aa-b464-03875115fb8a', 'sell', '-4.0', '20.0', 0, -800000, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.trades VALUES (2, '01a22347-b363-7315-9a70-e297968bfe66', '01a22347-b363-7315-9a70-e297968bfe68', 'buy', '10.0', '15.0', 0, 1500000, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.trades VALUES (2, '01a22347-b38b-7474-8264-567001205652', '01a22347-b363-7315-9a70-e297968bfe68', 'sell', '-4.0', '20.0', 0, -800000, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.transfers VALUES (1, '01a22347-a1e9-76e1-80b3-0035fdf86799', '01a22347-a1c2-70c3-8f91-535bf5b34943', '01a22347-a177-7562-9024-e4cf3c0a4836', 'confirmed', 'matching', 90, '["The amounts are equal and opposite.","Both are of the same day.","“To savings” names the account Savings.","Nothing else fits to either of them."]', 1795888226793848, 1795888226793848);
INSERT INTO public.transfers VALUES (2, '01a22347-b2ad-734b-9598-49bc5c739105', '01a22347-b29a-7759-b6f6-ebad99fe7174', '01a22347-b20a-7009-9212-4408d395660d', 'confirmed', 'matching', 90, '["The amounts are equal and opposite.","Both are of the same day.","“To savings” names the account Savings.","Nothing else fits to either of them."]', 1795888231085453, 1795888231085453);
INSERT INTO public.users VALUES (1, '01a22347-9ec8-77f1-9753-a6698a3d70b2', 'ann@example.com', 'ann', 'admin', '$argon2id$v=19$m=19456,t=2,p=1$yTlKEQFMJmo9Re6eRQyGqA$NHP8jBGHSFEEROkelrPleQ0LaPAa5q48De6QjJLwO9M', NULL, 1795888225992709, NULL);
INSERT INTO public.users VALUES (2, '01a22347-b0bc-74a2-a8b8-167e7b91d1e0', 'bob@example.com', 'bob', 'admin', '$argon2id$v=19$m=19456,t=2,p=1$MH2wLlhMxtU1nhLmStNBLg$25DgGEQxXdRAl91xmnZPSjUCbzMjg9w0Ue00I4UFIzg', NULL, 1795888230588544, NULL);
ALTER TABLE ONLY public.accounts
    ADD CONSTRAINT accounts_pkey PRIMARY KEY (family_id, id);
ALTER TABLE ONLY public.api_key_accounts
    ADD CONSTRAINT api_key_accounts_pkey PRIMARY KEY (family_id, key_id, account_id);
ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_pkey PRIMARY KEY (family_id, id);
ALTER TABLE ONLY public.audit_events
    ADD CONSTRAINT audit_events_pkey PRIMARY KEY (family_id, id);
ALTER TABLE ONLY public.audit_images
    ADD CONSTRAINT audit_images_pkey PRIMARY KEY (family_id, event_id, block);
ALTER TABLE ONLY public.balances
    ADD CONSTRAINT balances_pkey PRIMARY KEY (family_id, account_id, date);
ALTER TABLE ONLY public.budget_categories
    ADD CONSTRAINT budget_categories_pkey PRIMARY KEY (family_id, id);
ALTER TABLE ONLY public.budgets
    ADD CONSTRAINT budgets_pkey PRIMARY KEY (family_id, id);
ALTER TABLE ONLY public.categories
    ADD CONSTRAINT categories_pkey PRIMARY KEY (family_id, id);
ALTER TABLE ONLY public.connection_accounts
    ADD CONSTRAINT connection_accounts_pkey PRIMARY KEY (family_id, connection_id, external_id);
ALTER TABLE ONLY public.connections
    ADD CONSTRAINT connections_pkey PRIMARY KEY (family_id, id);
ALTER TABLE ONLY public.entries
    ADD CONSTRAINT entries_pkey PRIMARY KEY (family_id, id);
ALTER TABLE ONLY public.entry_conversions
    ADD CONSTRAINT entry_conversions_pkey PRIMARY KEY (family_id, entry_id);
ALTER TABLE ONLY public.entry_origins
    ADD CONSTRAINT entry_origins_pkey PRIMARY KEY (family_id, entry_id);
ALTER TABLE ONLY public.entry_tags
    ADD CONSTRAINT entry_tags_pkey PRIMARY KEY (family_id, entry_id, tag_id);
ALTER TABLE ONLY public.families
    ADD CONSTRAINT families_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.families
    ADD CONSTRAINT families_public_id_key UNIQUE (public_id);
ALTER TABLE ONLY public.family_rates
    ADD CONSTRAINT family_rates_pkey PRIMARY KEY (family_id, id);
ALTER TABLE ONLY public.feed_rates
    ADD CONSTRAINT feed_rates_pkey PRIMARY KEY (base, quote, date);
ALTER TABLE ONLY public.feeds
    ADD CONSTRAINT feeds_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.files
    ADD CONSTRAINT files_pkey PRIMARY KEY (family_id, id);
ALTER TABLE ONLY public.hidden_entries
    ADD CONSTRAINT hidden_entries_pkey PRIMARY KEY (family_id);
ALTER TABLE ONLY public.holdings
    ADD CONSTRAINT holdings_pkey PRIMARY KEY (family_id, id);
ALTER TABLE ONLY public.idempotency_keys
    ADD CONSTRAINT idempotency_keys_pkey PRIMARY KEY (family_id, route, idempotency_key);
ALTER TABLE ONLY public.import_changes
    ADD CONSTRAINT import_changes_pkey PRIMARY KEY (family_id, import_id, kind, target_id);
ALTER TABLE ONLY public.import_created
    ADD CONSTRAINT import_created_pkey PRIMARY KEY (family_id, import_id, kind, target_id);
ALTER TABLE ONLY public.import_fills
    ADD CONSTRAINT import_fills_pkey PRIMARY KEY (family_id, import_id, entry_id);
ALTER TABLE ONLY public.import_mappings
    ADD CONSTRAINT import_mappings_pkey PRIMARY KEY (family_id, import_id, kind, value_key);
ALTER TABLE ONLY public.import_offsets
    ADD CONSTRAINT import_offsets_pkey PRIMARY KEY (family_id, import_id);
ALTER TABLE ONLY public.import_plan_blocks
    ADD CONSTRAINT import_plan_blocks_pkey PRIMARY KEY (family_id, import_id, block);
ALTER TABLE ONLY public.import_row_edits
    ADD CONSTRAINT import_row_edits_pkey PRIMARY KEY (family_id, import_id, row_number);
ALTER TABLE ONLY public.import_templates
    ADD CONSTRAINT import_templates_pkey PRIMARY KEY (family_id, id);
ALTER TABLE ONLY public.imports
    ADD CONSTRAINT imports_pkey PRIMARY KEY (family_id, id);
ALTER TABLE ONLY public.installation
    ADD CONSTRAINT installation_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.jobs
    ADD CONSTRAINT jobs_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.key_hashes
    ADD CONSTRAINT key_hashes_pkey PRIMARY KEY (hash);
ALTER TABLE ONLY public.merchants
    ADD CONSTRAINT merchants_pkey PRIMARY KEY (family_id, id);
ALTER TABLE ONLY public.position_segments
    ADD CONSTRAINT position_segments_pkey PRIMARY KEY (family_id, account_id, security_id, date);
ALTER TABLE ONLY public.position_statements
    ADD CONSTRAINT position_statements_pkey PRIMARY KEY (family_id, account_id, security_id, date);
ALTER TABLE ONLY public.recurring_transactions
    ADD CONSTRAINT recurring_transactions_pkey PRIMARY KEY (family_id, id);
ALTER TABLE ONLY public.rejected_transfers
    ADD CONSTRAINT rejected_transfers_pkey PRIMARY KEY (family_id, id);
ALTER TABLE ONLY public.rule_runs
    ADD CONSTRAINT rule_runs_pkey PRIMARY KEY (family_id, id);
ALTER TABLE ONLY public.rules
    ADD CONSTRAINT rules_pkey PRIMARY KEY (family_id, id);
ALTER TABLE ONLY public.schema_version
    ADD CONSTRAINT schema_version_pkey PRIMARY KEY (version);
ALTER TABLE ONLY public.securities
    ADD CONSTRAINT securities_pkey PRIMARY KEY (family_id, id);
ALTER TABLE ONLY public.security_prices
    ADD CONSTRAINT security_prices_pkey PRIMARY KEY (family_id, security_id, date, currency);
ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (hash);
ALTER TABLE ONLY public.sign_in_guesses
    ADD CONSTRAINT sign_in_guesses_pkey PRIMARY KEY (slot);
ALTER TABLE ONLY public.sign_in_names
    ADD CONSTRAINT sign_in_names_pkey PRIMARY KEY (email);
ALTER TABLE ONLY public.sign_in_sources
    ADD CONSTRAINT sign_in_sources_pkey PRIMARY KEY (hash);
ALTER TABLE ONLY public.syncs
    ADD CONSTRAINT syncs_pkey PRIMARY KEY (family_id, id);
ALTER TABLE ONLY public.tags
    ADD CONSTRAINT tags_pkey PRIMARY KEY (family_id, id);
ALTER TABLE ONLY public.trades
    ADD CONSTRAINT trades_pkey PRIMARY KEY (family_id, security_id, entry_id);
ALTER TABLE ONLY public.transfers
    ADD CONSTRAINT transfers_pkey PRIMARY KEY (family_id, id);
ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_pkey PRIMARY KEY (family_id, id);
CREATE INDEX accounts_by_name ON public.accounts USING btree (family_id, name_key);
CREATE INDEX audit_events_subject ON public.audit_events USING btree (family_id, subject_id);
CREATE UNIQUE INDEX budget_categories_pair ON public.budget_categories USING btree (family_id, budget_id, category_id);
CREATE UNIQUE INDEX budgets_start ON public.budgets USING btree (family_id, start_date);
CREATE UNIQUE INDEX categories_name ON public.categories USING btree (family_id, name_key);
CREATE INDEX entries_by_account ON public.entries USING btree (family_id, account_id, date, amount);
CREATE INDEX entries_by_category ON public.entries USING btree (family_id, category_id) WHERE (category_id IS NOT NULL);
CREATE INDEX entries_by_date ON public.entries USING btree (family_id, date, id);
CREATE INDEX entries_by_external ON public.entries USING btree (family_id, account_id, external_id) WHERE (external_id IS NOT NULL);
CREATE INDEX entries_by_merchant ON public.entries USING btree (family_id, merchant_id) WHERE (merchant_id IS NOT NULL);
CREATE INDEX entries_by_parent ON public.entries USING btree (family_id, parent_id) WHERE (parent_id IS NOT NULL);
CREATE UNIQUE INDEX entries_external ON public.entries USING btree (family_id, account_id, external_id, source) WHERE ((external_id IS NOT NULL) AND (source IS NOT NULL));
CREATE UNIQUE INDEX entries_valuation ON public.entries USING btree (family_id, account_id, date) WHERE (kind = 1);
CREATE INDEX entry_conversions_by_pair ON public.entry_conversions USING btree (family_id, from_currency, to_currency, date);
CREATE INDEX entry_conversions_missing ON public.entry_conversions USING btree (family_id, account_id, date) WHERE (rate IS NULL);
CREATE INDEX entry_origins_by_account ON public.entry_origins USING btree (family_id, account_id, date, amount);
CREATE INDEX entry_origins_external ON public.entry_origins USING btree (family_id, account_id, external_id) WHERE (external_id IS NOT NULL);
CREATE INDEX entry_tags_by_tag ON public.entry_tags USING btree (family_id, tag_id);
CREATE UNIQUE INDEX family_rates_day ON public.family_rates USING btree (family_id, base, quote, date);
CREATE INDEX holdings_by_security ON public.holdings USING btree (family_id, security_id);
CREATE UNIQUE INDEX holdings_position ON public.holdings USING btree (family_id, account_id, security_id);
CREATE INDEX idempotency_keys_age ON public.idempotency_keys USING btree (family_id, created_at);
CREATE UNIQUE INDEX import_templates_header ON public.import_templates USING btree (family_id, import_type, header_key);
CREATE INDEX imports_newest ON public.imports USING btree (family_id, created_at, id);
CREATE INDEX imports_wanted ON public.imports USING btree (family_id, created_at) WHERE publish_wanted;
CREATE UNIQUE INDEX jobs_dedupe ON public.jobs USING btree (family_id, dedupe_key) WHERE ((dedupe_key IS NOT NULL) AND (state <> 'failed'::text));
CREATE INDEX jobs_due ON public.jobs USING btree (state, run_at, id);
CREATE UNIQUE INDEX jobs_running ON public.jobs USING btree (family_id) WHERE (state = 'running'::text);
CREATE UNIQUE INDEX merchants_name ON public.merchants USING btree (family_id, name_key);
CREATE UNIQUE INDEX rejected_transfers_pair ON public.rejected_transfers USING btree (family_id, outflow_id, inflow_id);
CREATE INDEX rule_runs_newest ON public.rule_runs USING btree (family_id, executed_at, id);
CREATE UNIQUE INDEX securities_ticker ON public.securities USING btree (family_id, ticker, exchange_operating_mic);
CREATE UNIQUE INDEX security_prices_by_id ON public.security_prices USING btree (family_id, id);
CREATE INDEX sessions_of_user ON public.sessions USING btree (family_id, user_id);
CREATE INDEX syncs_by_time ON public.syncs USING btree (family_id, created_at, id);
CREATE INDEX syncs_newest ON public.syncs USING btree (family_id, connection_id, created_at, id);
CREATE UNIQUE INDEX tags_name ON public.tags USING btree (family_id, name_key);
CREATE UNIQUE INDEX trades_by_entry ON public.trades USING btree (family_id, entry_id);
CREATE INDEX transfers_by_inflow ON public.transfers USING btree (family_id, inflow_id);
CREATE UNIQUE INDEX transfers_one_inflow ON public.transfers USING btree (family_id, inflow_id) WHERE (status = 'confirmed'::text);
CREATE UNIQUE INDEX transfers_one_outflow ON public.transfers USING btree (family_id, outflow_id) WHERE (status = 'confirmed'::text);
CREATE UNIQUE INDEX transfers_pair ON public.transfers USING btree (family_id, outflow_id, inflow_id);
ALTER TABLE ONLY public.accounts
    ADD CONSTRAINT accounts_family_id_fkey FOREIGN KEY (family_id) REFERENCES public.families(id);
ALTER TABLE ONLY public.api_key_accounts
    ADD CONSTRAINT api_key_accounts_family_id_account_id_fkey FOREIGN KEY (family_id, account_id) REFERENCES public.accounts(family_id, id);
ALTER TABLE ONLY public.api_key_accounts
    ADD CONSTRAINT api_key_accounts_family_id_key_id_fkey FOREIGN KEY (family_id, key_id) REFERENCES public.api_keys(family_id, id);
ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_family_id_user_id_fkey FOREIGN KEY (family_id, user_id) REFERENCES public.users(family_id, id);
ALTER TABLE ONLY public.audit_events
    ADD CONSTRAINT audit_events_family_id_fkey FOREIGN KEY (family_id) REFERENCES public.families(id);
ALTER TABLE ONLY public.audit_images
    ADD CONSTRAINT audit_images_family_id_event_id_fkey FOREIGN KEY (family_id, event_id) REFERENCES public.audit_events(family_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.balances
    ADD CONSTRAINT balances_family_id_account_id_fkey FOREIGN KEY (family_id, account_id) REFERENCES public.accounts(family_id, id);
ALTER TABLE ONLY public.budget_categories
    ADD CONSTRAINT budget_categories_family_id_budget_id_fkey FOREIGN KEY (family_id, budget_id) REFERENCES public.budgets(family_id, id);
ALTER TABLE ONLY public.budget_categories
    ADD CONSTRAINT budget_categories_family_id_category_id_fkey FOREIGN KEY (family_id, category_id) REFERENCES public.categories(family_id, id);
ALTER TABLE ONLY public.budgets
    ADD CONSTRAINT budgets_family_id_fkey FOREIGN KEY (family_id) REFERENCES public.families(id);
ALTER TABLE ONLY public.categories
    ADD CONSTRAINT categories_family_id_fkey FOREIGN KEY (family_id) REFERENCES public.families(id);
ALTER TABLE ONLY public.categories
    ADD CONSTRAINT categories_family_id_parent_id_fkey FOREIGN KEY (family_id, parent_id) REFERENCES public.categories(family_id, id);
ALTER TABLE ONLY public.connection_accounts
    ADD CONSTRAINT connection_accounts_family_id_account_id_fkey FOREIGN KEY (family_id, account_id) REFERENCES public.accounts(family_id, id);
ALTER TABLE ONLY public.connection_accounts
    ADD CONSTRAINT connection_accounts_family_id_connection_id_fkey FOREIGN KEY (family_id, connection_id) REFERENCES public.connections(family_id, id);
ALTER TABLE ONLY public.connections
    ADD CONSTRAINT connections_family_id_fkey FOREIGN KEY (family_id) REFERENCES public.families(id);
ALTER TABLE ONLY public.entries
    ADD CONSTRAINT entries_family_id_account_id_fkey FOREIGN KEY (family_id, account_id) REFERENCES public.accounts(family_id, id);
ALTER TABLE ONLY public.entries
    ADD CONSTRAINT entries_family_id_category_id_fkey FOREIGN KEY (family_id, category_id) REFERENCES public.categories(family_id, id);
ALTER TABLE ONLY public.entries
    ADD CONSTRAINT entries_family_id_merchant_id_fkey FOREIGN KEY (family_id, merchant_id) REFERENCES public.merchants(family_id, id);
ALTER TABLE ONLY public.entry_conversions
    ADD CONSTRAINT entry_conversions_family_id_entry_id_fkey FOREIGN KEY (family_id, entry_id) REFERENCES public.entries(family_id, id);
ALTER TABLE ONLY public.entry_origins
    ADD CONSTRAINT entry_origins_family_id_account_id_fkey FOREIGN KEY (family_id, account_id) REFERENCES public.accounts(family_id, id);
ALTER TABLE ONLY public.entry_tags
    ADD CONSTRAINT entry_tags_family_id_entry_id_fkey FOREIGN KEY (family_id, entry_id) REFERENCES public.entries(family_id, id);
ALTER TABLE ONLY public.entry_tags
    ADD CONSTRAINT entry_tags_family_id_tag_id_fkey FOREIGN KEY (family_id, tag_id) REFERENCES public.tags(family_id, id);
ALTER TABLE ONLY public.family_rates
    ADD CONSTRAINT family_rates_family_id_fkey FOREIGN KEY (family_id) REFERENCES public.families(id);
ALTER TABLE ONLY public.files
    ADD CONSTRAINT files_family_id_fkey FOREIGN KEY (family_id) REFERENCES public.families(id);
ALTER TABLE ONLY public.hidden_entries
    ADD CONSTRAINT hidden_entries_family_id_fkey FOREIGN KEY (family_id) REFERENCES public.families(id);
ALTER TABLE ONLY public.holdings
    ADD CONSTRAINT holdings_family_id_account_id_fkey FOREIGN KEY (family_id, account_id) REFERENCES public.accounts(family_id, id);
ALTER TABLE ONLY public.holdings
    ADD CONSTRAINT holdings_family_id_security_id_fkey FOREIGN KEY (family_id, security_id) REFERENCES public.securities(family_id, id);
ALTER TABLE ONLY public.idempotency_keys
    ADD CONSTRAINT idempotency_keys_family_id_fkey FOREIGN KEY (family_id) REFERENCES public.families(id);
ALTER TABLE ONLY public.import_changes
    ADD CONSTRAINT import_changes_family_id_import_id_fkey FOREIGN KEY (family_id, import_id) REFERENCES public.imports(family_id, id);
ALTER TABLE ONLY public.import_created
    ADD CONSTRAINT import_created_family_id_import_id_fkey FOREIGN KEY (family_id, import_id) REFERENCES public.imports(family_id, id);
ALTER TABLE ONLY public.import_fills
    ADD CONSTRAINT import_fills_family_id_import_id_fkey FOREIGN KEY (family_id, import_id) REFERENCES public.imports(family_id, id);
ALTER TABLE ONLY public.import_mappings
    ADD CONSTRAINT import_mappings_family_id_import_id_fkey FOREIGN KEY (family_id, import_id) REFERENCES public.imports(family_id, id);
ALTER TABLE ONLY public.import_offsets
    ADD CONSTRAINT import_offsets_family_id_import_id_fkey FOREIGN KEY (family_id, import_id) REFERENCES public.imports(family_id, id);
ALTER TABLE ONLY public.import_offsets
    ADD CONSTRAINT import_offsets_family_id_records_file_id_fkey FOREIGN KEY (family_id, records_file_id) REFERENCES public.files(family_id, id);
ALTER TABLE ONLY public.import_plan_blocks
    ADD CONSTRAINT import_plan_blocks_family_id_import_id_fkey FOREIGN KEY (family_id, import_id) REFERENCES public.imports(family_id, id);
ALTER TABLE ONLY public.import_row_edits
    ADD CONSTRAINT import_row_edits_family_id_import_id_fkey FOREIGN KEY (family_id, import_id) REFERENCES public.imports(family_id, id);
ALTER TABLE ONLY public.import_templates
    ADD CONSTRAINT import_templates_family_id_account_id_fkey FOREIGN KEY (family_id, account_id) REFERENCES public.accounts(family_id, id);
ALTER TABLE ONLY public.import_templates
    ADD CONSTRAINT import_templates_family_id_fkey FOREIGN KEY (family_id) REFERENCES public.families(id);
ALTER TABLE ONLY public.imports
    ADD CONSTRAINT imports_family_id_account_id_fkey FOREIGN KEY (family_id, account_id) REFERENCES public.accounts(family_id, id);
ALTER TABLE ONLY public.imports
    ADD CONSTRAINT imports_family_id_file_id_fkey FOREIGN KEY (family_id, file_id) REFERENCES public.files(family_id, id);
ALTER TABLE ONLY public.imports
    ADD CONSTRAINT imports_family_id_fkey FOREIGN KEY (family_id) REFERENCES public.families(id);
ALTER TABLE ONLY public.jobs
    ADD CONSTRAINT jobs_family_id_fkey FOREIGN KEY (family_id) REFERENCES public.families(id);
ALTER TABLE ONLY public.key_hashes
    ADD CONSTRAINT key_hashes_family_id_fkey FOREIGN KEY (family_id) REFERENCES public.families(id);
ALTER TABLE ONLY public.merchants
    ADD CONSTRAINT merchants_family_id_fkey FOREIGN KEY (family_id) REFERENCES public.families(id);
ALTER TABLE ONLY public.position_segments
    ADD CONSTRAINT position_segments_family_id_account_id_fkey FOREIGN KEY (family_id, account_id) REFERENCES public.accounts(family_id, id);
ALTER TABLE ONLY public.position_segments
    ADD CONSTRAINT position_segments_family_id_security_id_fkey FOREIGN KEY (family_id, security_id) REFERENCES public.securities(family_id, id);
ALTER TABLE ONLY public.position_statements
    ADD CONSTRAINT position_statements_family_id_account_id_fkey FOREIGN KEY (family_id, account_id) REFERENCES public.accounts(family_id, id);
ALTER TABLE ONLY public.position_statements
    ADD CONSTRAINT position_statements_family_id_security_id_fkey FOREIGN KEY (family_id, security_id) REFERENCES public.securities(family_id, id);
ALTER TABLE ONLY public.recurring_transactions
    ADD CONSTRAINT recurring_transactions_family_id_account_id_fkey FOREIGN KEY (family_id, account_id) REFERENCES public.accounts(family_id, id);
ALTER TABLE ONLY public.recurring_transactions
    ADD CONSTRAINT recurring_transactions_family_id_category_id_fkey FOREIGN KEY (family_id, category_id) REFERENCES public.categories(family_id, id);
ALTER TABLE ONLY public.recurring_transactions
    ADD CONSTRAINT recurring_transactions_family_id_fkey FOREIGN KEY (family_id) REFERENCES public.families(id);
ALTER TABLE ONLY public.recurring_transactions
    ADD CONSTRAINT recurring_transactions_family_id_merchant_id_fkey FOREIGN KEY (family_id, merchant_id) REFERENCES public.merchants(family_id, id);
ALTER TABLE ONLY public.rejected_transfers
    ADD CONSTRAINT rejected_transfers_family_id_fkey FOREIGN KEY (family_id) REFERENCES public.families(id);
ALTER TABLE ONLY public.rule_runs
    ADD CONSTRAINT rule_runs_family_id_fkey FOREIGN KEY (family_id) REFERENCES public.families(id);
ALTER TABLE ONLY public.rules
    ADD CONSTRAINT rules_family_id_fkey FOREIGN KEY (family_id) REFERENCES public.families(id);
ALTER TABLE ONLY public.securities
    ADD CONSTRAINT securities_family_id_fkey FOREIGN KEY (family_id) REFERENCES public.families(id);
ALTER TABLE ONLY public.security_prices
    ADD CONSTRAINT security_prices_family_id_security_id_fkey FOREIGN KEY (family_id, security_id) REFERENCES public.securities(family_id, id);
ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_family_id_fkey FOREIGN KEY (family_id) REFERENCES public.families(id);
ALTER TABLE ONLY public.sign_in_names
    ADD CONSTRAINT sign_in_names_family_id_fkey FOREIGN KEY (family_id) REFERENCES public.families(id);
ALTER TABLE ONLY public.syncs
    ADD CONSTRAINT syncs_family_id_connection_id_fkey FOREIGN KEY (family_id, connection_id) REFERENCES public.connections(family_id, id);
ALTER TABLE ONLY public.syncs
    ADD CONSTRAINT syncs_family_id_fkey FOREIGN KEY (family_id) REFERENCES public.families(id);
ALTER TABLE ONLY public.tags
    ADD CONSTRAINT tags_family_id_fkey FOREIGN KEY (family_id) REFERENCES public.families(id);
ALTER TABLE ONLY public.trades
    ADD CONSTRAINT trades_family_id_entry_id_fkey FOREIGN KEY (family_id, entry_id) REFERENCES public.entries(family_id, id);
ALTER TABLE ONLY public.trades
    ADD CONSTRAINT trades_family_id_security_id_fkey FOREIGN KEY (family_id, security_id) REFERENCES public.securities(family_id, id);
ALTER TABLE ONLY public.transfers
    ADD CONSTRAINT transfers_family_id_fkey FOREIGN KEY (family_id) REFERENCES public.families(id);
ALTER TABLE ONLY public.transfers
    ADD CONSTRAINT transfers_family_id_inflow_id_fkey FOREIGN KEY (family_id, inflow_id) REFERENCES public.entries(family_id, id);
ALTER TABLE ONLY public.transfers
    ADD CONSTRAINT transfers_family_id_outflow_id_fkey FOREIGN KEY (family_id, outflow_id) REFERENCES public.entries(family_id, id);
ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_family_id_fkey FOREIGN KEY (family_id) REFERENCES public.families(id);
