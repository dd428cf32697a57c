//! What a graph names of other parts of the program: functions without a body, and objects of a caller.

/// Names of what stands outside of the function.
#[derive(Clone, Debug, Default)]
pub struct OutsideNames {
    /// Functions without a body that may write to objects.
    pub functions: Vec<String>,
    /// Pairs of objects of a caller that the program compares: scalars that are 1 where they are one object.
    pub meetings: Vec<String>,
}
