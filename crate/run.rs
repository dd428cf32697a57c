//! A run of an analysis: the trace that it tells its steps to, the recorder that makes documents, progress and claims of the trace, the
//! door that every claim passes, the assumptions that verdicts rest on, the inputs that a program is tried on first, plain numbers in those of tests, and the one run of a
//! program without any.

pub mod array_elements;
pub mod assumption_tracking;
pub mod branch_distance;
pub mod computed_inputs;
pub mod determined;
pub mod door;
pub mod edited_inputs;
pub mod enumerated;
pub mod input_numbers;
pub mod listener;
pub mod plain_blocks;
pub mod plain_letters;
pub mod plain_nodes;
pub mod plain_numbers;
pub mod random_inputs;
pub mod recorder;
pub mod simple_inputs;
pub mod trace;
pub mod words;
