"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { Button } from "#components/ui/button/button.tsx";
import { toast } from "#components/ui/feedback/toast.ts";
import {
  numberOr,
  optionalGroup,
  optionalNumber,
  optionalText,
  plainText,
  toDraft,
  type Values,
} from "#components/ui/form/codec.ts";
import { Field, FieldSelect } from "#components/ui/form/fields.tsx";
import { Form } from "#components/ui/form/form.tsx";
import { FormSection } from "#components/ui/form/form-section.tsx";
import { useForm } from "#components/ui/form/use-form.ts";
import { Dialog, DialogButtons } from "#components/ui/overlay/dialog.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";

/** A saved credential that may be chosen. */
type CredentialChoice = {
  readonly id: string;
  readonly name: string;
  readonly origin: string;
};

const destinationFields = {
  name: plainText,
  origin: plainText,
  credentialId: optionalText,
  maxConcurrency: optionalNumber,
  rateLimit: optionalGroup({ count: optionalNumber, perSeconds: numberOr(1) }),
  breaker: optionalGroup({
    failures: optionalNumber,
    windowSeconds: numberOr(60),
    openSeconds: numberOr(30),
  }),
};

type DestinationValues = Values<typeof destinationFields>;

const newDestination: DestinationValues = {
  name: "",
  origin: "",
  credentialId: null,
  maxConcurrency: null,
  rateLimit: null,
  breaker: null,
};

type SaveDestination = (input: object) => Promise<CommandResult<{ readonly id: string }>>;

type DestinationFormProps = {
  /** Null: a new destination. */
  readonly destination: DestinationValues | null;
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
  const stored = toDraft(destinationFields, destination ?? newDestination);
  const form = useForm(destinationFields, stored, async (input) => {
    const result = await save(input);
    if (!result.ok) return result;
    if (destination === null) router.push(`/destinations/${result.value.id}`);
    else toast("Saved.");
    onClose?.();
    return result;
  });
  const { of, rejection, isPending, onSubmit } = form;
  const submit = (
    <Button type="submit" isBusy={isPending}>
      {destination === null ? "Create destination" : "Save destination"}
    </Button>
  );
  return (
    <Form onSubmit={onSubmit} rejection={rejection}>
      <Field of={of("name")} label="Name" placeholder="CRM" />
      <Field
        of={of("origin")}
        label="Origin"
        spellCheck={false}
        placeholder="https://api.example.com"
        hint="Actions with a URL at this origin can use the destination."
      />
      <FieldSelect
        of={of("credentialId")}
        label="Credential"
        hint="For requests without credentials of their own. It must be for the same origin."
      >
        <option value="">None</option>
        {credentials.map(({ id, name, origin }) => (
          <option key={id} value={id}>
            {safeText(name)} ({safeText(origin)})
          </option>
        ))}
      </FieldSelect>
      <Field
        of={of("maxConcurrency")}
        label="Concurrent requests"
        placeholder="no limit"
        hint="Limits apply across all actions that use the destination."
      />
      <FormSection title="Rate limit">
        <div className="grid gap-3 sm:grid-cols-2">
          <Field
            of={of("rateLimit", "count")}
            label="Requests"
            inputMode="numeric"
            placeholder="no limit"
          />
          <Field
            of={of("rateLimit", "perSeconds")}
            label="Period in seconds"
            inputMode="numeric"
            placeholder="1"
          />
        </div>
      </FormSection>
      <FormSection title="Circuit breaker" hint="Pauses requests while the receiver is down.">
        <div className="grid gap-3 sm:grid-cols-3">
          <Field
            of={of("breaker", "failures")}
            label="Failures"
            inputMode="numeric"
            placeholder="never"
          />
          <Field
            of={of("breaker", "windowSeconds")}
            label="Period in seconds"
            inputMode="numeric"
            placeholder="60"
          />
          <Field
            of={of("breaker", "openSeconds")}
            label="Pause in seconds"
            inputMode="numeric"
            placeholder="30"
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
