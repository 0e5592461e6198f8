//! limner-style
