//! limner-cache
