"use client";

import type { JsonCommand } from "#components/ui/form/send-json.ts";
import { serverUnreachable } from "#components/ui/server-unreachable.ts";
import { useLatestResponse } from "#components/ui/use-latest.ts";
import type { FilterDraft, FilterTally } from "./draft/filter-draft.ts";
import { sendFilterDraft } from "./draft/send-draft.ts";

export type TallyFilter = JsonCommand<FilterTally | null>;

const tallyPauseMs = 600;

/** Counts how many of the latest deliveries match the filter. */
export function useFilterTally(filter: FilterDraft, tallyFilter: TallyFilter) {
  return useLatestResponse(JSON.stringify(filter), tallyPauseMs, (text) =>
    sendFilterDraft(JSON.parse(text) as FilterDraft, tallyFilter).catch(() => serverUnreachable),
  );
}
