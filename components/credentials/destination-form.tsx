"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { Button } from "#components/ui/button/button.tsx";
import { toast } from "#components/ui/feedback/toast.ts";
import { SelectField, TextField } from "#components/ui/form/field.tsx";
import { Form } from "#components/ui/form/form.tsx";
import { FormSection } from "#components/ui/form/form-section.tsx";
import { useCommand } from "#components/ui/form/use-command.ts";
import { Dialog, DialogButtons } from "#components/ui/overlay/dialog.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import type { Breaker } from "#lib/schema/field/breaker.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import type { RateLimit } from "#lib/schema/field/rate-limit.ts";
import { readNumber, readOptional } from "./read-form.ts";

/** A saved credential that may be chosen. */
type CredentialChoice = {
  readonly id: string;
  readonly name: string;
  readonly origin: string;
};

type DestinationDraft = {
  readonly name: string;
  readonly origin: string;
  readonly credentialId: string | null;
  readonly maxConcurrency: number | null;
  readonly rateLimit: RateLimit | null;
  readonly breaker: Breaker | null;
};

type SaveDestination = (input: object) => Promise<CommandResult<{ readonly id: string }>>;

type DestinationFormProps = {
  /** Null: a new destination. */
  readonly destination: DestinationDraft | null;
  readonly credentials: readonly CredentialChoice[];
  readonly save: SaveDestination;
  /** Closes the dialog, if the form is in one. */
  readonly onClose?: () => void;
};

/** The button that opens the form of a new destination. */
export function NewDestination(props: Pick<DestinationFormProps, "credentials" | "save">) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>New destination</Button>
      <Dialog isOpen={isOpen} onClose={close} title="New destination" isWide>
        <DestinationForm {...props} destination={null} onClose={close} />
      </Dialog>
    </>
  );
}

export function DestinationForm(props: DestinationFormProps) {
  const { destination, credentials, save, onClose } = props;
  const router = useRouter();
  const { fields, rejection, isPending, onSubmit } = useCommand(async (form) => {
    const result = await save(readDestination(form));
    if (!result.ok) return result;
    if (destination === null) router.push(`/destinations/${result.value.id}`);
    else toast("Saved.");
    onClose?.();
    return result;
  });
  const { rateLimit = null, breaker = null, maxConcurrency = null } = destination ?? {};
  const whole = { inputMode: "numeric", autoComplete: "off" } as const;
  const submit = (
    <Button type="submit" isBusy={isPending}>
      {destination === null ? "Create destination" : "Save destination"}
    </Button>
  );
  return (
    <Form onSubmit={onSubmit} rejection={rejection}>
      <TextField
        label="Name"
        name="name"
        autoComplete="off"
        defaultValue={destination?.name}
        placeholder="CRM"
        error={fields.name}
      />
      <TextField
        label="Origin"
        name="origin"
        autoComplete="off"
        spellCheck={false}
        defaultValue={destination?.origin}
        placeholder="https://api.example.com"
        hint="Actions with a URL at this origin can use the destination."
        error={fields.origin}
      />
      <SelectField
        label="Credential"
        name="credentialId"
        defaultValue={destination?.credentialId ?? ""}
        hint="For requests without credentials of their own. It must be for the same origin."
        error={fields.credentialId}
      >
        <option value="">None</option>
        {credentials.map(({ id, name, origin }) => (
          <option key={id} value={id}>
            {safeText(name)} ({safeText(origin)})
          </option>
        ))}
      </SelectField>
      <TextField
        label="Concurrent requests"
        name="maxConcurrency"
        {...whole}
        defaultValue={maxConcurrency ?? ""}
        placeholder="no limit"
        hint="Limits apply across all actions that use the destination."
        error={fields.maxConcurrency}
      />
      <FormSection title="Rate limit">
        <div className="grid gap-3 sm:grid-cols-2">
          <TextField
            label="Requests"
            name="rateCount"
            {...whole}
            defaultValue={rateLimit?.count ?? ""}
            placeholder="no limit"
            error={fields["rateLimit.count"] ?? fields.rateLimit}
          />
          <TextField
            label="Period in seconds"
            name="rateSeconds"
            {...whole}
            defaultValue={rateLimit?.perSeconds ?? ""}
            placeholder="1"
            error={fields["rateLimit.perSeconds"]}
          />
        </div>
      </FormSection>
      <FormSection title="Circuit breaker" hint="Pauses requests while the receiver is down.">
        <div className="grid gap-3 sm:grid-cols-3">
          <TextField
            label="Failures"
            name="breakerFailures"
            {...whole}
            defaultValue={breaker?.failures ?? ""}
            placeholder="never"
            error={fields["breaker.failures"] ?? fields.breaker}
          />
          <TextField
            label="Period in seconds"
            name="breakerWindow"
            {...whole}
            defaultValue={breaker?.windowSeconds ?? ""}
            placeholder="60"
            error={fields["breaker.windowSeconds"]}
          />
          <TextField
            label="Pause in seconds"
            name="breakerOpen"
            {...whole}
            defaultValue={breaker?.openSeconds ?? ""}
            placeholder="30"
            error={fields["breaker.openSeconds"]}
          />
        </div>
      </FormSection>
      {onClose === undefined ? (
        <div>{submit}</div>
      ) : (
        <DialogButtons>
          <Button look="secondary" onClick={onClose}>
            Cancel
          </Button>
          {submit}
        </DialogButtons>
      )}
    </Form>
  );
}

function readDestination(form: FormData): object {
  const count = readNumber(form, "rateCount");
  const failures = readNumber(form, "breakerFailures");
  return {
    name: String(form.get("name")),
    origin: String(form.get("origin")),
    credentialId: readOptional(form, "credentialId"),
    maxConcurrency: readNumber(form, "maxConcurrency"),
    rateLimit: count === null ? null : { count, perSeconds: readNumber(form, "rateSeconds") ?? 1 },
    breaker:
      failures === null
        ? null
        : {
            failures,
            windowSeconds: readNumber(form, "breakerWindow") ?? 60,
            openSeconds: readNumber(form, "breakerOpen") ?? 30,
          },
  };
}
