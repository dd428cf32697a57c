//! `criteria`: the page's question about the goals of a criterion. The command line has them beside the answers of `report` and `cover`.

use super::text::reasons;
use super::{Criterion, CriterionChoice, CriterionDocument, OrdinaryVerdicts, PairKind, criterion_document, without_claims};
use crate::analysis::settle::{EngineSettings, settled};
use crate::analysis::{Analysis, Listener, Question};
use crate::lts::unfold::GraphUnfolding;
use crate::view::{Diagnostic, Header, Reply, Request, document};
use serde::{Deserialize, Serialize};

/// Which goals are judged.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CriteriaSettings {
    pub criterion: Criterion,
    /// Of MC/DC.
    pub pairs: PairKind,
}

impl CriteriaSettings {
    fn choice(&self) -> CriterionChoice {
        CriterionChoice { criterion: self.criterion, pairs: self.pairs }
    }
}

/// The goals with their verdicts.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CriteriaAnswer {
    #[serde(flatten)]
    #[cfg_attr(test, ts(flatten))]
    pub header: Header,
    pub criterion: CriterionDocument,
    /// For each goal why it has no test, in words; empty where it has one.
    pub reasons: Vec<String>,
    /// The same for each evaluation.
    pub vector_reasons: Vec<String>,
}

document!(CriteriaAnswer);

/// `criteria`.
pub struct Criteria;

impl Analysis for Criteria {
    const NAME: &'static str = "criteria";
    const DOCS: &'static str = "report";
    type Settings = CriteriaSettings;
    type Document = CriteriaAnswer;

    fn graph_of_claims(settings: &CriteriaSettings) -> Option<GraphUnfolding> {
        settings.choice().unfolding()
    }

    fn answer(question: &Question<CriteriaSettings>, listener: &mut Listener) -> Reply<CriteriaAnswer> {
        match judged(question.request, question.settings.choice(), listener) {
            Ok(document) => Reply::Document { document },
            Err(diagnostics) => Reply::Refused { diagnostics },
        }
    }

    #[cfg(test)]
    fn declare(protocol: &mut crate::analysis::protocol::Protocol) {
        use super::{CriterionGoal, CriterionTest, CriterionVector};
        protocol.analysis::<Self>().parts::<(Criterion, PairKind, CriterionDocument, CriterionGoal, CriterionVector, CriterionTest)>();
    }
}

/// The goals of a criterion, judged beside the branches of the function's graph.
fn judged(request: &Request, choice: CriterionChoice, listener: &mut Listener) -> Result<CriteriaAnswer, Vec<Diagnostic>> {
    let settings = EngineSettings::default();
    let settled = match choice.unfolding() {
        None => settled(request, &settings, listener)?,
        Some(_) => settled(request, &settings, &mut without_claims(listener))?,
    };
    let covered = settled.cover_document(request).expect("Cover begins");
    let mut criterion = criterion_document(request, choice, &OrdinaryVerdicts { settled: &settled, covered: &covered }, listener)?;
    let mut header = Header { complete: true, ..covered.header.clone() };
    for assumed in settled.branches_document(request).into_iter().flat_map(|document| document.header.assumptions) {
        if !header.assumptions.contains(&assumed) {
            header.assumptions.push(assumed);
        }
    }
    criterion.tell(&mut header);
    let [reasons, vector_reasons] = reasons(&header, &criterion);
    Ok(CriteriaAnswer { header, criterion, reasons, vector_reasons })
}
