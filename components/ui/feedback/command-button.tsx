"use client";

import { type ReactNode, useState, useTransition } from "react";
import { Button, type ButtonLook } from "#components/ui/button/button.tsx";
import { serverUnreachable } from "#components/ui/server-unreachable.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { toast } from "./toast.ts";

type CommandButtonProps = {
  readonly look?: ButtonLook;
  readonly ariaLabel?: string;
  readonly disabled?: boolean;
  /** Shown in a toast on success. */
  readonly done?: string;
  /** Undoes the command. Offered beside `done`. */
  readonly undo?: () => Promise<CommandResult<unknown>>;
  readonly run: () => Promise<CommandResult<unknown>>;
  readonly children: ReactNode;
};

/** Runs one command on click and shows an error below. */
export function CommandButton(props: CommandButtonProps) {
  const { look = "secondary", ariaLabel, disabled, done, undo, run, children } = props;
  const [message, setMessage] = useState("");
  const [isPending, startTransition] = useTransition();

  function onClick() {
    startTransition(async () => {
      const result = await run().catch(() => serverUnreachable);
      startTransition(() => setMessage(result.ok ? "" : result.message));
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
