//! limner-testkit
