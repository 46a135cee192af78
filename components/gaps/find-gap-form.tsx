"use client";

import { useRouter } from "next/navigation";
import { TimeField } from "#components/lists/time-field.tsx";
import { Button } from "#components/ui/button/button.tsx";
import { SelectField, TextField } from "#components/ui/form/field.tsx";
import { Form } from "#components/ui/form/form.tsx";
import { useCommand } from "#components/ui/form/use-command.ts";
import { safeText } from "#components/ui/text/safe-text.ts";
import { type CommandResult, checkFields, reject } from "#lib/schema/field/command-result.ts";

type AskedSpan = {
  readonly from: string;
  readonly to: string;
  readonly credentialId: string;
  readonly webhook: string;
};

type FindGapFormProps = {
  readonly hookId: string;
  /** Times in UTC to begin with. */
  readonly from: string;
  readonly to: string;
  readonly credentials: readonly { readonly id: string; readonly name: string }[];
  readonly lastCredentialId: string | null;
  readonly webhook: { readonly label: string; readonly help: string; readonly last: string } | null;
  readonly isRunning: boolean;
  /** The page shows an earlier search. */
  readonly isElsewhere: boolean;
  readonly find: (hookId: string, asked: AskedSpan) => Promise<CommandResult<null>>;
};

const noStart = { path: "from", code: "required", message: "is missing. Choose a time" } as const;

/** Asks for a time and a credential, and starts a search. */
export function FindGapForm(props: FindGapFormProps) {
  const { hookId, from, to, credentials, lastCredentialId, isRunning, find, webhook } = props;
  const router = useRouter();
  const { fields, rejection, isPending, onSubmit } = useCommand(async (form) => {
    const read = (name: string) => String(form.get(name) ?? "");
    const asked = { from: read("from"), to: read("to"), credentialId: read("credentialId") };
    if (asked.from === "") return reject(checkFields, [noStart]);
    const result = await find(hookId, { ...asked, webhook: read("webhook") });
    if (result.ok && props.isElsewhere) router.replace(`/hooks/${hookId}/backfill`);
    return result;
  });
  return (
    <Form onSubmit={onSubmit} rejection={rejection}>
      <div className="grid gap-3 sm:grid-cols-3">
        <TimeField label="From" name="from" value={from} error={fields.from} />
        <TimeField label="To" name="to" value={to} hint="Empty: now." error={fields.to} />
        <SelectField
          label="Credential"
          name="credentialId"
          defaultValue={lastCredentialId ?? credentials[0]?.id ?? ""}
          error={fields.credentialId}
        >
          {credentials.map(({ id, name }) => (
            <option key={id} value={id}>
              {safeText(name)}
            </option>
          ))}
        </SelectField>
      </div>
      {webhook !== null && (
        <TextField
          label={webhook.label}
          name="webhook"
          hint={webhook.help}
          defaultValue={webhook.last}
          spellCheck={false}
          error={fields.webhook}
        />
      )}
      <div>
        <Button type="submit" isBusy={isPending} disabled={isRunning}>
          Search for missing events
        </Button>
      </div>
    </Form>
  );
}
