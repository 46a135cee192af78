"use client";

import type { ReactNode } from "react";
import { Button } from "#components/ui/button/button.tsx";
import { Form } from "#components/ui/form/form.tsx";
import { PasswordField } from "#components/ui/form/password-field.tsx";
import { useCommand } from "#components/ui/form/use-command.ts";
import { Dialog, DialogButtons } from "#components/ui/overlay/dialog.tsx";
import type { CommandResult } from "#lib/schema/field/command-result.ts";

type PasswordDialogProps = {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly text: string;
  /** Fields before the password. They are part of the input. */
  readonly children?: (fields: Readonly<Record<string, string>>) => ReactNode;
  readonly email: string;
  readonly confirmLabel: string;
  readonly isDangerous?: boolean;
  readonly run: (input: Record<string, string>) => Promise<CommandResult<unknown>>;
};

/** Asks for the password before a change of how the person signs in. */
export function PasswordDialog({ isOpen, onClose, title, ...rest }: PasswordDialogProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={title}>
      <PasswordQuestion {...rest} onClose={onClose} />
    </Dialog>
  );
}

function PasswordQuestion(props: Omit<PasswordDialogProps, "isOpen" | "title">) {
  const { onClose, run } = props;
  const { fields, rejection, isPending, onSubmit } = useCommand(async (form) => {
    const input = Object.fromEntries([...form].map(([name, value]) => [name, String(value)]));
    delete input.email;
    const result = await run(input);
    if (result.ok) onClose();
    return result;
  });
  return (
    <Form onSubmit={onSubmit} rejection={rejection}>
      <p className="text-sm text-muted-foreground">{props.text}</p>
      {/* Tells the browser's password manager whose password it is. */}
      <input type="hidden" name="email" autoComplete="username" value={props.email} readOnly />
      {props.children?.(fields)}
      <PasswordField
        label="Your password"
        name="password"
        autoComplete="current-password"
        error={fields.password}
      />
      <DialogButtons>
        <Button look="secondary" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" look={props.isDangerous ? "danger" : "primary"} isBusy={isPending}>
          {props.confirmLabel}
        </Button>
      </DialogButtons>
    </Form>
  );
}
