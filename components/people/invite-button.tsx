"use client";

import { useState } from "react";
import { Button } from "#components/ui/button/button.tsx";
import { SelectField, TextField } from "#components/ui/form/field.tsx";
import { Form } from "#components/ui/form/form.tsx";
import { useCommand } from "#components/ui/form/use-command.ts";
import { Dialog, DialogButtons, FormButtons } from "#components/ui/overlay/dialog.tsx";
import { useOpenedBy } from "#components/ui/use-opened-by.ts";
import { isAtLeast, isRole, type Role, roles } from "#lib/schema/account/role.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { InvitationLink, type SentView } from "./invitation-link.tsx";
import { roleWords } from "./role-words.ts";

type InviteButtonProps = {
  /** The highest role that can be given. */
  readonly most: Role;
  readonly sendsEmail: boolean;
  readonly invite: (input: Record<string, string>) => Promise<CommandResult<SentView>>;
};

/** Opens a dialog that invites a person. */
export function InviteButton(props: InviteButtonProps) {
  const [isOpen, setOpen] = useState(false);
  useOpenedBy("invite", () => setOpen(true));
  return (
    <>
      <Button onClick={() => setOpen(true)}>Invite</Button>
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title="Invite a person" isWide>
        <InviteForm {...props} onClose={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

function InviteForm({
  most,
  sendsEmail,
  invite,
  onClose,
}: InviteButtonProps & { onClose: () => void }) {
  const [role, setRole] = useState<Role>("member");
  const { result, fields, rejection, isPending, onSubmit } = useCommand((form) =>
    invite({ email: String(form.get("email")), role }),
  );
  if (result?.ok === true)
    return (
      <>
        <InvitationLink sent={result.value} />
        <DialogButtons>
          <Button look="secondary" onClick={onClose}>
            Done
          </Button>
        </DialogButtons>
      </>
    );
  return (
    <Form onSubmit={onSubmit} rejection={rejection}>
      <TextField
        label="Email"
        name="email"
        type="email"
        autoComplete="off"
        placeholder="grace@example.com"
        autoFocus
        error={fields.email}
      />
      <SelectField
        label="Role"
        name="role"
        value={role}
        onChange={(event) => isRole(event.target.value) && setRole(event.target.value)}
        hint={roleWords[role].text}
        error={fields.role}
      >
        {roles
          .filter((each) => isAtLeast(most, each))
          .map((each) => (
            <option key={each} value={each}>
              {roleWords[each].name}
            </option>
          ))}
      </SelectField>
      <FormButtons onCancel={onClose} isBusy={isPending}>
        {sendsEmail ? "Send invitation" : "Create invitation"}
      </FormButtons>
    </Form>
  );
}
