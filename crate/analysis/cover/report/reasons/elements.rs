//! Facts that say the same of several elements of an array.

/// Facts of so many elements or more are told at once.
const SEVERAL: usize = 3;

/// The facts in their order; equal facts of consecutive elements of an array are one fact: `a[0], ..., a[3] <= 60`.
pub fn of_elements(facts: Vec<String>) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut left = facts;
    while !left.is_empty() {
        let first = left.remove(0);
        let Some((array, start, rest)) = parts(&first) else {
            found.push(first);
            continue;
        };
        let at = |index: u64| left.iter().position(|fact| parts(fact) == Some((array, index, rest)));
        let same: Vec<usize> = (start + 1..).map_while(at).collect();
        if same.len() + 1 < SEVERAL {
            found.push(first);
            continue;
        }
        found.push(format!("{array}[{start}], ..., {array}[{}]{rest}", start + same.len() as u64));
        left = left.into_iter().enumerate().filter(|(at, _)| !same.contains(at)).map(|(_, fact)| fact).collect();
    }
    found
}

/// The array, the number of the element and what the fact says of it; `None` where the first index is no number.
fn parts(fact: &str) -> Option<(&str, u64, &str)> {
    let (array, rest) = fact.split_once('[')?;
    let (index, rest) = rest.split_once(']')?;
    let is_name = array.chars().all(|one| one.is_alphanumeric() || "_.->".contains(one));
    Some((array, index.parse().ok()?, rest)).filter(|_| is_name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn consecutive_elements_are_one_fact() {
        let told = |facts: &[&str]| of_elements(facts.iter().map(|fact| (*fact).to_owned()).collect());
        assert_eq!(told(&["n > 0", "a[0] <= 6", "a[1] <= 6", "a[2] <= 6"]), ["n > 0", "a[0], ..., a[2] <= 6"]);
        assert_eq!(told(&["s.a[1] <= 6", "s.b[2] <= 6", "s.a[2] <= 6"]), ["s.a[1] <= 6", "s.b[2] <= 6", "s.a[2] <= 6"]);
        assert_eq!(told(&["a[0] <= 6", "a[1] <= 7", "a[2] <= 6", "a[i] <= 6"]), ["a[0] <= 6", "a[1] <= 7", "a[2] <= 6", "a[i] <= 6"]);
    }
}
