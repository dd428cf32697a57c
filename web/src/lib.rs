//! The page's engine.
