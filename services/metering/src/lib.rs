//! limner-metering
