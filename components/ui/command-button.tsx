"use client";

import { type ReactNode, useEffect, useState, useTransition } from "react";
import type { CommandResult } from "#lib/schema/command-result.ts";
import { Button, type ButtonLook } from "./button.tsx";
import { notReached } from "./not-reached.ts";

type CommandButtonProps = {
  readonly look?: ButtonLook;
  readonly ariaLabel?: string;
  readonly disabled?: boolean;
  /** Said for a moment when it was done. */
  readonly done?: string;
  readonly run: () => Promise<CommandResult<unknown>>;
  readonly children: ReactNode;
};

/** Does one thing at a click; why it could not be done stands below. */
export function CommandButton({
  look = "secondary",
  ariaLabel,
  disabled,
  done,
  run,
  children,
}: CommandButtonProps) {
  const [result, setResult] = useState<CommandResult<unknown>>();
  const [isPending, startTransition] = useTransition();

  useEffect(() => {
    if (result?.ok !== true) return;
    const timer = setTimeout(() => setResult(undefined), 3_000);
    return () => clearTimeout(timer);
  }, [result]);

  const onClick = () => startTransition(async () => setResult(await run().catch(() => notReached)));
  return (
    <span className="inline-grid gap-1.5">
      <Button look={look} aria-label={ariaLabel} disabled={disabled} isBusy={isPending} onClick={onClick}>
        {children}
      </Button>
      <span aria-live="polite" className="max-w-64 text-sm empty:hidden">
        {result?.ok === true && done !== undefined && <span className="text-positive">{done}</span>}
        {result?.ok === false && <span className="text-negative">{result.message}</span>}
      </span>
    </span>
  );
}
