"use client";

import { useState } from "react";
import { type CommandResult, checkFields, reject } from "#lib/schema/field/command-result.ts";
import { type Codecs, type Draft, readDraft } from "./codec.ts";
import { findField } from "./field-of.ts";
import { useCommand } from "./use-command.ts";

type Input = Readonly<Record<string, unknown>>;

/** Connects a form with the command that gets its fields as API input. */
export function useForm<Fields extends Codecs, Value>(
  fields: Fields,
  initial: Draft<Fields>,
  run: (input: Input, draft: Draft<Fields>) => Promise<CommandResult<Value>>,
) {
  const [draft, setDraft] = useState(initial);
  const command = useCommand(async () => {
    const read = readDraft(fields, draft);
    if (!read.ok) return reject(checkFields, read.errors);
    const result = await run(read.input, draft);
    // The form shows the error beside its field.
    return !result.ok && result.isOfField === true ? reject(checkFields, result.errors) : result;
  });

  function change(part: Partial<Draft<Fields>>) {
    // Errors of the last submit refer to the old draft.
    command.reset();
    setDraft((before) => ({ ...before, ...part }));
  }

  const errors = command.rejection?.errors ?? [];
  const of = findField({ fields, draft, change, errors });
  return { ...command, draft, setDraft, change, errors, of };
}

/** A form that its fields are in. */
export type FormOf<Fields extends Codecs> = Pick<
  ReturnType<typeof useForm<Fields, unknown>>,
  "draft" | "change" | "fields" | "errors" | "rejection" | "isPending" | "onSubmit" | "of"
>;
