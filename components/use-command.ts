"use client";

import { type FormEvent, useState, useTransition } from "react";
import type { CommandResult } from "#lib/schema/command-result.ts";
import { notReached } from "./ui/not-reached.ts";

/**
 * Sends a form to a command: what was typed stays while it runs and after it failed. A thrown error means that the
 * server wasn't reached.
 */
export function useCommand<Value>(run: (form: FormData) => Promise<CommandResult<Value>>) {
  const [result, setResult] = useState<CommandResult<Value>>();
  const [isPending, startTransition] = useTransition();

  function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    startTransition(async () => {
      const next = await run(form).catch(() => notReached);
      setResult(next);
    });
  }

  const fields = result?.ok === false ? result.fields : {};
  const message = result?.ok === false ? result.message : undefined;
  return { result, fields, message, isPending, onSubmit, reset: () => setResult(undefined) };
}
