"use client";

import { useRouter } from "next/navigation";
import { useState, useTransition } from "react";
import { Button } from "#components/ui/button/button.tsx";
import { JsonField } from "#components/ui/code/json-field.tsx";
import { toast } from "#components/ui/feedback/toast.ts";
import { readDraft } from "#components/ui/form/codec.ts";
import { Field } from "#components/ui/form/fields.tsx";
import { Form } from "#components/ui/form/form.tsx";
import { type JsonCommand, sendJson } from "#components/ui/form/send-json.ts";
import { useForm } from "#components/ui/form/use-form.ts";
import { Card } from "#components/ui/layout/card.tsx";
import { serverUnreachable } from "#components/ui/server-unreachable.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { MakeSchema } from "./event-type-form.tsx";
import { eventTypePath } from "./event-type-path.ts";
import { type CheckedVersion, VersionCheck } from "./version-check.tsx";
import { type VersionDraft, versionFields } from "./version-draft.ts";

type VersionFormProps = {
  readonly name: string;
  /** The version that is the newest now. */
  readonly before: string;
  /** What the form begins with: the data of the newest version. */
  readonly initial: VersionDraft;
  readonly check: JsonCommand<CheckedVersion>;
  readonly publish: JsonCommand<null>;
};

/** A new version of an event type. It can be checked before it is published. */
export function VersionForm({ name, before, initial, check, publish }: VersionFormProps) {
  const router = useRouter();
  const form = useForm(versionFields, initial, async (input) => {
    const result = await sendJson({ ok: true, input }, publish);
    if (!result.ok) return result;
    toast("Published. Subscriptions keep the version that they have.");
    router.push(eventTypePath(name));
    return result;
  });
  const { draft, of, rejection, isPending, onSubmit } = form;
  const { checked, isChecking, runCheck } = useCheck(draft, check);
  return (
    <Card className="p-6">
      <Form onSubmit={onSubmit} rejection={rejection} className="gap-5">
        <Field
          of={of("version")}
          label="Version"
          spellCheck={false}
          placeholder="2026-12-01"
          hint="A date after that of the version before. Leave it empty for today, in UTC."
        />
        <Field
          of={of("note")}
          label="What has changed"
          hint="Your customers see this in the portal."
        />
        <div className="grid grid-cols-1 gap-2">
          <JsonField {...of("example")} label="Example" placeholder={'{ "total": 4200 }'} />
          <MakeSchema {...draft} onMade={of("schema").onChange} />
        </div>
        <JsonField
          {...of("schema")}
          label="Schema"
          placeholder={'{ "type": "object", "required": ["total"] }'}
          hint="JSON Schema of the data. Leave it empty to allow anything."
        />
        <JsonField
          {...of("transform")}
          language="javascript"
          label={`Transform to version ${before}`}
          placeholder={
            "export default ({ payload }) => ({ ...payload.data, total: String(payload.data.total) })"
          }
          hint={
            `JavaScript that makes the new data into data of version ${before}, for the ` +
            "subscriptions that stay there. It is tried on the example. " +
            "Leave it empty if nothing breaks."
          }
        />
        {checked !== null && rejection === undefined && (
          <VersionCheck checked={checked} before={before} />
        )}
        <div className="flex flex-wrap gap-2">
          <Button type="submit" isBusy={isPending}>
            Publish version
          </Button>
          <Button look="secondary" isBusy={isChecking} onClick={runCheck}>
            Check
          </Button>
        </div>
      </Form>
    </Card>
  );
}

/** Checks what is in the form. The result is of that draft only. */
function useCheck(draft: VersionDraft, check: JsonCommand<CheckedVersion>) {
  const [isChecking, startTransition] = useTransition();
  const [last, setLast] = useState<{ of: VersionDraft; result: CommandResult<CheckedVersion> }>();
  const runCheck = () =>
    startTransition(async () => {
      const read = readDraft(versionFields, draft);
      const result = await sendJson(read, check).catch(() => serverUnreachable);
      startTransition(() => setLast({ of: draft, result }));
    });
  return { checked: last?.of === draft ? last.result : null, isChecking, runCheck };
}
