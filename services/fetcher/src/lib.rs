//! limner-fetcher
