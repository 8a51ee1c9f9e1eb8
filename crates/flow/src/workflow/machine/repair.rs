//! Moves a run to a corrected definition, at the same step.
//!
//! A definition that was found sound can still be wrong: a text that asks for something else, a
//! limit that is too low. The person may exchange it under a run. What the run knows stays; only
//! what the corrected definition no longer has is dropped.

use super::{
    Machine, QUESTION, Question, Refusal, Standing, Why, expression,
    param::{self, fits},
};
use crate::workflow::{
    definition::{Handler, Step, StepId},
    run::Effect,
};

impl Machine<'_> {
    /// Takes the run over into the definition at hand, which is not the one it began with.
    pub(super) fn repair(&mut self, params: &[(String, String)]) -> Result<(), Refusal> {
        let Some(id) = self.run.step().cloned() else { return Err(Refusal::Over) };
        let Some(step) = self.workflow.step(&id) else {
            let known = self.workflow.steps.iter().map(|step| step.id.clone()).collect();
            return Err(Refusal::StepGone { step: id, known });
        };
        self.require_same_kind(step)?;
        self.take_params_over(params)?;
        let is_known = |id: &StepId| self.workflow.step(id).is_some();
        self.run.steps.retain(|id, _| is_known(id));
        self.run.gates.retain(|id, _| is_known(id));
        self.run.through.take_if(|(gate, _)| !is_known(gate));
        self.ask_again(step)?;
        self.effects.push(Effect::Repaired { step: id });
        Ok(())
    }

    /// Refuses a step of another kind: what the run waits for there is not what it asks for.
    fn require_same_kind(&self, step: &Step) -> Result<(), Refusal> {
        let is_worked_on = matches!(step.handler, Handler::Work | Handler::Dispatch(_));
        let is_same = match &self.run.standing {
            Standing::Working { .. } | Standing::Asking { why: Why::Agent, .. } => is_worked_on,
            Standing::Checking { .. } => matches!(step.handler, Handler::Check(_)),
            Standing::Asking { why: Why::Step | Why::Approval, .. } => {
                matches!(step.handler, Handler::Ask(_))
            }
            Standing::Asking { why: Why::GateLimit, .. } => {
                matches!(step.handler, Handler::Gate(_))
            }
            Standing::Asking { why: Why::StepLimit, .. } => true,
            Standing::Ended { .. } => false,
        };
        if is_same {
            return Ok(());
        }
        Err(Refusal::StepChanged { step: step.id.clone(), kind: step.handler.word() })
    }

    /// Keeps the parameters that still fit; the others come from the caller or their defaults.
    fn take_params_over(&mut self, written: &[(String, String)]) -> Result<(), Refusal> {
        // What the run has stands where a default stands at the beginning of one.
        let mut workflow = self.workflow.clone();
        for param in &mut workflow.params {
            let kept = self.run.params.get(&param.name).filter(|value| fits(&param.kind, value));
            param.default = kept.cloned().or_else(|| param.default.take());
        }
        self.run.params = param::chosen(&workflow, written).map_err(|mut refusal| {
            if let Refusal::ParamsMissing { command, .. } = &mut refusal {
                "add `--param NAME=VALUE` for each".clone_into(command);
            }
            refusal
        })?;
        Ok(())
    }

    /// Asks what the corrected step asks, where the person is asked by it.
    fn ask_again(&mut self, step: &Step) -> Result<(), Refusal> {
        let (Standing::Asking { why: Why::Step | Why::Approval, .. }, Handler::Ask(ask)) =
            (&self.run.standing, &step.handler)
        else {
            return Ok(());
        };
        let why = if ask.approval { Why::Approval } else { Why::Step };
        let text = expression::fill(&ask.question, &self.names(step))
            .map_err(|reason| Refusal::Broken { step: step.id.clone(), reason })?;
        let options = ask.options.iter().map(|option| option.label.clone()).collect();
        let free_text = ask.free_text;
        let id = QUESTION.to_owned();
        self.ask(&step.id, why, vec![Question { id, text, options, free_text }]);
        Ok(())
    }
}
