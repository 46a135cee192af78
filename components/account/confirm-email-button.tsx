"use client";

import { Button } from "#components/ui/button/button.tsx";
import { Form } from "#components/ui/form/form.tsx";
import { useCommand } from "#components/ui/form/use-command.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";

/** Confirms the email of a link, then opens the profile. */
export function ConfirmEmailButton({ confirm }: { confirm: () => Promise<CommandResult<null>> }) {
  const { rejection, isPending, onSubmit } = useCommand(async () => {
    const result = await confirm();
    if (result.ok) window.location.assign("/account");
    return result;
  });
  return (
    <Form onSubmit={onSubmit} rejection={rejection}>
      <Button type="submit" isBusy={isPending} className="w-full">
        Confirm email
      </Button>
    </Form>
  );
}
