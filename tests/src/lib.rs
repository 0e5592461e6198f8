//! limner-tests
