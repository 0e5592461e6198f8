//! limner-gateway
