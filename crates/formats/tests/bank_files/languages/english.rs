//! English, as banks of Britain, America and India write it.

use super::{Headers, Language};
use crate::styles::{DateStyle, NumberStyle};

const HEADERS: Headers = Headers {
    date: &["Date", "Posting Date", "Transaction Date", "Booking Date", "Post Date", "Txn Date"],
    value_date: &["Value Date", "Value Dt", "Settlement Date"],
    amount: &["Amount", "Transaction Amount", "AMOUNT", "Amount (GBP)", "Net Amount"],
    two: &[
        ("Debit", "Credit"),
        ("Paid out", "Paid in"),
        ("Money Out", "Money In"),
        ("Withdrawals", "Deposits"),
        ("Debit Amount", "Credit Amount"),
        ("Withdrawal Amt.", "Deposit Amt."),
    ],
    direction: &[
        ("Credit/Debit", "Debit", "Credit"),
        ("Transaction Type", "DEBIT", "CREDIT"),
        ("Dr/Cr", "Dr", "Cr"),
        ("Credit Debit Indicator", "DBIT", "CRDT"),
        ("Type", "debit", "credit"),
    ],
    name: &["Name", "Payee", "Counter Party", "Merchant", "Description", "Narration"],
    purpose: &["Memo", "Reference", "Transaction Details", "Notes", "Particulars"],
    balance: &["Balance", "Running Balance", "Account Balance", "Closing Balance"],
    currency: &["Currency", "CCY", "Currency Code"],
    status: "Status",
    account: "Account",
};

#[rustfmt::skip]
const PAYEES: &[&str] = &[
    "Corner Market", "Green Grocers Ltd", "City Council", "Northern Rail", "J. Smith & Sons",
    "Water, Gas & Power", "ACME Payroll", "The \"Old\" Bakery", "STREAMING 12.99", "Pharmacy 24",
    "Balance Coffee", "TOTAL ENERGIES 4589",
];
const PURPOSES: &[&str] = &["Invoice 4711", "June", "Ref 2025-06-01", "card 1234", "rent", ""];

/// The banks' habits, apart.
pub(super) const LANGUAGES: &[Language] = &[
    Language {
        name: "British English",
        currency: ("GBP", "£"),
        separators: &[','],
        dates: &[DateStyle::DayMonth('/'), DateStyle::DayMonthName, DateStyle::Iso],
        numbers: &[NumberStyle::Plain, NumberStyle::CommaPoint],
        headers: HEADERS,
        preamble: &["Account Name", "Account Number", "Statement period"],
        total: "Total",
        opening: "Opening balance",
        closing: "Closing balance",
        remark: "End of statement, all figures without guarantee",
        status: ["Booked", "Pending", "Declined"],
        payees: PAYEES,
        purposes: PURPOSES,
    },
    Language {
        name: "American English",
        currency: ("USD", "$"),
        separators: &[',', '\t'],
        dates: &[DateStyle::MonthDay('/'), DateStyle::Iso, DateStyle::MonthDayShortYear],
        numbers: &[NumberStyle::Plain, NumberStyle::CommaPoint],
        headers: Headers {
            amount: &["Amount", "Transaction Amount", "Amount (USD)", "AMOUNT"],
            ..HEADERS
        },
        preamble: &["Account", "Customer", "Date range"],
        total: "Totals",
        opening: "Beginning balance",
        closing: "Ending balance",
        remark: "Thank you for banking with us",
        status: ["Posted", "Pending", "Declined"],
        payees: PAYEES,
        purposes: PURPOSES,
    },
    Language {
        name: "Indian English",
        currency: ("INR", "₹"),
        separators: &[',', '|'],
        dates: &[DateStyle::DayMonth('/'), DateStyle::DayMonthNameHyphen, DateStyle::DayMonth('-')],
        numbers: &[NumberStyle::Indian, NumberStyle::Plain],
        headers: Headers { amount: &["Amount", "Transaction Amount", "Amount (INR)"], ..HEADERS },
        preamble: &["Account No", "Branch", "Statement From"],
        total: "Grand Total",
        opening: "Opening Balance",
        closing: "Closing Balance",
        remark: "*** End of Statement ***",
        status: ["Completed", "Pending", "Failed"],
        payees: PAYEES,
        purposes: PURPOSES,
    },
];
