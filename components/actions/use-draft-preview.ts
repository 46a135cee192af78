"use client";

import { type JsonCommand, sendJson } from "#components/ui/form/send-json.ts";
import { serverUnreachable } from "#components/ui/server-unreachable.ts";
import { useLatestAnswer } from "#components/ui/use-latest.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { type ActionDraft, readDraft } from "./draft/action-draft.ts";
import type { FilterDraft, FilterTally } from "./draft/filter-draft.ts";
import { sendFilterDraft } from "./draft/send-draft.ts";
import type { RequestPreviewView } from "./request-preview.tsx";

export type PreviewDraft = (
  deliveryId: string,
  json: string,
) => Promise<CommandResult<RequestPreviewView>>;

export type TallyFilter = JsonCommand<FilterTally | null>;

const previewPauseMs = 300;
const tallyPauseMs = 600;

/** The preview of the form, shortly after the last keystroke. */
export function useDraftPreview(
  deliveryId: string | null,
  draft: ActionDraft,
  previewDraft: PreviewDraft,
) {
  const asked = deliveryId === null ? null : JSON.stringify([deliveryId, withoutName(draft)]);
  return useLatestAnswer(asked, previewPauseMs, (text) => {
    const [of, typed] = JSON.parse(text) as [string, ActionDraft];
    return sendJson(readDraft(typed), (json) => previewDraft(of, json)).catch(
      () => serverUnreachable,
    );
  });
}

/** How many of the latest deliveries match the filter. */
export function useFilterTally(filter: FilterDraft, tallyFilter: TallyFilter) {
  return useLatestAnswer(JSON.stringify(filter), tallyPauseMs, (text) =>
    sendFilterDraft(JSON.parse(text) as FilterDraft, tallyFilter).catch(() => serverUnreachable),
  );
}

/** The name doesn't affect the call, so an empty one must not block the preview. */
export function withoutName(draft: ActionDraft): ActionDraft {
  return { ...draft, name: "Draft" };
}
