"use client";

import { useState } from "react";
import { Button } from "#components/ui/button/button.tsx";
import { TextField } from "#components/ui/form/field.tsx";
import { Form } from "#components/ui/form/form.tsx";
import { useCommand } from "#components/ui/form/use-command.ts";
import { Link } from "#components/ui/link.tsx";
import type { CommandResult } from "#lib/schema/field/command-result.ts";

type CodeFormProps = {
  /** A path on this server. */
  readonly next: string;
  readonly finishSignIn: (input: Record<string, string>) => Promise<CommandResult<null>>;
};

const quiet = "w-fit rounded-sm text-sm text-muted-foreground hover:text-foreground";

/** The second step of a sign-in. */
export function CodeForm({ next, finishSignIn }: CodeFormProps) {
  const [isRecovery, setIsRecovery] = useState(false);
  const { fields, rejection, isPending, onSubmit, reset } = useCommand(async (form) => {
    const result = await finishSignIn({ code: String(form.get("code")) });
    // A full page load, so that nothing from before the sign-in stays in the router's cache.
    if (result.ok) window.location.assign(next);
    return result;
  });
  return (
    <>
      <Form key={String(isRecovery)} onSubmit={onSubmit} rejection={rejection}>
        {isRecovery ? (
          <TextField
            label="Recovery code"
            name="code"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            placeholder="abcd-efgh-ijkl-mnop"
            hint="Each one works once."
            error={fields.code}
            autoFocus
          />
        ) : (
          <TextField
            label="Code"
            name="code"
            autoComplete="one-time-code"
            inputMode="numeric"
            maxLength={7}
            hint="The 6 digits that your authenticator app shows now."
            error={fields.code}
            autoFocus
          />
        )}
        <Button type="submit" isBusy={isPending} className="mt-1 w-full">
          Sign in
        </Button>
      </Form>
      <div className="flex flex-wrap justify-between gap-x-4 gap-y-2">
        <button
          type="button"
          className={quiet}
          onClick={() => {
            reset();
            setIsRecovery(!isRecovery);
          }}
        >
          {isRecovery ? "Use your authenticator app" : "Use a recovery code"}
        </button>
        <Link href="/sign-in" className={quiet}>
          Start again
        </Link>
      </div>
    </>
  );
}
