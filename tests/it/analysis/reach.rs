//! Reach on the programs of the paper.
