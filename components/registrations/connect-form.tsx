"use client";

import { useId, useState } from "react";
import { toast } from "#components/ui/feedback/toast.ts";
import { CheckField } from "#components/ui/form/check-field.tsx";
import {
  control,
  describedBy,
  FieldFrame,
  SelectField,
  TextField,
} from "#components/ui/form/field.tsx";
import { Form } from "#components/ui/form/form.tsx";
import { useCommand } from "#components/ui/form/use-command.ts";
import { FormButtons } from "#components/ui/overlay/dialog.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import { type CommandResult, describeFieldError } from "#lib/schema/field/command-result.ts";
import type { RecreateRule, RegistrationStatus } from "#lib/schema/receive/registration.ts";

type Asked = {
  readonly credentialId: string;
  readonly eventTypes: string;
  readonly resource: string;
  readonly recreate: RecreateRule;
};

export type ConnectFormProps = {
  readonly hookId: string;
  readonly source: {
    readonly name: string;
    readonly typesHelp: string;
    readonly resource: { readonly label: string; readonly help: string } | null;
    readonly lastCredentialId: string | null;
    readonly credentials: readonly { readonly id: string; readonly name: string }[];
  };
  readonly registration: {
    readonly status: RegistrationStatus;
    readonly eventTypes: readonly string[];
    readonly resource: string;
    readonly recreate: RecreateRule;
  } | null;
  readonly register: (hookId: string, asked: Asked) => Promise<CommandResult<null>>;
  readonly onClose: () => void;
};

/** Asks for what to register: the credential, the event types, and where. */
export function ConnectForm({ hookId, source, registration, register, onClose }: ConnectFormProps) {
  const { name, typesHelp, resource, lastCredentialId, credentials } = source;
  const typesId = useId();
  const [isAlways, setAlways] = useState(registration?.recreate === "always");
  const { fields, rejection, isPending, onSubmit } = useCommand(async (form) => {
    const read = (field: string) => String(form.get(field) ?? "");
    const result = await register(hookId, {
      ...{ credentialId: read("credentialId"), eventTypes: read("eventTypes") },
      ...{ resource: read("resource"), recreate: isAlways ? "always" : "ask" },
    });
    if (!result.ok) return result;
    toast(`Registering at ${name}. This takes some seconds.`);
    onClose();
    return result;
  });
  const ofType = rejection?.errors.find(({ path }) => path.startsWith("eventTypes"));
  const typesError = ofType === undefined ? undefined : describeFieldError(ofType);
  return (
    <Form onSubmit={onSubmit} rejection={rejection} className="gap-4">
      <SelectField
        label="Credential"
        name="credentialId"
        autoFocus
        defaultValue={lastCredentialId ?? credentials[0]?.id ?? ""}
        error={fields.credentialId}
      >
        {credentials.map((each) => (
          <option key={each.id} value={each.id}>
            {safeText(each.name)}
          </option>
        ))}
      </SelectField>
      {resource !== null && (
        <TextField
          label={resource.label}
          name="resource"
          hint={resource.help}
          defaultValue={registration?.resource ?? ""}
          autoComplete="off"
          spellCheck={false}
          error={fields.resource}
        />
      )}
      <FieldFrame
        id={typesId}
        label="Event types"
        hint={`One per line. ${typesHelp}`}
        error={typesError}
      >
        <textarea
          id={typesId}
          name="eventTypes"
          rows={5}
          defaultValue={registration?.eventTypes.join("\n") ?? ""}
          autoComplete="off"
          spellCheck={false}
          aria-invalid={typesError !== undefined}
          aria-describedby={describedBy(typesId, typesHelp, typesError)}
          className={`${control} h-auto! py-2 font-mono text-xs`}
        />
      </FieldFrame>
      <CheckField
        label="Register it again automatically"
        text={`If someone deletes it at ${name}. Otherwise a problem opens, and you decide.`}
        checked={isAlways}
        onChange={setAlways}
      />
      <FormButtons onCancel={onClose} isBusy={isPending}>
        {registration === null ? "Connect" : "Save and connect"}
      </FormButtons>
    </Form>
  );
}
