"use client";

import { useState } from "react";
import { Button } from "#components/ui/button/button.tsx";
import { JsonField } from "#components/ui/code/json-field.tsx";
import { useErrorMarks } from "#components/ui/code/use-error-marks.ts";
import { FormDisclosure } from "#components/ui/form/form-section.tsx";
import type { FormOf } from "#components/ui/form/use-form.ts";
import type { subscriptionFields } from "../draft/subscription-draft.ts";
import { CheckedTransform } from "./checked-transform.tsx";
import { PreviewedTransform } from "./previewed-transform.tsx";
import { describeTransformError } from "./transform-trial.ts";
import {
  type PreviewedEvent,
  type TransformCommands,
  useTransformCheck,
  useTransformPreview,
} from "./use-transform-trial.ts";

type TransformSectionProps = {
  readonly form: FormOf<typeof subscriptionFields>;
  readonly commands: TransformCommands;
};

const newest: PreviewedEvent = { eventId: null, isExample: false };

/** A part of a form: code that makes the body, with what it makes of events. */
export function TransformSection({ form, commands }: TransformSectionProps) {
  const { of, draft, errors } = form;
  const field = of("transform");
  const [event, setEvent] = useState(newest);
  const preview = useTransformPreview(draft, event, commands.preview);
  const { checked, isChecking, runCheck } = useTransformCheck(draft, commands.check);
  const isEmpty = field.value.trim() === "";
  const shown = isEmpty || preview?.ok !== true ? null : preview.value;
  const saved = errors.find(({ path }) => path === "transform");
  const fault = saved ?? shown?.error ?? undefined;
  const marks = useErrorMarks(fault?.line ?? undefined, fault?.column ?? undefined);
  const previewError = shown?.error == null ? undefined : describeTransformError(shown.error);
  return (
    <FormDisclosure
      title="Transform"
      summary={
        isEmpty ? "Events are sent as they are." : "JavaScript makes the body of each event."
      }
      isOpen={field.error !== undefined}
    >
      <JsonField
        {...field}
        language="javascript"
        label="Code"
        placeholder="export default ({ payload }) => ({ text: 'Paid: ' + payload.data.amount })"
        hint={
          "A function of the event, in the version that this subscription gets. It returns the whole " +
          "body, or null to send nothing. The request is signed after it. It has 100 ms and no access " +
          "to network, files, or the clock."
        }
        error={field.error ?? previewError}
        marks={marks}
      />
      {!isEmpty && (
        <>
          {preview?.ok === false && (
            <p aria-live="polite" className="text-sm text-muted-foreground">
              {preview.message}
            </p>
          )}
          {shown !== null && <PreviewedTransform preview={shown} event={event} choose={setEvent} />}
          <div>
            <Button look="secondary" isBusy={isChecking} onClick={runCheck}>
              Check on stored events
            </Button>
          </div>
          {checked !== null && <CheckedTransform checked={checked} />}
        </>
      )}
    </FormDisclosure>
  );
}
