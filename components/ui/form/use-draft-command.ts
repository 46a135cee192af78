"use client";

import { useState } from "react";
import { type CommandResult, checkFields, reject } from "#lib/schema/field/command-result.ts";
import { useCommand } from "./use-command.ts";

/**
 * Connects a form, whose fields are kept in a draft, with the command that it submits the draft to.
 */
export function useDraftCommand<Draft extends object, Value>(
  initial: Draft,
  run: (draft: Draft) => Promise<CommandResult<Value>>,
) {
  const [draft, setDraft] = useState(initial);
  const command = useCommand(async () => markFields(await run(draft)));

  function change(fields: Partial<Draft>) {
    // Errors of the last submit refer to the old draft.
    command.reset();
    setDraft((before) => ({ ...before, ...fields }));
  }

  return { ...command, draft, setDraft, change };
}

/** The form shows the error beside its field. */
function markFields<Value>(result: CommandResult<Value>): CommandResult<Value> {
  return !result.ok && result.isOfField === true ? reject(checkFields, result.errors) : result;
}
