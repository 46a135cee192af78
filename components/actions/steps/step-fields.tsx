"use client";

import { TextField } from "#components/ui/form/field.tsx";
import { FieldErrors } from "#components/ui/form/field-errors.tsx";
import { textsAt } from "../draft/action-errors.ts";
import { CallFields } from "../request/call-fields.tsx";
import { DelayFields } from "./delay-fields.tsx";
import { PublishFields } from "./publish-fields.tsx";
import { StepOptions } from "./step-options.tsx";
import type { StepFieldsProps } from "./steps-view.ts";
import { TransformFields } from "./transform-fields.tsx";

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

function WorkFields({ step, onChange, errors, preview, storedAuth }: StepFieldsProps) {
  const { work } = step;
  const shared = { errors, preview };
  switch (work.kind) {
    case "call":
      return (
        <CallFields
          request={work.request}
          onChange={(request) =>
            onChange({ work: { ...work, request: { ...work.request, ...request } } })
          }
          errors={errors}
          resolved={preview?.resolved ?? {}}
          storedAuth={storedAuth}
        />
      );
    case "transform":
      return (
        <TransformFields work={work} onChange={(next) => onChange({ work: next })} {...shared} />
      );
    case "delay":
      return <DelayFields work={work} onChange={(next) => onChange({ work: next })} {...shared} />;
    case "publish":
      return (
        <PublishFields work={work} onChange={(next) => onChange({ work: next })} {...shared} />
      );
    default:
      return work satisfies never;
  }
}
