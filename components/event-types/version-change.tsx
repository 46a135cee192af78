"use client";

import { useState } from "react";
import { Button } from "#components/ui/button/button.tsx";
import { JsonField } from "#components/ui/code/json-field.tsx";
import { toast } from "#components/ui/feedback/toast.ts";
import { TextField } from "#components/ui/form/field.tsx";
import type { FieldOf } from "#components/ui/form/field-of.ts";
import { Field } from "#components/ui/form/fields.tsx";
import { Form } from "#components/ui/form/form.tsx";
import { useForm } from "#components/ui/form/use-form.ts";
import { Card } from "#components/ui/layout/card.tsx";
import { nameOfZone, toLocalTime, toUtcTime } from "#components/ui/time/local-time.ts";
import { useTimeZone } from "#components/ui/time/time-zone.tsx";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { type VersionChangeDraft, versionChangeFields } from "./version-draft.ts";

type VersionChangeProps = {
  readonly stored: VersionChangeDraft;
  /** The version that its transform leads to. Null: it is the first. */
  readonly before: string | null;
  /** The version that its subscribers get once it ends. Null: it is the newest, and doesn't end. */
  readonly next: string | null;
  readonly save: (patch: object) => Promise<CommandResult<null>>;
};

/** What can change of a version: its end, its note, and its transform. */
export function VersionChange({ stored, before, next, save }: VersionChangeProps) {
  const { of, rejection, isPending, onSubmit } = useForm(
    versionChangeFields,
    stored,
    async (input) => {
      const result = await save(input);
      if (result.ok) toast("Saved. This applies from the next request on.");
      return result;
    },
  );
  return (
    <Card className="p-6">
      <Form onSubmit={onSubmit} rejection={rejection} className="gap-5">
        <h2 className="font-semibold">Change this version</h2>
        {next !== null && <EndField of={of("endsAt")} next={next} />}
        <Field
          of={of("note")}
          label="What has changed"
          hint="Your customers see this in the portal."
        />
        {before !== null && (
          <JsonField
            {...of("transform")}
            language="javascript"
            label={`Transform to version ${before}`}
            placeholder="export default ({ payload }) => payload.data"
            hint="It is tried on the example. Sends that it failed for are tried again."
          />
        )}
        <div>
          <Button type="submit" isBusy={isPending}>
            Save version
          </Button>
        </div>
      </Form>
    </Card>
  );
}

/** A time in the viewer's zone. */
function EndField({ of, next }: { of: FieldOf<string>; next: string }) {
  const timeZone = useTimeZone() ?? "UTC";
  const local = toLocalTime(of.value, timeZone);
  const [now] = useState(Date.now);
  const hasEnded = of.value !== "" && Date.parse(`${of.value}Z`) <= now;
  return (
    <TextField
      label={`Ends (${nameOfZone(local, timeZone)})`}
      name={of.name}
      type="datetime-local"
      value={local}
      onChange={(event) => of.onChange(toUtcTime(event.target.value, timeZone))}
      error={of.error}
      hint={
        hasEnded
          ? `This has passed: its subscriptions get version ${next} at once.`
          : `From then on, its subscriptions get version ${next}. Leave it empty to keep it.`
      }
    />
  );
}
