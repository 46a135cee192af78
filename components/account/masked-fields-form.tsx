"use client";

import { useState, useTransition } from "react";
import { Button } from "#components/ui/button/button.tsx";
import { toast } from "#components/ui/feedback/toast.ts";
import { control, describedBy, FieldFrame } from "#components/ui/form/field.tsx";
import { Form } from "#components/ui/form/form.tsx";
import { useCommand } from "#components/ui/form/use-command.ts";
import { SettingsSection } from "#components/ui/layout/settings-section.tsx";
import { Link } from "#components/ui/link.tsx";
import { serverUnreachable } from "#components/ui/server-unreachable.ts";
import { TextBlock } from "#components/ui/text/text-block.tsx";
import { type CommandResult, describeFieldError } from "#lib/schema/field/command-result.ts";

type Preview = {
  readonly deliveryId: string;
  readonly hookName: string;
  readonly eventType: string | null;
  readonly body: string;
  readonly isCut: boolean;
  readonly masked: number | null;
};

type MaskedFieldsFormProps = {
  readonly fields: readonly string[];
  readonly save: (fields: readonly string[]) => Promise<CommandResult<null>>;
  readonly preview: (fields: readonly string[]) => Promise<CommandResult<Preview | null>>;
};

/** The fields that viewers see masked, and how the newest delivery looks with them. */
export function MaskedFieldsForm({ fields, save, preview }: MaskedFieldsFormProps) {
  const [text, setText] = useState(fields.join("\n"));
  const [shown, setShown] = useState<Shown>({ kind: "nothing" });
  const read = () => text.split(/[\n,]+/).flatMap((line) => line.trim() || []);
  const saving = useCommand(async () => {
    const result = await save(read());
    if (result.ok) toast("Saved.");
    return result;
  });
  const [isPreviewing, startPreview] = useTransition();
  const showPreview = () => {
    const asked = read();
    startPreview(async () => {
      const result = await preview(asked).catch(() => serverUnreachable);
      startPreview(() => setShown(toShown(result, asked)));
    });
  };
  const rejected = shown.kind === "rejected" ? shown.result : undefined;
  const error = describeFirst(saving.rejection ?? rejected, read());
  return (
    <SettingsSection title="Masked fields" lead={lead}>
      <Form onSubmit={saving.onSubmit} rejection={saving.rejection ?? rejected} className="gap-4">
        <FieldFrame id="fields" label="Fields" hint={hint} error={error}>
          <textarea
            id="fields"
            name="fields"
            rows={5}
            spellCheck={false}
            placeholder={"**.email\ndata.object.card.*"}
            value={text}
            onChange={(event) => setText(event.target.value)}
            aria-invalid={error !== undefined}
            aria-describedby={describedBy("fields", hint, error)}
            className={`${control} h-auto! py-2 font-mono text-xs`}
          />
        </FieldFrame>
        <div className="flex flex-wrap gap-2">
          <Button type="submit" isBusy={saving.isPending}>
            Save fields
          </Button>
          <Button look="secondary" isBusy={isPreviewing} onClick={showPreview}>
            Preview
          </Button>
        </div>
        <MaskedPreview shown={shown} />
      </Form>
    </SettingsSection>
  );
}

const lead =
  "Fields of payloads that viewers see as ••••, on every page, in every export, and in the API. " +
  "Members and admins see everything.";
const hint = "One per line. * is any name, ** any number of names. Lists are passed through.";

type Shown =
  | { readonly kind: "nothing" }
  | { readonly kind: "noDelivery" }
  | { readonly kind: "rejected"; readonly result: Rejection }
  | { readonly kind: "delivery"; readonly preview: Preview; readonly summary: string };

type Rejection = Extract<CommandResult<null>, { ok: false }>;

function toShown(result: CommandResult<Preview | null>, asked: readonly string[]): Shown {
  if (!result.ok) return { kind: "rejected", result };
  const { value } = result;
  if (value === null) return { kind: "noDelivery" };
  return { kind: "delivery", preview: value, summary: summarize(value, asked.length) };
}

/** The first error, with the line that it is about. */
function describeFirst(rejection: Rejection | undefined, lines: readonly string[]) {
  const [error] = rejection?.errors ?? [];
  if (error === undefined) return undefined;
  const line = lines[Number(error.path.split(".")[1])];
  const message = describeFieldError(error);
  return line === undefined ? message : `${line}: ${message}`;
}

function summarize({ masked }: Preview, fieldCount: number): string {
  if (fieldCount === 0) return "Nothing is masked.";
  if (masked === null)
    return "Viewers see nothing of this body, because its fields can't be told apart.";
  if (masked === 0) return "None of the fields is in this delivery.";
  return masked === 1 ? "Viewers see 1 value masked." : `Viewers see ${masked} values masked.`;
}

function MaskedPreview({ shown }: { readonly shown: Shown }) {
  if (shown.kind === "nothing" || shown.kind === "rejected") return null;
  if (shown.kind === "noDelivery")
    return <p className="text-sm text-muted-foreground">There is no delivery with a body yet.</p>;
  const { deliveryId, hookName, eventType, body, isCut } = shown.preview;
  return (
    <div className="grid min-w-0 grid-cols-1 gap-2">
      <p role="status" className="text-sm">
        {shown.summary}{" "}
        <span className="text-muted-foreground">
          The newest delivery is{" "}
          <Link href={`/deliveries/${deliveryId}`} className="underline underline-offset-2">
            {eventType ?? "one"} of {hookName}
          </Link>
          .
        </span>
      </p>
      <TextBlock
        label="As viewers see it"
        text={body}
        cutNote={isCut ? "Only the start is shown." : null}
      />
    </div>
  );
}
