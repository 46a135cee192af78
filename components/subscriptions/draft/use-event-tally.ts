"use client";

import { type FilterTally, filledRows } from "#components/actions/draft/filter-draft.ts";
import { type JsonCommand, sendJson } from "#components/ui/form/send-json.ts";
import { serverUnreachable } from "#components/ui/server-unreachable.ts";
import { useLatestResponse } from "#components/ui/use-latest.ts";
import { readSubscriptionFilter, type SubscriptionDraft } from "./subscription-draft.ts";

export type TallyFilter = JsonCommand<FilterTally | null>;

const pauseMs = 600;

/** Counts how many of the latest events match the filter, shortly after the last keystroke. */
export function useEventTally(
  { filter, eventTypes, recipient }: SubscriptionDraft,
  tallyFilter: TallyFilter,
) {
  const isSet = filter.mode === "json" || filledRows(filter).length > 0;
  const question = isSet ? JSON.stringify({ filter, eventTypes, recipient }) : null;
  return useLatestResponse(question, pauseMs, (text) =>
    sendJson(readSubscriptionFilter(JSON.parse(text)), tallyFilter).catch(() => serverUnreachable),
  );
}
