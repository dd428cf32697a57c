//! "Did you mean …?": the closest word by edit distance.

/// The candidate closest to `word`, if it is close enough to be meant; the first of equals.
pub fn closest<'a>(word: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let length = word.chars().count();
    // Very short words resemble everything; very long ones are not worth the time.
    if !(2..=64).contains(&length) {
        return None;
    }
    let limit = if length <= 3 { 1 } else { 2 };
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        if candidate == word || candidate.is_empty() || candidate.len().abs_diff(word.len()) > limit {
            continue;
        }
        let distance = distance(word, candidate);
        if distance <= limit && best.is_none_or(|(d, _)| distance < d) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// Edit distance with swaps of neighbours counted as one edit; letter case counts nothing.
fn distance(a: &str, b: &str) -> usize {
    let a: Vec<char> = a.to_ascii_lowercase().chars().collect();
    let b: Vec<char> = b.to_ascii_lowercase().chars().collect();
    let mut rows = vec![(0..=b.len()).collect::<Vec<_>>()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let substitution = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut cost = substitution.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                cost = cost.min(rows[i - 2][j - 2] + 1);
            }
            row.push(cost);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::closest;

    #[test]
    fn finds_what_was_meant() {
        let words = ["while", "for", "count", "swapped"];
        assert_eq!(closest("whlie", words.into_iter()), Some("while"));
        assert_eq!(closest("swaped", words.into_iter()), Some("swapped"));
        assert_eq!(closest("fro", words.into_iter()), Some("for"));
        assert_eq!(closest("x", words.into_iter()), None);
        assert_eq!(closest("banana", words.into_iter()), None);
    }
}
