//! limner-runtime
