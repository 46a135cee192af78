"use client";

import { type FormEvent, useState, useTransition } from "react";
import { serverUnreachable } from "#components/ui/server-unreachable.ts";
import {
  type CommandResult,
  checkFields,
  describeFieldError,
  reject,
} from "#lib/schema/field/command-result.ts";

/**
 * Submits a form to a command. Input stays while it runs and after it fails. A thrown error means
 * that the server wasn't reached.
 */
export function useCommand<Value>(
  run: (form: FormData, element: HTMLFormElement) => Promise<CommandResult<Value>>,
) {
  const [result, setResult] = useState<CommandResult<Value>>();
  const [isPending, startTransition] = useTransition();

  function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const element = event.currentTarget;
    const form = new FormData(element);
    startTransition(async () => {
      const next = markFields(await run(form, element).catch(() => serverUnreachable), element);
      // Set together with the end of `isPending`, so that submitting again right after the result
      // isn't ignored.
      startTransition(() => setResult(next));
    });
  }

  const rejection = result?.ok === false ? result : undefined;
  return {
    result,
    /** Messages by field. */
    fields: Object.fromEntries(
      (rejection?.errors ?? []).map((error) => [error.path, describeFieldError(error)]),
    ),
    rejection,
    isPending,
    onSubmit,
    reset: () => setResult(undefined),
  };
}

/** An error that the form shows beside its field isn't repeated above. */
function markFields<Value>(
  result: CommandResult<Value>,
  { elements }: HTMLFormElement,
): CommandResult<Value> {
  if (result.ok || result.isOfField !== true) return result;
  const isShown = result.errors.every(({ path }) => elements.namedItem(path) !== null);
  return isShown ? reject(checkFields, result.errors) : result;
}
