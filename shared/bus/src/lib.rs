//! limner-bus
