//! Invoices and their export.

use crate::contract_terms::Currency;
use limner_runtime::csv;
use limner_types::WireEnum;
use serde::{Deserialize, Serialize};

/// The debt of one account: the overage of one month, or an ordered item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Invoice {
    /// Permanent id, also used towards the billing provider.
    pub id: String,
    /// The account.
    pub account_id: String,
    /// Its owner.
    pub email: String,
    /// First day of the month.
    pub period_start: String,
    /// The currency of all amounts.
    pub currency: Currency,
    /// The billed items.
    pub lines: Vec<InvoiceLine>,
    /// The sum of the lines, in cents.
    pub total_cents: u64,
    /// The billing provider's id; null until the invoice has been submitted.
    pub provider_reference: Option<String>,
}

/// One line of an invoice.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct InvoiceLine {
    /// Text for people.
    pub description: String,
    /// `overage`, `pack` or `plan`.
    pub kind: String,
    /// The plan that is paid for, or under which the overage was drawn.
    pub plan: Option<String>,
    /// The credit pack that is paid for.
    pub pack: Option<String>,
    /// Number of overage credits; 1 for an ordered item.
    pub quantity: u64,
    /// Overage only: cents per 1,000 credits.
    pub rate_cents_per_1000: Option<u64>,
    /// Amount in cents, without tax. For overage: quantity times rate, rounded half up; otherwise the price of the
    /// ordered item.
    pub amount_cents: u64,
}

const COLUMNS: [&str; 12] = [
    "invoice",
    "account",
    "email",
    "period_start",
    "currency",
    "description",
    "kind",
    "plan",
    "pack",
    "quantity",
    "rate_cents_per_1000",
    "amount_cents",
];

/// Returns invoices as CSV (RFC 4180): a header, and one row per invoice line.
pub fn to_csv(invoices: &[Invoice]) -> String {
    let lines = invoices.iter().flat_map(|invoice| invoice.lines.iter().map(move |line| (invoice, line)));
    let rows = lines.map(|(invoice, line)| {
        [
            invoice.id.clone(),
            invoice.account_id.clone(),
            invoice.email.clone(),
            invoice.period_start.clone(),
            invoice.currency.as_str().to_owned(),
            line.description.clone(),
            line.kind.clone(),
            line.plan.clone().unwrap_or_default(),
            line.pack.clone().unwrap_or_default(),
            line.quantity.to_string(),
            line.rate_cents_per_1000.map(|rate| rate.to_string()).unwrap_or_default(),
            line.amount_cents.to_string(),
        ]
    });
    csv::to_csv(std::iter::once(COLUMNS.map(str::to_owned)).chain(rows))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn invoice(email: &str) -> Invoice {
        Invoice {
            id: "inv_1".to_owned(),
            account_id: "acc_1".to_owned(),
            email: email.to_owned(),
            period_start: "2026-10-01".to_owned(),
            currency: Currency::Usd,
            lines: vec![InvoiceLine {
                description: "Overage on plan growth".to_owned(),
                kind: "overage".to_owned(),
                plan: Some("growth".to_owned()),
                pack: None,
                quantity: 1_234,
                rate_cents_per_1000: Some(400),
                amount_cents: 494,
            }],
            total_cents: 494,
            provider_reference: None,
        }
    }

    #[test]
    fn csv_has_one_row_per_line() {
        let csv = to_csv(&[invoice("a@example.org")]);
        let row = "inv_1,acc_1,a@example.org,2026-10-01,usd,Overage on plan growth,overage,growth,,1234,400,494";
        assert_eq!(csv, format!("{}\r\n{row}\r\n", COLUMNS.join(",")));
    }

    #[test]
    fn invoice_csv_quotes_fields_and_disables_formulas() {
        for (email, field) in [
            ("a,b@example.org", "\"a,b@example.org\""),
            ("\"a\"@example.org", "\"\"\"a\"\"@example.org\""),
            ("=HYPERLINK(1)@example.org", "'=HYPERLINK(1)@example.org"),
        ] {
            assert!(to_csv(&[invoice(email)]).contains(&format!(",{field},")), "{email}");
        }
    }

    #[test]
    fn invoice_json_round_trips() {
        let json = serde_json::to_string(&invoice("a@example.org")).unwrap();
        assert_eq!(serde_json::from_str::<Invoice>(&json).unwrap(), invoice("a@example.org"));
    }
}
