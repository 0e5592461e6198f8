//! `[billing]`: the provider that collects, and prices.

use super::layered_reader::LayeredReader;
use super::values::{BaseUrl, Setting};
use crate::Secret;
use std::collections::BTreeMap;
use std::net::SocketAddr;
use toml::Value;

/// `[billing]`
#[derive(Debug, Clone)]
pub struct BillingSettings {
    /// The billing provider.
    pub provider: BillingProviderName,
    /// Billing currency of new accounts.
    pub currency: BillingCurrency,
    /// Prices that differ from the list.
    pub prices: PriceMap,
    /// Address that receives the provider's webhook events; `None` disables it.
    pub webhook_listen: Option<SocketAddr>,
    /// Days to pay a sent invoice.
    pub days_until_due: usize,
    /// True if the provider adds taxes.
    pub automatic_tax: bool,
    /// The provider's code of what is sold, which decides its tax.
    pub tax_code: TaxCode,
    /// URL of Stripe's API.
    pub stripe_url: BaseUrl,
    /// API key.
    pub stripe_secret_key: Option<NonEmptySecret>,
    /// Secret that webhook events are signed with.
    pub stripe_webhook_secret: Option<NonEmptySecret>,
}

impl BillingSettings {
    pub(super) fn read(from: &mut LayeredReader, stripe_url: BaseUrl) -> Self {
        Self {
            provider: from.value("billing.provider", BillingProviderName::Manual, "who collects: manual or stripe"),
            currency: from.value(
                "billing.currency",
                BillingCurrency::Eur,
                "eur or usd: what new accounts are billed in, unless they say otherwise",
            ),
            prices: from.value(
                "billing.prices",
                PriceMap::default(),
                "of plans (a month) and packs where they differ from the list: growth = \"79 EUR, 89 USD\"",
            ),
            webhook_listen: from.optional(
                "billing.webhook_listen",
                "where the provider's messages arrive (POST /webhooks/stripe); absent: nowhere",
            ),
            days_until_due: from.value("billing.days_until_due", 14, "days to pay an invoice that is sent"),
            automatic_tax: from.value("billing.automatic_tax", false, "whether the provider adds taxes"),
            tax_code: from.value(
                "billing.tax_code",
                TaxCode::default(),
                "what is sold, by Stripe's list of tax codes; the default is software as a service for businesses",
            ),
            stripe_url: from.value("billing.stripe_url", stripe_url, "Stripe's API"),
            stripe_secret_key: from.secret("billing.stripe_secret_key", "its secret or restricted key"),
            stripe_webhook_secret: from.secret(
                "billing.stripe_webhook_secret",
                "what its messages are signed with; two, separated by a comma, while one replaces the other",
            ),
        }
    }

    /// Records missing settings.
    pub(super) fn check(&self, reader: &mut LayeredReader) {
        if self.provider != BillingProviderName::Stripe {
            return;
        }
        for (key, is_missing) in [
            ("billing.stripe_secret_key", self.stripe_secret_key.is_none()),
            ("billing.stripe_webhook_secret", self.stripe_webhook_secret.is_none()),
            ("billing.webhook_listen", self.webhook_listen.is_none()),
        ] {
            if is_missing {
                reader
                    .record_error(key, "billing.provider = \"stripe\" needs it: what is paid would never be heard of");
            }
        }
    }
}

/// The billing provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BillingProviderName {
    /// Operators collect by hand, from exported invoices.
    Manual,
    /// Stripe.
    Stripe,
}

impl Setting for BillingProviderName {
    const EXPECTED: &'static str = "one of manual, stripe";

    fn from_text(text: &str) -> Option<Self> {
        match text {
            "manual" => Some(Self::Manual),
            "stripe" => Some(Self::Stripe),
            _ => None,
        }
    }

    fn to_toml(&self) -> Value {
        Value::String(if *self == Self::Manual { "manual" } else { "stripe" }.to_owned())
    }
}

/// A code of Stripe's list that names what is sold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaxCode(String);

impl TaxCode {
    /// Returns the code.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Software as a service for businesses.
impl Default for TaxCode {
    fn default() -> Self {
        Self("txcd_10103001".to_owned())
    }
}

impl Setting for TaxCode {
    const EXPECTED: &'static str = "a tax code of Stripe such as \"txcd_10103001\"";

    fn from_text(text: &str) -> Option<Self> {
        let digits = text.strip_prefix("txcd_")?;
        (digits.len() == 8 && digits.bytes().all(|byte| byte.is_ascii_digit())).then(|| Self(text.to_owned()))
    }

    fn to_toml(&self) -> Value {
        Value::String(self.0.clone())
    }
}

/// The billing currency.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BillingCurrency {
    /// Euro.
    Eur,
    /// US dollar.
    Usd,
}

impl BillingCurrency {
    /// Returns the name in the ledger and on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Eur => "eur",
            Self::Usd => "usd",
        }
    }
}

impl Setting for BillingCurrency {
    const EXPECTED: &'static str = "one of eur, usd";

    fn from_text(text: &str) -> Option<Self> {
        [Self::Eur, Self::Usd].into_iter().find(|currency| currency.as_str() == text)
    }

    fn to_toml(&self) -> Value {
        Value::String(self.as_str().to_owned())
    }
}

/// A secret that is not a URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NonEmptySecret(Secret);

impl NonEmptySecret {
    /// Returns the value, for connecting.
    pub fn expose(&self) -> &str {
        self.0.expose()
    }
}

impl Setting for NonEmptySecret {
    const IS_SECRET: bool = true;
    const EXPECTED: &'static str = "a text without spaces";

    fn from_text(text: &str) -> Option<Self> {
        let is_token = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic());
        is_token.then(|| Self(Secret::new(text)))
    }

    fn to_toml(&self) -> Value {
        Value::String("***".to_owned())
    }
}

/// Prices in cents, by the name of a plan or a pack and the currency (`EUR`, `USD`).
pub type PriceMap = BTreeMap<(String, String), u64>;

impl Setting for PriceMap {
    const EXPECTED: &'static str =
        "names with prices, such as growth = \"79 EUR, 89.50 USD\" (in the environment: growth=79 EUR;top-up=5 EUR)";

    fn from_text(text: &str) -> Option<Self> {
        let entries = text.split(';').map(|entry| {
            let (name, prices) = entry.split_once('=')?;
            prices_of(name.trim(), prices)
        });
        Some(entries.collect::<Option<Vec<_>>>()?.into_iter().flatten().collect())
    }

    fn from_toml(value: &Value) -> Option<Self> {
        let entries = value.as_table()?.iter().map(|(name, prices)| prices_of(name, prices.as_str()?));
        Some(entries.collect::<Option<Vec<_>>>()?.into_iter().flatten().collect())
    }

    fn to_toml(&self) -> Value {
        let mut table = toml::Table::new();
        for ((name, currency), cents) in self {
            let price = format!("{}.{:02} {currency}", cents / 100, cents % 100);
            let prices = match table.get(name).and_then(Value::as_str) {
                Some(others) => format!("{others}, {price}"),
                None => price,
            };
            table.insert(name.clone(), Value::String(prices));
        }
        Value::Table(table)
    }
}

fn prices_of(name: &str, prices: &str) -> Option<Vec<((String, String), u64)>> {
    let price = |text: &str| {
        let (amount, currency) = text.trim().split_once(' ')?;
        let currency = currency.trim().to_ascii_uppercase();
        let is_known = matches!(currency.as_str(), "EUR" | "USD") && !name.is_empty();
        is_known.then_some(((name.to_owned(), currency), cents(amount)?))
    };
    prices.split(',').map(price).collect()
}

/// Parses `79` or `79.50`.
fn cents(amount: &str) -> Option<u64> {
    let (whole, fraction) = amount.split_once('.').unwrap_or((amount, "00"));
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !is_digits(whole) || !is_digits(fraction) || fraction.len() != 2 {
        return None;
    }
    whole.parse::<u64>().ok()?.checked_mul(100)?.checked_add(fraction.parse().ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prices_are_read_and_written() {
        for (text, cents_of) in [
            ("growth=79 EUR", vec![("growth", "EUR", 7_900)]),
            (
                "growth=79 EUR, 89.50 usd;top-up=0.05 EUR",
                vec![("growth", "EUR", 7_900), ("growth", "USD", 8_950), ("top-up", "EUR", 5)],
            ),
        ] {
            let prices = PriceMap::from_text(text).unwrap();
            let read: Vec<_> = prices.iter().map(|((name, of), cents)| (name.as_str(), of.as_str(), *cents)).collect();
            assert_eq!(read, cents_of, "{text}");
            assert_eq!(PriceMap::from_toml(&prices.to_toml()), Some(prices), "{text}");
        }
        for text in [
            "growth",
            "growth=",
            "growth=79",
            "growth=79 GBP",
            "growth=7.9 EUR",
            "growth=-1 EUR",
            "=1 EUR",
            "growth=+1 EUR",
        ] {
            assert_eq!(PriceMap::from_text(text), None, "{text}");
        }
    }
}
