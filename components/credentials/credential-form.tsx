"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { Button } from "#components/ui/button/button.tsx";
import { toast } from "#components/ui/feedback/toast.ts";
import { SelectField, TextField } from "#components/ui/form/field.tsx";
import { Form } from "#components/ui/form/form.tsx";
import { useCommand } from "#components/ui/form/use-command.ts";
import { Dialog, FormButtons } from "#components/ui/overlay/dialog.tsx";
import type { CredentialKind, CredentialSettings } from "#lib/schema/act/credential.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { CredentialFields } from "./credential-fields.tsx";
import { kindWords } from "./describe-kind.ts";
import { readAuth } from "./read-auth.ts";

type SaveCredential = (input: object) => Promise<CommandResult<{ readonly id: string }>>;

const kinds = Object.entries(kindWords) as readonly (readonly [CredentialKind, string])[];

/** The button that opens the form of a new credential. */
export function NewCredential({ save }: { save: SaveCredential }) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>New credential</Button>
      <Dialog isOpen={isOpen} onClose={close} title="New credential" isWide>
        <NewCredentialForm save={save} onClose={close} />
      </Dialog>
    </>
  );
}

function NewCredentialForm({ save, onClose }: { save: SaveCredential; onClose: () => void }) {
  const router = useRouter();
  const [kind, setKind] = useState<CredentialKind>("bearer");
  const { fields, rejection, isPending, onSubmit } = useCommand(async (form) => {
    const result = await save({
      name: String(form.get("name")),
      origin: String(form.get("origin")),
      auth: readAuth(kind, form),
    });
    if (!result.ok) return result;
    router.push(`/credentials/${result.value.id}`);
    onClose();
    return result;
  });
  return (
    <Form onSubmit={onSubmit} rejection={rejection}>
      <TextField
        label="Name"
        name="name"
        autoComplete="off"
        placeholder="CRM"
        error={fields.name}
      />
      <TextField
        label="Origin"
        name="origin"
        autoComplete="off"
        spellCheck={false}
        placeholder="https://api.example.com"
        hint="The credential is sent to this origin only. It can't be changed later."
        error={fields.origin}
      />
      <KindField kind={kind} onChange={setKind} />
      <CredentialFields kind={kind} errors={fields} />
      <FormButtons onCancel={onClose} isBusy={isPending}>
        Create credential
      </FormButtons>
    </Form>
  );
}

type EditProps = {
  readonly name: string;
  readonly settings: CredentialSettings;
  readonly save: SaveCredential;
};

export function RenameCredential({ name, save }: Omit<EditProps, "settings">) {
  const { fields, rejection, isPending, onSubmit } = useCommand(async (form) => {
    const result = await save({ name: String(form.get("name")) });
    if (result.ok) toast("Saved.");
    return result;
  });
  return (
    <Form onSubmit={onSubmit} rejection={rejection}>
      <TextField
        label="Name"
        name="name"
        autoComplete="off"
        defaultValue={name}
        error={fields.name}
      />
      <div>
        <Button type="submit" look="secondary" isBusy={isPending}>
          Save name
        </Button>
      </div>
    </Form>
  );
}

/** A new secret for everything that uses the credential. */
export function ReplaceCredential({ settings, save }: Omit<EditProps, "name">) {
  const [kind, setKind] = useState<CredentialKind>(settings.type);
  const { fields, rejection, isPending, onSubmit } = useCommand(async (form, element) => {
    const result = await save({ auth: readAuth(kind, form) });
    if (!result.ok) return result;
    element.reset();
    toast("The next call uses the new credential.");
    return result;
  });
  return (
    <Form onSubmit={onSubmit} rejection={rejection}>
      <KindField kind={kind} onChange={setKind} />
      <CredentialFields kind={kind} errors={fields} settings={settings} />
      <div>
        <Button type="submit" look="secondary" isBusy={isPending}>
          Replace credential
        </Button>
      </div>
    </Form>
  );
}

type KindFieldProps = {
  readonly kind: CredentialKind;
  readonly onChange: (kind: CredentialKind) => void;
};

function KindField({ kind, onChange }: KindFieldProps) {
  return (
    <SelectField
      label="Type"
      name="kind"
      value={kind}
      onChange={(event) => onChange(event.target.value as CredentialKind)}
    >
      {kinds.map(([value, words]) => (
        <option key={value} value={value}>
          {words}
        </option>
      ))}
    </SelectField>
  );
}
