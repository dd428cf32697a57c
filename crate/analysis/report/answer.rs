//! `report`: the verdicts of all engines, as one document.

#[cfg(feature = "cli")]
use super::citations::cited;
use super::entries::ledger;
use super::error_call::{error_call, is_error};
use super::findings::{FindingSource, findings};
use super::safety::{SafetyAnswer, safety, with_used};
use super::{ReportBranch, ReportCounts, ReportDocument, ReportFinding, ReportFindingKind, ReportSafety, ReportTest, ReportVerdict};
use crate::analysis::branches::BranchesDocument;
use crate::analysis::cover::report::writing::RAISED;
use crate::analysis::cover::{CoverDocument, CoverExclusion};
#[cfg(feature = "cli")]
use crate::analysis::criteria::{CriterionChoice, CriterionTest, OrdinaryVerdicts, criterion_document, without_claims};
use crate::analysis::settle::{EngineSettings, SettledProgram, settled};
use crate::ledger::{Ledger, LedgerBranch, LedgerVerdict};
use crate::load::warning;
use crate::run::listener::Listener;
use crate::view::{Header, Reply, Request, place};

/// Settles the branches of a function and reports on them; refuses a program with errors.
pub fn report(request: &Request, listener: &mut Listener) -> Reply<ReportDocument> {
    report_with(request, listener, |_, document| document)
}

/// As [`report`]; `finish` completes the document with what its sources say.
pub fn report_with(
    request: &Request,
    listener: &mut Listener,
    finish: impl FnOnce(&FindingSource, ReportDocument) -> ReportDocument,
) -> Reply<ReportDocument> {
    match settled(request, &EngineSettings::default(), listener) {
        Ok(settled) => {
            #[cfg_attr(not(feature = "cli"), allow(unused_mut, reason = "evidence files are the command line's"))]
            let SafetyAnswer { safety, failing, used } = safety(request, &settled, listener);
            let mut document = with_used(document(request, &settled, Some(safety), failing, finish), used);
            #[cfg(feature = "cli")]
            cite(&mut document, &settled, listener);
            Reply::Document { document }
        }
        Err(diagnostics) => Reply::Refused { diagnostics },
    }
}

/// Names the claims that exclude each infeasible branch, where evidence is kept.
#[cfg(feature = "cli")]
fn cite(document: &mut ReportDocument, settled: &SettledProgram, listener: &Listener) {
    let Some(claims) = &listener.claims else { return };
    for (branch, side) in document.list.iter_mut().zip(&settled.sides) {
        if branch.verdict == ReportVerdict::Infeasible {
            branch.claims = cited(claims.kept(), side);
        }
    }
}

/// As [`report`], with the goals of a criterion.
#[cfg(feature = "cli")]
pub fn report_on_criterion(request: &Request, choice: CriterionChoice, listener: &mut Listener) -> Reply<ReportDocument> {
    let ordinary = match choice.unfolding() {
        None => settled(request, &EngineSettings::default(), listener),
        Some(_) => settled(request, &EngineSettings::default(), &mut without_claims(listener)),
    };
    let with_criterion = ordinary.and_then(|settled| {
        let covered = settled.cover_document(request).expect("Cover begins");
        let verdicts = OrdinaryVerdicts { settled: &settled, covered: &covered };
        let mut criterion = criterion_document(request, choice, &verdicts, listener)?;
        // Evidence is about one graph.
        let SafetyAnswer { safety, failing, used } = match choice.unfolding() {
            None => safety(request, &settled, listener),
            Some(_) => safety(request, &settled, &mut without_claims(listener)),
        };
        let mut document = with_used(document(request, &settled, Some(safety), failing, |_, document| document), used);
        if choice.unfolding().is_none() {
            cite(&mut document, &settled, listener);
        }
        let tests = std::mem::take(&mut criterion.tests).into_iter();
        let numbers: Vec<u32> = tests.map(|test| number_of(&mut document.tests, test)).collect();
        let named = criterion.list.iter_mut().flat_map(|goal| &mut goal.tests);
        named.chain(criterion.vectors.iter_mut().flat_map(|vector| &mut vector.test)).for_each(|test| *test = numbers[*test as usize]);
        criterion.tell(&mut document.header);
        document.sentence = format!("{} {}", criterion.sentence, document.sentence);
        document.criterion = Some(criterion);
        Ok(document)
    });
    match with_criterion {
        Ok(document) => Reply::Document { document },
        Err(diagnostics) => Reply::Refused { diagnostics },
    }
}

/// The number of a test among those of a report, where it is added if need be.
#[cfg(feature = "cli")]
fn number_of(tests: &mut Vec<ReportTest>, CriterionTest { input, after, assumes }: CriterionTest) -> u32 {
    let number = tests.iter().position(|test| test.input == input && test.after == after);
    let number = number.unwrap_or_else(|| {
        tests.push(ReportTest { input, after, assumes });
        tests.len() - 1
    });
    number as u32
}

/// The report on what the engines settled.
#[cfg(feature = "files")]
pub fn settled_report(request: &Request, settled: &SettledProgram) -> ReportDocument {
    document(request, settled, None, Vec::new(), |_, document| document)
}

fn document(
    request: &Request,
    settled: &SettledProgram,
    safety: Option<ReportSafety>,
    failing: Vec<ReportFinding>,
    finish: impl FnOnce(&FindingSource, ReportDocument) -> ReportDocument,
) -> ReportDocument {
    let covered = settled.cover_document(request).expect("Cover begins");
    let searched = settled.branches_document(request);
    let ledger = ledger(settled, &covered, searched.as_ref());
    #[cfg_attr(not(feature = "files"), allow(unused_mut, reason = "labels come with files"))]
    let mut list: Vec<ReportBranch> = ledger.branches.iter().map(|branch| view(settled, branch)).collect();
    let branches = counts(&list);
    let source = FindingSource { loaded: &settled.sized.loaded, covered: &covered, branches: &ledger.branches };
    #[cfg_attr(not(feature = "files"), allow(unused_mut, reason = "labels come with files"))]
    let mut findings = findings(&source, failing);
    #[cfg(feature = "files")]
    super::innocuous::label(&settled.sized.loaded, &ledger.branches, &mut list, &mut findings);
    let tests =
        ledger.tests.iter().map(|test| ReportTest { input: test.input.clone(), after: test.after.clone(), assumes: test.assumes.clone() });
    let document = ReportDocument {
        sentence: sentence(branches, &findings, safety.as_ref()),
        branches,
        tests: tests.collect(),
        findings,
        list,
        safety,
        error_call: error_call(&source, is_error),
        #[cfg(feature = "cli")]
        criterion: None,
        header: header(&covered, searched, &ledger, branches.open == 0),
        #[cfg(feature = "cli")]
        property: None,
    };
    finish(&source, document)
}

/// The header: what the documents of the engines say beside their verdicts.
fn header(covered: &CoverDocument, searched: Option<BranchesDocument>, ledger: &Ledger<CoverExclusion>, complete: bool) -> Header {
    let mut header = Header { complete, ..covered.header.clone() };
    let other = searched.map(|document| document.header);
    for one in other.into_iter().flat_map(|other| other.assumptions) {
        if !header.assumptions.contains(&one) {
            header.assumptions.push(one);
        }
    }
    for &branch in &ledger.contradicted {
        let text = &ledger.branches[branch].name.text;
        let fault = format!("this is a fault of culdesac: a replayed test takes `{text}`, and a proof says that no execution does");
        header.diagnostics.push(warning("contradiction", fault));
    }
    header
}

fn view(settled: &SettledProgram, LedgerBranch { name, verdict, engine }: &LedgerBranch<CoverExclusion>) -> ReportBranch {
    let branch = ReportBranch {
        line: name.line,
        column: name.column,
        place: place(&settled.sized.loaded.lines, name.span),
        text: name.text.clone(),
        expansion: name.expansion.clone(),
        side: name.holds.to_string(),
        verdict: ReportVerdict::Open,
        engine: (*engine).to_owned(),
        test: None,
        because: None,
        assumes: Vec::new(),
        open: None,
        state: None,
        #[cfg(feature = "files")]
        innocuous: None,
        #[cfg(feature = "files")]
        claims: Vec::new(),
    };
    match verdict {
        LedgerVerdict::Covered { test } => ReportBranch { verdict: ReportVerdict::Covered, test: Some(*test as u32), ..branch },
        LedgerVerdict::Infeasible { assumes, because } => {
            ReportBranch { verdict: ReportVerdict::Infeasible, assumes: assumes.clone(), because: because.clone(), ..branch }
        }
        LedgerVerdict::Open { why, state } => ReportBranch { open: Some(why.clone()), state: state.clone(), ..branch },
    }
}

fn counts(list: &[ReportBranch]) -> ReportCounts {
    let of = |verdict: ReportVerdict| list.iter().filter(|branch| branch.verdict == verdict).count() as u32;
    ReportCounts {
        total: list.len() as u32,
        covered: of(ReportVerdict::Covered),
        infeasible: of(ReportVerdict::Infeasible),
        open: of(ReportVerdict::Open),
    }
}

/// What a report takes for granted of the pointers that a caller passes; `None` where that is nothing.
pub fn not_null(ReportSafety { non_null, .. }: &ReportSafety) -> Option<String> {
    let names: Vec<String> = non_null.iter().map(|name| format!("`{name}`")).collect();
    let (last, others) = names.split_last()?;
    Some(if others.is_empty() { format!("{last} is not null") } else { format!("{} and {last} are not null", others.join(", ")) })
}

/// The answer in words.
pub fn sentence(counts: ReportCounts, findings: &[ReportFinding], safety: Option<&ReportSafety>) -> String {
    let ReportCounts { total, covered, infeasible, open } = counts;
    let branches = |count: u32| if count == 1 { "branch" } else { "branches" };
    let of = |count: u32| format!("{count} of {total} {}", branches(total));
    let said = match (total, infeasible, open) {
        (0, ..) => "the function decides nothing, so it has no branch".to_owned(),
        (1, 0, 0) => "the only branch can run".to_owned(),
        (2, 0, 0) => "both branches can run".to_owned(),
        (_, 0, 0) => format!("all {total} branches can run"),
        (_, _, 0) => format!("{} can never run", of(infeasible)),
        (1, 0, _) => "the only branch is open".to_owned(),
        (_, 0, _) if covered == 0 => format!("all {total} branches are open"),
        (_, 0, _) => format!("{} can run, {open} open", of(covered)),
        _ if covered == 0 => format!("{} can never run, {open} open", of(infeasible)),
        _ => format!("{} can run, {infeasible} never, {open} open", of(covered)),
    };
    let evidence = || findings.iter().filter(|finding| finding.kind == ReportFindingKind::Error).map(|finding| finding.evidence.as_str());
    let errors = evidence().count();
    let is_judged = |safety: &ReportSafety| safety.unjudged.is_empty();
    let is_safe = safety.is_some_and(|safety| safety.total > 0 && safety.safe == safety.total && is_judged(safety));
    // What the program says is no undefined behaviour, whose places are counted below.
    let raised = RAISED.into_iter().map(|what| (what, evidence().filter(|evidence| *evidence == what).count()));
    let (how, counts): (Vec<&str>, Vec<usize>) = raised.filter(|(_, count)| *count > 0).unzip();
    let by = match counts.iter().sum() {
        _ if safety.is_none_or(|safety| safety.total == 0) => String::new(),
        0 => String::new(),
        all if all == errors => format!(", by {}", how.join(" or ")),
        some => format!(", {some} of them by {}", how.join(" or ")),
    };
    let failing = match errors {
        0 if is_safe => {
            let condition = safety.and_then(not_null).map_or_else(String::new, |condition| format!(" if {condition}"));
            format!(", and no place can fail{condition}")
        }
        0 => String::new(),
        1 => format!(", and 1 place can fail{by}"),
        errors => format!(", and {errors} places can fail{by}"),
    };
    let mut sentence = format!("{said}{failing}.");
    if let Some(first) = sentence.get(..1).map(str::to_uppercase) {
        sentence.replace_range(..1, &first);
    }
    sentence
}
