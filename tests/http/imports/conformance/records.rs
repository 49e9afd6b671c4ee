//! Files of accounts, categories, merchants and rules.

use serde_json::{Value, json};

use super::{Case, check};

fn accounts(name: &'static str, text: &str) -> Case {
    Case::new(name, "AccountImport", text)
}

fn categories(name: &'static str, text: &str) -> Case {
    Case::new(name, "CategoryImport", text)
}

/// A file with one rule, of which the cells are written as they come.
fn rule(name: &'static str, conditions: &str, actions: &str) -> Case {
    let cell = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
    let (conditions, actions) = (cell(conditions), cell(actions));
    let text = format!(
        "name,resource_type,active,effective_date,conditions,actions\nR,transaction,true,,\
         {conditions},{actions}\n"
    );
    Case::new(name, "RuleImport", text)
}

fn plain(value: &Value) -> String {
    value.to_string()
}

/// The text as the inside of a JSON string.
fn escaped(text: &str) -> String {
    let quoted = json!(text).to_string();
    quoted[1..quoted.len() - 1].to_owned()
}

crate::both! {
    fn accounts_are_what_any_word_says(server) {
        check(&server, vec![
            accounts("the nine types by their names", "Account type*,Name*,Balance*\n\
                Depository,A,1.00\nInvestment,B,2.00\nCrypto,C,3.00\nProperty,D,4.00\n\
                Vehicle,E,5.00\nOtherAsset,F,6.00\nCreditCard,G,7.00\nLoan,H,8.00\n\
                OtherLiability,I,9.00\n").reads(&[
                "Depository 1.00 EUR A", "Investment 2.00 EUR B", "Crypto 3.00 EUR C",
                "Property 4.00 EUR D", "Vehicle 5.00 EUR E", "OtherAsset 6.00 EUR F",
                "CreditCard 7.00 EUR G", "Loan 8.00 EUR H", "OtherLiability 9.00 EUR I",
            ]),
            accounts("common words, days and a comma", "Kontoart;Name;Kontostand;Stichtag\n\
                Girokonto;A;1.234,56;31.12.2023\nKreditkarte;B;300,00;31.12.2023\n\
                Hypothek;C;1.000,00;31.12.2023\n").reads(&[
                "2023-12-31 Girokonto 1234.56 EUR A", "2023-12-31 Kreditkarte 300.00 EUR B",
                "2023-12-31 Hypothek 1000.00 EUR C",
            ]),
            accounts("what two programs call debts", "type,name,balance\nchecking,A,5.00\n\
                credit card,B,-300.00\n").with(&[("debt_sign", "negative")]).reads(&[
                "checking 5.00 EUR A", "credit card -300.00 EUR B",
            ]),
        ]);
    }

    fn categories_stay_where_they_are(server) {
        check(&server, vec![
            categories("in any order", "name,color,parent_category,lucide_icon\nBread,#336699,Food,\n\
                Food,,,utensils\n").reads(&["Bread Food #336699", "Food utensils"]),
            categories("a wrong color", "name,color\nFood,blue\nFun,\n").reads(&[
                "line 2: color must be written #rrggbb", "Fun",
            ]),
            categories("a blank name", "name,color\n,#336699\nFun,\n").reads(&[
                "line 2: name is blank", "Fun",
            ]),
            categories("one below itself", "name,parent_category\nFood,Food\nFun,\n").reads(&[
                "line 2: parent_category is the category itself", "Fun",
            ]),
            Case::new("merchants", "MerchantImport", "name,color,website_url\nShop,#E07A3F,\
                shop.example\nCafé,,\n").reads(&["Shop #E07A3F shop.example", "Café"]),
        ]);
    }

    fn json_of_rules_is_repaired(server) {
        let conditions = plain(&json!([
            { "condition_type": "transaction_name", "operator": "like", "value": "rent" },
        ]));
        let actions =
            plain(&json!([{ "action_type": "set_transaction_category", "value": "Home: Rent" }]));
        let wrapped = |text: &str| json!(text).to_string();
        let shown = &["R"];
        let unsupported = plain(&json!([{ "action_type": "send_email_notification" }]));
        let broken = "[{condition_type: x}]";
        check(&server, vec![
            rule("as it is", &conditions, &actions).reads(shown),
            rule("in a string", &wrapped(&conditions), &wrapped(&actions)).reads(shown),
            rule("in a string in a string", &wrapped(&wrapped(&conditions)), &actions).reads(shown),
            rule("escaped", &escaped(&conditions), &escaped(&actions)).reads(shown),
            rule("escaped three times", &escaped(&escaped(&escaped(&conditions))), &actions)
                .reads(shown),
            rule("quotes written twice", &conditions.replace('"', "\"\""), &actions).reads(shown),
            rule("quotes as numbers", &conditions.replace('"', "\\u0022"), &actions).reads(shown),
            rule("all of them must hold", &plain(&json!([{
                "condition_type": "compound", "operator": "or", "sub_conditions": [
                    { "condition_type": "transaction_name", "operator": "like", "value": "a" },
                    { "condition_type": "transaction_amount", "operator": ">", "value": "5" },
                ],
            }])), &actions).reads(shown),
            rule("an action that isn't supported", &conditions, &unsupported).reads(&[
                "line 2: The actions[0].action_type can't be send_email_notification: no e-mail is \
                sent",
            ]),
            rule("no JSON", broken, &actions)
                .reads(&["line 2: conditions must be a JSON list of objects"]),
            rule("no action", &conditions, "[]")
                .reads(&["line 2: The actions must have 1 to 20 entries"]),
        ]);
    }
}
