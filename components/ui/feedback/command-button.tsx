"use client";

import { type ReactNode, useState, useTransition } from "react";
import { Button, type ButtonLook } from "#components/ui/button.tsx";
import { serverUnreachable } from "#components/ui/server-unreachable.ts";
import type { CommandResult } from "#lib/schema/command-result.ts";
import { toast } from "./toast.ts";

type CommandButtonProps = {
  readonly look?: ButtonLook;
  readonly ariaLabel?: string;
  readonly disabled?: boolean;
  /** Said in a toast when it was done. */
  readonly done?: string;
  /** Takes it back; offered beside `done`. */
  readonly undo?: () => Promise<CommandResult<unknown>>;
  readonly run: () => Promise<CommandResult<unknown>>;
  readonly children: ReactNode;
};

/** Does one thing at a click; why it could not be done stands below. */
export function CommandButton(props: CommandButtonProps) {
  const { look = "secondary", ariaLabel, disabled, done, undo, run, children } = props;
  const [message, setMessage] = useState("");
  const [isPending, startTransition] = useTransition();

  function onClick() {
    startTransition(async () => {
      const result = await run().catch(() => serverUnreachable);
      setMessage(result.ok ? "" : result.message);
      if (result.ok && done !== undefined) toast(done, { undo });
    });
  }

  return (
    <span className="inline-grid justify-items-start gap-1.5">
      <Button
        look={look}
        aria-label={ariaLabel}
        disabled={disabled}
        isBusy={isPending}
        onClick={onClick}
      >
        {children}
      </Button>
      <span aria-live="polite" className="max-w-64 text-sm text-negative empty:hidden">
        {message}
      </span>
    </span>
  );
}
