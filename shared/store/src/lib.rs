//! limner-store
