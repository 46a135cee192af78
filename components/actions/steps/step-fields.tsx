"use client";

import { TextField } from "#components/ui/form/field.tsx";
import { FieldErrors } from "#components/ui/form/field-errors.tsx";
import { textsAt } from "../draft/action-errors.ts";
import type { StepKind } from "../draft/step-draft.ts";
import { viewOf } from "../kinds/kind-views.ts";
import { StepOptions } from "./step-options.tsx";
import type { StepFieldsProps } from "./steps-view.ts";

/** The fields of an expanded step. */
export function StepFields(props: StepFieldsProps) {
  const { step, onRename, errors } = props;
  const ownErrors = [...textsAt(errors, ""), ...textsAt(errors, "kind")];
  return (
    <>
      <TextField
        label="Step key"
        name="stepKey"
        autoComplete="off"
        spellCheck={false}
        hint={`Later steps use steps.${step.name}. Templates that use it follow a new name.`}
        value={step.key}
        onChange={(event) => onRename(event.target.value)}
        error={textsAt(errors, "key")[0]}
      />
      <WorkFields {...props} />
      {ownErrors.length > 0 && <FieldErrors errors={ownErrors} />}
      <StepOptions {...props} />
    </>
  );
}

function WorkFields({ step: { work }, onChange, ...shared }: StepFieldsProps) {
  const { Fields } = viewOf<StepKind>(work.kind);
  return <Fields work={work} onChange={(next) => onChange({ work: next })} {...shared} />;
}
