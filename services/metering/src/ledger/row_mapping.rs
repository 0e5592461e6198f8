//! Maps database rows to the types of this crate.

use limner_store::{FromSql, Row, StoreError};
use limner_types::{AccountState, WireEnum};

/// Reads the column `name`.
pub(crate) fn column<'a, T: FromSql<'a>>(row: &'a Row, name: &str) -> Result<T, StoreError> {
    Ok(row.try_get(name)?)
}

/// Reads a count. The database ensures that it is not negative.
pub(crate) fn count(row: &Row, name: &str) -> Result<u64, StoreError> {
    let value: i64 = column(row, name)?;
    u64::try_from(value).map_err(|_| StoreError::Unexpected(format!("{name} is {value}")))
}

/// Reads a nullable count.
pub(crate) fn optional_count(row: &Row, name: &str) -> Result<Option<u64>, StoreError> {
    let value: Option<i64> = column(row, name)?;
    let unsigned = |value| u64::try_from(value).map_err(|_| StoreError::Unexpected(format!("{name} is {value}")));
    value.map(unsigned).transpose()
}

/// Reads a number that fits 32 bits.
pub(crate) fn column_u32(row: &Row, name: &str) -> Result<u32, StoreError> {
    let value: i32 = column(row, name)?;
    u32::try_from(value).map_err(|_| StoreError::Unexpected(format!("{name} is {value}")))
}

/// Reads a member of a closed set of strings.
pub(crate) fn column_enum<T: WireEnum>(row: &Row, name: &str) -> Result<T, StoreError> {
    let text: &str = column(row, name)?;
    T::parse(text).ok_or_else(|| StoreError::Unexpected(format!("{name} is `{text}`")))
}

/// Reads the columns of `metering.account_state`; `None` if there is no such account.
pub(crate) fn account_state(row: &Row) -> Result<Option<AccountState>, StoreError> {
    let Some(account_id) = column::<Option<String>>(row, "account_id")? else {
        return Ok(None);
    };
    Ok(Some(AccountState {
        account_id,
        plan: column_enum(row, "plan")?,
        suspended: column(row, "suspended")?,
        requests_per_minute: column_u32(row, "requests_per_minute")?,
        monthly_limit: optional_count(row, "monthly_limit")?,
        period_start_unix: column(row, "period_start_unix")?,
        spent_this_month: count(row, "spent_this_month")?,
        plan_spent: count(row, "plan_spent")?,
        overage_spent: count(row, "overage_spent")?,
        pack_balance: count(row, "pack_balance")?,
        overage_enabled: column(row, "overage_enabled")?,
        version: count(row, "version")?,
    }))
}

/// Converts a count to a parameter of a SQL statement.
pub(crate) fn signed(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}
