import { stringifyExactJson } from "#lib/core/json/stringify-exact-json.ts";
import { type CommandResult, checkFields, refuse } from "#lib/schema/field/command-result.ts";
import { type ActionDraft, readDraft } from "./action-draft.ts";
import { type FilterDraft, readFilterDraft } from "./filter-draft.ts";

/** Sends JSON: the body of `POST /hooks/{id}/actions`. */
export type ActionCommand<Value> = (json: string) => Promise<CommandResult<Value>>;

/** Runs the command with the draft as API input, unless a field can't be read. */
export async function sendDraft<Value>(
  draft: ActionDraft,
  command: ActionCommand<Value>,
): Promise<CommandResult<Value>> {
  const read = readDraft(draft);
  return read.ok ? await sendJson(read.input, command) : refuse(checkFields, read.errors);
}

/** The filter alone, whatever the other fields hold. */
export async function sendFilterDraft<Value>(
  draft: FilterDraft,
  command: ActionCommand<Value>,
): Promise<CommandResult<Value>> {
  const read = readFilterDraft(draft);
  if (!read.ok) return refuse(checkFields, read.errors);
  return await sendJson({ filter: read.filter }, command);
}

async function sendJson<Value>(
  input: unknown,
  command: ActionCommand<Value>,
): Promise<CommandResult<Value>> {
  const written = stringifyExactJson(input);
  return written.ok ? await command(written.text) : refuse(written.message);
}
