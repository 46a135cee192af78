"use client";

import type { FocusEvent } from "react";
import { Button } from "#components/ui/button/button.tsx";
import { TextField } from "#components/ui/form/field.tsx";
import { Form, type Rejection } from "#components/ui/form/form.tsx";
import { FormDisclosure, FormSection } from "#components/ui/form/form-section.tsx";
import { listedOptions } from "#lib/schema/action/action-options.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { ControlFields } from "../control/control-fields.tsx";
import type { ActionDraft } from "../draft/action-draft.ts";
import { type ActionErrors, errorsAt, namedTextsUnder, textsAt } from "../draft/action-errors.ts";
import { summarizeControl } from "../draft/control-draft.ts";
import type { FilterTally, FilterVerdictView } from "../draft/filter-draft.ts";
import { describeRate } from "../draft/rate-draft.ts";
import { FilterFields } from "../filter/filter-fields.tsx";
import { TypeProposal } from "../filter/type-proposal.tsx";
import { RateFields } from "../limits/rate-fields.tsx";
import { RetryFields, summarizeRetry } from "../limits/retry-fields.tsx";
import { CallFields } from "../request/call-fields.tsx";
import { AddStep } from "../steps/add-step.tsx";
import { StepFlow } from "../steps/step-flow.tsx";
import type { StepsActions, StepsView } from "../steps/steps-view.ts";

type ActionFormProps = {
  readonly id: string;
  readonly draft: ActionDraft;
  readonly onChange: (change: Partial<ActionDraft>) => void;
  readonly onFocus: (event: FocusEvent) => void;
  readonly onSubmit: () => void;
  readonly errors: ActionErrors;
  readonly view: StepsView;
  readonly actions: StepsActions;
  /** The action is shown as a call without steps. */
  readonly isSimple: boolean;
  readonly onShowSteps: () => void;
  readonly rejection: Rejection | undefined;
  readonly verdict: FilterVerdictView | null;
  readonly tally: CommandResult<FilterTally | null> | undefined;
  /** The event type of the chosen delivery. */
  readonly eventType: string | null;
  /** All event types that the hook has seen. */
  readonly eventTypes: readonly string[];
};

/** The form of an action: when it runs, what it does, and what happens on failure. */
export function ActionForm(props: ActionFormProps) {
  const { draft, onChange, errors } = props;
  return (
    <Form
      id={props.id}
      rejection={props.rejection}
      className="gap-5"
      onFocus={props.onFocus}
      onSubmit={(event) => {
        event.preventDefault();
        props.onSubmit();
      }}
    >
      <TypeProposal
        filter={draft.filter}
        onChange={(filter) => onChange({ filter })}
        eventType={props.eventType}
        eventTypes={props.eventTypes}
      />
      <Work {...props} />
      <FormSection
        title="Run only when"
        hint={
          draft.filter.rows.length === 0 && draft.filter.mode === "rows"
            ? "Without a condition it runs for every delivery."
            : undefined
        }
      >
        <FilterFields
          filter={draft.filter}
          onChange={(filter) => onChange({ filter })}
          errors={errors}
          verdict={props.verdict}
          tally={props.tally}
        />
      </FormSection>
      <FormDisclosure
        title="When it fails"
        summary={summarizeRetry(draft.retry)}
        isOpen={namedTextsUnder(errors, "retry").length > 0}
      >
        <RetryFields
          retry={draft.retry}
          onChange={(retry) => onChange({ retry })}
          errors={errors}
        />
      </FormDisclosure>
      <Limits {...props} />
      <FormDisclosure
        title="Success, order, and breaker"
        summary={summarizeControl(draft.control)}
        isOpen={["success", "order", "breaker"].some(
          (path) => namedTextsUnder(errors, path).length > 0,
        )}
      >
        <ControlFields
          value={draft.control}
          onChange={(change) => onChange({ control: { ...draft.control, ...change } })}
          errors={errors}
        />
      </FormDisclosure>
    </Form>
  );
}

/** A single plain call is shown without the vocabulary of steps. */
function Work({ draft, view, actions, isSimple, onShowSteps }: ActionFormProps) {
  const [only] = draft.steps;
  if (!isSimple || only?.work.kind !== "call")
    return (
      <FormSection title="Steps">
        <StepFlow
          view={view}
          actions={actions}
          siblings={draft.steps}
          path="steps"
          branchOf={null}
        />
      </FormSection>
    );
  const { work } = only;
  return (
    <FormSection title="Call">
      <CallFields
        request={work.request}
        onChange={(request) =>
          actions.change(only.id, (step) => ({
            ...step,
            work: { ...work, request: { ...work.request, ...request } },
          }))
        }
        errors={view.errors}
        resolved={view.preview?.resolved ?? {}}
        storedAuth={only.formerKey === null ? null : (view.storedAuths[only.formerKey] ?? null)}
      />
      <div className="border-t pt-4">
        <AddStep label="Add step" isFull={false} onAdd={(kind) => actions.add(kind, null)}>
          <Button look="quiet" className="h-8" onClick={onShowSteps}>
            Step options
          </Button>
        </AddStep>
      </div>
    </FormSection>
  );
}

function Limits({ draft, onChange, errors }: ActionFormProps) {
  const { options, position } = draft;
  const { rateCount, rateSeconds } = draft;
  const rate =
    rateCount.trim() === "" ? [] : [describeRate({ count: rateCount, perSeconds: rateSeconds })];
  const limits = listedOptions.map(([name, option]) => option.summarize(options[name]));
  const summary = [...limits, ...rate].join(", ");
  const rateError = namedTextsUnder(errors, "rateLimit")[0];
  const hasErrors =
    rateError !== undefined ||
    [...Object.keys(options), "position"].some((path) => errorsAt(errors, path).length > 0);
  return (
    <FormDisclosure title="Limits and position" summary={`${summary}.`} isOpen={hasErrors}>
      <div className="grid gap-4 sm:grid-cols-3">
        {listedOptions.map(([name, { label, hint, placeholder, scale }]) => (
          <TextField
            key={name}
            label={label}
            hint={hint}
            name={name}
            autoComplete="off"
            inputMode={scale === 1 ? "numeric" : "decimal"}
            {...(placeholder === undefined ? {} : { placeholder })}
            value={options[name]}
            onChange={(event) => onChange({ options: { ...options, [name]: event.target.value } })}
            error={textsAt(errors, name)[0]}
          />
        ))}
        <TextField
          label="Position"
          inputMode="numeric"
          placeholder="last"
          hint={`Lower numbers are queued first.${position === "" ? " Leave it empty to run last." : ""}`}
          name="position"
          autoComplete="off"
          value={position}
          onChange={(event) => onChange({ position: event.target.value })}
          error={textsAt(errors, "position")[0]}
        />
        <RateFields draft={draft} onChange={onChange} error={rateError} />
      </div>
    </FormDisclosure>
  );
}
