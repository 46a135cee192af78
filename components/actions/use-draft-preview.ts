"use client";

import { useEffect, useRef, useState } from "react";
import { serverUnreachable } from "#components/ui/server-unreachable.ts";
import type { CommandResult } from "#lib/schema/command-result.ts";
import type { ActionDraft } from "./draft/action-draft.ts";
import type { FilterDraft, FilterTally } from "./draft/filter-draft.ts";
import { type ActionCommand, sendDraft, sendFilterDraft } from "./draft/send-draft.ts";
import type { RequestPreviewView } from "./request-preview.tsx";

export type PreviewDraft = (
  deliveryId: string,
  json: string,
) => Promise<CommandResult<RequestPreviewView>>;

export type TallyFilter = ActionCommand<FilterTally | null>;

const previewPauseMs = 300;
const tallyPauseMs = 600;

/** The preview of the form, shortly after the last keystroke. */
export function useDraftPreview(
  deliveryId: string | null,
  draft: ActionDraft,
  previewDraft: PreviewDraft,
) {
  const asked = deliveryId === null ? null : JSON.stringify([deliveryId, withoutName(draft)]);
  return useLateAnswer(asked, previewPauseMs, (text) => {
    const [of, typed] = JSON.parse(text) as [string, ActionDraft];
    return sendDraft(typed, (json) => previewDraft(of, json));
  });
}

/** How many of the latest deliveries match the filter. */
export function useFilterTally({ filter }: ActionDraft, tallyFilter: TallyFilter) {
  return useLateAnswer(JSON.stringify(filter), tallyPauseMs, (text) =>
    sendFilterDraft(JSON.parse(text) as FilterDraft, tallyFilter),
  );
}

/** The name doesn't affect the call, so an empty one must not block the preview. */
export function withoutName(draft: ActionDraft): ActionDraft {
  return { ...draft, name: "Draft" };
}

/** Asks once the input has been stable for a moment, and drops outdated responses. */
function useLateAnswer<Value>(
  asked: string | null,
  pauseMs: number,
  ask: (asked: string) => Promise<CommandResult<Value>>,
): CommandResult<Value> | undefined {
  const [answer, setAnswer] = useState<CommandResult<Value>>();
  const latest = useRef(0);
  const asking = useRef(ask);
  asking.current = ask;

  useEffect(() => {
    latest.current += 1;
    const mine = latest.current;
    if (asked === null) return;
    const timer = setTimeout(async () => {
      const next = await asking.current(asked).catch(() => serverUnreachable);
      if (mine === latest.current) setAnswer(next);
    }, pauseMs);
    return () => clearTimeout(timer);
  }, [asked, pauseMs]);

  return answer;
}
