//! limner-netguard
