//! limner-extract
