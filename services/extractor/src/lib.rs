//! limner-extractor
