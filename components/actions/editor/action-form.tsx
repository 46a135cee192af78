"use client";

import { Button } from "#components/ui/button/button.tsx";
import { TextField } from "#components/ui/form/field.tsx";
import { Form } from "#components/ui/form/form.tsx";
import { FormDisclosure, FormSection } from "#components/ui/form/form-section.tsx";
import { listedOptions } from "#lib/schema/act/action-options.ts";
import { ControlFields } from "../control/control-fields.tsx";
import type { ActionDraft } from "../draft/action-draft.ts";
import { errorsAt, namedTextsUnder, textsAt } from "../draft/action-errors.ts";
import { summarizeControl } from "../draft/control-draft.ts";
import { describeRate } from "../draft/rate-draft.ts";
import { FilterFields } from "../filter/filter-fields.tsx";
import { TypeProposal } from "../filter/type-proposal.tsx";
import { RateFields } from "../limits/rate-fields.tsx";
import { RetryFields, summarizeRetry } from "../limits/retry-fields.tsx";
import { CallFields } from "../request/call-fields.tsx";
import { AddStep } from "../steps/add-step.tsx";
import { StepFlow } from "../steps/step-flow.tsx";
import { toStepsProps } from "./to-steps-props.ts";
import type { EditorPart } from "./use-editor.ts";

type FormPart = EditorPart & { readonly onChange: (change: Partial<ActionDraft>) => void };

/** The form of an action: when it runs, what it does, and what happens on failure. */
export function ActionForm({ editor }: EditorPart) {
  const { page, state, send, saving, errors } = editor;
  const { draft, saved } = state;
  const onChange = (change: Partial<ActionDraft>) => send({ kind: "changed", change });
  return (
    <Form
      id={editor.formId}
      rejection={saved?.ok === false ? saved : undefined}
      className="gap-5"
      onFocus={editor.insertion.onFormFocus}
      onSubmit={(event) => {
        event.preventDefault();
        saving.save();
      }}
    >
      <TypeProposal
        filter={draft.filter}
        onChange={(filter) => onChange({ filter })}
        eventType={state.chosen?.delivery.eventType ?? null}
        eventTypes={page.source.eventTypes}
      />
      <Work editor={editor} />
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
          verdict={editor.preview?.verdict ?? null}
          tally={editor.tally}
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
      <Limits editor={editor} onChange={onChange} />
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
function Work({ editor }: EditorPart) {
  const { state, send, shown, errors, preview } = editor;
  const { steps } = state.draft;
  const [only] = steps;
  if (!shown.isSimple || only?.work.kind !== "call")
    return (
      <FormSection title="Steps">
        <StepFlow {...toStepsProps(editor)} siblings={steps} path="steps" branchOf={null} />
      </FormSection>
    );
  const { id, formerKey } = only;
  return (
    <FormSection title="Call">
      <CallFields
        request={only.work.request}
        onChange={(change) => send({ kind: "request_changed", id, change })}
        errors={errors}
        resolved={preview?.resolved ?? {}}
        storedAuth={formerKey === null ? null : (state.storedAuths[formerKey] ?? null)}
      />
      <div className="border-t pt-4">
        <AddStep
          label="Add step"
          isFull={false}
          onAdd={(work) => send({ kind: "step_added", work, place: { branchOf: null } })}
          failure={only}
          onBranch={() => send({ kind: "step_added", work: "call", place: { branchOf: id } })}
        >
          <Button look="quiet" className="h-8" onClick={() => send({ kind: "steps_shown" })}>
            Step options
          </Button>
        </AddStep>
      </div>
    </FormSection>
  );
}

function Limits({ editor, onChange }: FormPart) {
  const { errors } = editor;
  const { draft } = editor.state;
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
