"use client";

import { Button } from "#components/ui/button/button.tsx";
import { Form } from "#components/ui/form/form.tsx";
import { useCommand } from "#components/ui/form/use-command.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";

type LinkButtonProps = {
  /** The text of the button. */
  readonly label: string;
  readonly run: () => Promise<CommandResult<null>>;
  /** The page to open afterwards. */
  readonly next: "/" | "/account";
};

/** Does what a link in an email is for, such as joining an account, then opens a page. */
export function LinkButton({ label, run, next }: LinkButtonProps) {
  const { rejection, isPending, onSubmit } = useCommand(async () => {
    const result = await run();
    // A full page load, so that nothing of another account stays in the router's cache.
    if (result.ok) window.location.assign(next);
    return result;
  });
  return (
    <Form onSubmit={onSubmit} rejection={rejection}>
      <Button type="submit" isBusy={isPending} className="w-full">
        {label}
      </Button>
    </Form>
  );
}
