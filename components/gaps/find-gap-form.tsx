"use client";

import { TimeField } from "#components/lists/time-field.tsx";
import { Button } from "#components/ui/button/button.tsx";
import { SelectField } from "#components/ui/form/field.tsx";
import { Form } from "#components/ui/form/form.tsx";
import { useCommand } from "#components/ui/form/use-command.ts";
import { safeText } from "#components/ui/text/safe-text.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";

type AskedSpan = { readonly from: string; readonly to: string; readonly credentialId: string };

type FindGapFormProps = {
  readonly hookId: string;
  /** Times in UTC to begin with. */
  readonly from: string;
  readonly to: string;
  readonly credentials: readonly { readonly id: string; readonly name: string }[];
  readonly lastCredentialId: string | null;
  readonly isRunning: boolean;
  readonly find: (hookId: string, asked: AskedSpan) => Promise<CommandResult<null>>;
};

/** Asks for a time and a credential, and starts a search. */
export function FindGapForm(props: FindGapFormProps) {
  const { hookId, from, to, credentials, lastCredentialId, isRunning, find } = props;
  const { fields, rejection, isPending, onSubmit } = useCommand((form) => {
    const read = (name: string) => String(form.get(name) ?? "");
    const asked = { from: read("from"), to: read("to"), credentialId: read("credentialId") };
    return find(hookId, asked);
  });
  return (
    <Form onSubmit={onSubmit} rejection={rejection}>
      <div className="grid gap-3 sm:grid-cols-3">
        <TimeField label="From" name="from" value={from} error={fields.from} />
        <TimeField label="To, or now" name="to" value={to} error={fields.to} />
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
      <div>
        <Button type="submit" isBusy={isPending} disabled={isRunning || credentials.length === 0}>
          Search for missing events
        </Button>
      </div>
    </Form>
  );
}
