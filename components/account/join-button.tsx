"use client";

import { Button } from "#components/ui/button/button.tsx";
import { Form } from "#components/ui/form/form.tsx";
import { useCommand } from "#components/ui/form/use-command.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";

/** Joins the account of an invitation and opens it. */
export function JoinButton({ join }: { join: () => Promise<CommandResult<null>> }) {
  const { rejection, isPending, onSubmit } = useCommand(async () => {
    const result = await join();
    // A full page load, so that nothing of another account stays in the router's cache.
    if (result.ok) window.location.assign("/");
    return result;
  });
  return (
    <Form onSubmit={onSubmit} rejection={rejection}>
      <Button type="submit" isBusy={isPending} className="w-full">
        Join
      </Button>
    </Form>
  );
}
