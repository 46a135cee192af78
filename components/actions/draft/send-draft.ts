import { type JsonCommand, sendJson } from "#components/ui/form/send-json.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { type FilterDraft, readFilterDraft } from "./filter-draft.ts";

/** Sends only the filter, whatever the other fields contain. */
export async function sendFilterDraft<Value>(
  draft: FilterDraft,
  command: JsonCommand<Value>,
): Promise<CommandResult<Value>> {
  const read = readFilterDraft(draft);
  return await sendJson(read.ok ? { ok: true, input: { filter: read.filter } } : read, command);
}
