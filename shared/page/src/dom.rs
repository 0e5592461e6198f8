//! placeholder
pub struct Document;
pub struct NodeId;
