"use client";

import { type JsonCommand, sendJson } from "#components/ui/form/send-json.ts";
import { serverUnreachable } from "#components/ui/server-unreachable.ts";
import { useLatestResponse } from "#components/ui/use-latest.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { type FilterDraft, type FilterTally, readFilterDraft } from "../draft/filter-draft.ts";

export type TallyFilter = JsonCommand<FilterTally | null>;

const tallyPauseMs = 600;

/** Counts how many of the latest deliveries match the filter. */
export function useFilterTally(filter: FilterDraft, tallyFilter: TallyFilter) {
  return useLatestResponse(JSON.stringify(filter), tallyPauseMs, (text) =>
    sendFilterDraft(JSON.parse(text) as FilterDraft, tallyFilter).catch(() => serverUnreachable),
  );
}

/** Sends only the filter, whatever the other fields contain. */
async function sendFilterDraft<Value>(
  draft: FilterDraft,
  command: JsonCommand<Value>,
): Promise<CommandResult<Value>> {
  const read = readFilterDraft(draft);
  return await sendJson(read.ok ? { ok: true, input: { filter: read.filter } } : read, command);
}
