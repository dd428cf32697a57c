//! Floating-point numbers are shown as numbers in the answers of all commands.

use super::commands::{run, text};

const PROGRAM: &str = "extern double sense(void);
int f(double a, float b, const double *c, int n) {
  double x = 0.25;
  if (x > 0.5) return 8;
  if (a > 3.0) {
    if (a < 2.5) return 1;
    if (b >= 0.1f && n > 2) return 2;
  }
  if (a != a) return 4;
  while (n > 0) { if (a < 0.5) n = n - 1; else n = n - 2; }
  if (c[1] > c[0] && c[2] > 100.0) return 5;
  if (sense() < -7.25) return 6;
  if (b == 7.25f) return 9;
  return 0;
}
";

#[test]
fn numbers_are_plain_wherever_they_are_shown() {
    let mut shown = String::new();
    for command in [
        &["cfg"][..],
        &["draw", "--length", "9", "--count", "20"],
        &["prune"],
        &["explain"],
        &["reach", "--target", "14"],
        &["cover"],
        &["branches"],
    ] {
        let output = run(&[&command[..1], &["-"], &command[1..]].concat(), PROGRAM);
        let answer = text(&output.stdout);
        assert!(output.status.code().is_some_and(|status| status < 2), "{command:?}: {}", text(&output.stderr));
        // Ranks have up to 19 digits, and a number next to a bound has 16.
        let digits = answer.split(|character: char| !character.is_ascii_digit()).map(str::len).max();
        let sizes = answer.split(|character: char| !character.is_ascii_digit()).filter(|run| run.len() > 12).collect::<Vec<_>>();
        assert!(digits < Some(13), "{command:?}: {sizes:?}\n{answer}");
        shown += &answer;
    }
    for part in ["a > 3.0 (3.0 < a)", "a != a (isnan(a))", "a = 4.0", "b = 7.25f", "2.5 ≤ a", "0.1f ≤ b", "b ≠ 7.25f"] {
        assert!(shown.contains(part), "{part}\n{shown}");
    }
}
