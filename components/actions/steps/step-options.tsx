"use client";

import { useTemplateContext } from "#components/template/template-context.tsx";
import { CheckField } from "#components/ui/form/check-field.tsx";
import { FieldFrame, TextField } from "#components/ui/form/field.tsx";
import { FormDisclosure } from "#components/ui/form/form-section.tsx";
import { namedTextsUnder } from "../draft/action-errors.ts";
import type { ForEachDraft, StepKind } from "../draft/step-draft.ts";
import { FilterFields } from "../filter/filter-fields.tsx";
import { NameField } from "../filter/name-field.tsx";
import { viewOf } from "../kinds/kind-views.ts";
import { summarizeOptions } from "./describe-step.ts";
import type { StepFieldsProps } from "./steps-view.ts";

const optionPaths = ["when", "forEach", "onFailure", "onUnknown", "timeoutMs", "retry"];

/** The conditions of a step: when it runs, how often, and what happens if it fails. */
export function StepOptions(props: StepFieldsProps) {
  const { step, onChange, errors, preview, hasBranches, showsOptions } = props;
  const { work } = step;
  const { hasItems, Options } = viewOf<StepKind>(work.kind);
  const hasErrors = optionPaths.some((path) => namedTextsUnder(errors, path).length > 0);
  return (
    <FormDisclosure
      title="Step options"
      summary={summarizeOptions(step)}
      isOpen={hasErrors || showsOptions}
    >
      <fieldset className="grid min-w-0 grid-cols-1 gap-2">
        <legend className="mb-1.5 text-sm font-medium">Run this step only when</legend>
        <FilterFields
          filter={step.when}
          onChange={(when) => onChange({ when })}
          errors={errors}
          path="when"
          verdict={preview?.when ?? null}
          tally={undefined}
        />
      </fieldset>
      {hasItems && <ForEachFields {...props} />}
      {step.onFailure === "steps" ? (
        <p className="text-sm text-muted-foreground">
          If it fails, the steps of its branch run instead. To end the branch, remove them.
        </p>
      ) : (
        <CheckField
          label="Continue with the next step if it fails"
          text={`Otherwise the run stops here.${hasBranches ? " “Add step” has steps for the failure." : ""}`}
          checked={step.onFailure === "continue"}
          onChange={(isOn) => onChange({ onFailure: isOn ? "continue" : "stop" })}
        />
      )}
      {Options !== undefined && (
        <Options {...props} work={work} onChange={(next) => onChange({ work: next })} />
      )}
    </FormDisclosure>
  );
}

function ForEachFields({ step, onChange, errors }: StepFieldsProps) {
  const { forEach } = step;
  const { names } = useTemplateContext();
  const lists = names.filter(({ kind }) => kind === "list");
  const set = (change: Partial<ForEachDraft>) =>
    onChange({ forEach: { path: "", parallel: "1", ...forEach, ...change } });
  const id = `each-${step.id}`;
  return (
    <div className="grid min-w-0 grid-cols-1 gap-3">
      <CheckField
        label="Repeat for each item of a list"
        checked={forEach !== null}
        onChange={(isOn) =>
          isOn ? set({ path: lists[0]?.text ?? "" }) : onChange({ forEach: null })
        }
      />
      {forEach !== null && (
        <div className="grid items-start gap-3 sm:grid-cols-[minmax(0,1fr)_9rem]">
          <FieldFrame
            id={id}
            label="List"
            hint="Templates use item and index."
            error={namedTextsUnder(errors, "forEach")[0]}
          >
            <NameField
              label="List"
              value={forEach.path}
              placeholder="data.items"
              names={lists}
              onChange={(path) => set({ path })}
            />
          </FieldFrame>
          <TextField
            label="Items at once"
            name="parallel"
            inputMode="numeric"
            autoComplete="off"
            hint="1: in order. At most 20."
            value={forEach.parallel}
            onChange={(event) => set({ parallel: event.target.value })}
          />
        </div>
      )}
    </div>
  );
}
