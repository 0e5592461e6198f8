//! The metering and cache information in a call's response.

use crate::wire_enum::wire_enum;
use serde::{Deserialize, Serialize};

/// Metering of one call, part of every JSON result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Usage {
    /// Credits spent this month, from all sources.
    pub credits_this_month: u64,
    /// Monthly plan credits; null on an unlimited plan.
    #[cfg_attr(feature = "utoipa", schema(required = true))]
    pub monthly_limit: Option<u64>,
    /// Plan credits left, never below 0; null on an unlimited plan.
    #[cfg_attr(feature = "utoipa", schema(required = true))]
    pub remaining: Option<u64>,
    /// Credits charged for this call.
    pub credits_spent: u64,
    /// True if the result came from the cache.
    pub cached: bool,
    /// Billed overage credits of this period; only if a paid account is past its quota.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub overage_credits: Option<u64>,
    /// Remaining pack credits; only if a pack paid for the call.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub pack_credits: Option<u64>,
    /// True if the automatic browser fallback was used.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub auto_render: Option<bool>,
}

wire_enum! {
    /// The `X-Cache` header.
    pub enum CacheOutcome {
        /// Served from the cache.
        Hit = "HIT",
        /// Extracted live.
        Miss = "MISS",
        /// The caller asked for a fresh read.
        Bypass = "BYPASS",
    }
}
