//! The front end as a whole.
