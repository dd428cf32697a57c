//! What several analyses need: graphs of places, and what shows that they are right.

pub mod certify;
pub mod exact;
pub mod instances;
pub mod places;
