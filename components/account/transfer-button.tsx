"use client";

import { useState } from "react";
import { Button } from "#components/ui/button/button.tsx";
import { toast } from "#components/ui/feedback/toast.ts";
import { SelectField } from "#components/ui/form/field.tsx";
import { Form } from "#components/ui/form/form.tsx";
import { useCommand } from "#components/ui/form/use-command.ts";
import { Dialog, DialogButtons } from "#components/ui/overlay/dialog.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";

type TransferButtonProps = {
  readonly accountName: string;
  /** The other members. */
  readonly members: readonly {
    readonly id: string;
    readonly name: string;
    readonly email: string;
  }[];
  readonly transfer: (input: { memberId: string }) => Promise<CommandResult<null>>;
};

/** Opens a dialog in which an owner hands the account over. */
export function TransferButton(props: TransferButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  if (props.members.length === 0)
    return (
      <p className="text-sm text-muted-foreground">
        You are the only member. Invite the new owner under People first.
      </p>
    );
  return (
    <>
      <Button look="secondary" onClick={() => setOpen(true)}>
        Transfer account
      </Button>
      <Dialog isOpen={isOpen} onClose={close} title={`Transfer ${safeText(props.accountName)}`}>
        <TransferForm {...props} onClose={close} />
      </Dialog>
    </>
  );
}

function TransferForm({
  members,
  transfer,
  onClose,
}: TransferButtonProps & { readonly onClose: () => void }) {
  const { fields, rejection, isPending, onSubmit } = useCommand(async (form) => {
    const memberId = String(form.get("memberId") ?? "");
    const result = await transfer({ memberId });
    if (!result.ok) return result;
    const name = members.find(({ id }) => id === memberId)?.name ?? "";
    toast(`${safeText(name)} is the owner now. You are an admin.`);
    onClose();
    return result;
  });
  return (
    <Form onSubmit={onSubmit} rejection={rejection}>
      <p className="text-sm text-muted-foreground">
        The new owner can do everything, including removing you. You become an admin, and can't take
        the account back yourself.
      </p>
      <SelectField
        label="New owner"
        name="memberId"
        defaultValue=""
        autoFocus
        error={fields.memberId}
      >
        <option value="" disabled>
          Choose a member
        </option>
        {members.map(({ id, name, email }) => (
          <option key={id} value={id}>
            {safeText(name)} ({safeText(email)})
          </option>
        ))}
      </SelectField>
      <DialogButtons>
        <Button look="secondary" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" look="danger" isBusy={isPending}>
          Transfer account
        </Button>
      </DialogButtons>
    </Form>
  );
}
