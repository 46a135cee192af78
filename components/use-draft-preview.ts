"use client";

import { useEffect, useRef, useState } from "react";
import type { CommandResult } from "#lib/schema/command-result.ts";
import type { ActionDraft } from "./action-draft.ts";
import type { RequestPreviewView } from "./request-preview.tsx";
import { notReached } from "./ui/not-reached.ts";

export type PreviewDraft = (
  deliveryId: string,
  draft: ActionDraft,
) => Promise<CommandResult<RequestPreviewView>>;

const pauseMs = 300;

/** The preview of what stands in the form, a moment after the last key; an answer that came too late is dropped. */
export function useDraftPreview(deliveryId: string | null, draft: ActionDraft, previewDraft: PreviewDraft) {
  const [result, setResult] = useState<CommandResult<RequestPreviewView>>();
  const latest = useRef(0);
  const { name: _name, ...sent } = draft;
  const request = JSON.stringify(sent);

  useEffect(() => {
    if (deliveryId === null) return;
    latest.current += 1;
    const mine = latest.current;
    const timer = setTimeout(async () => {
      const next = await previewDraft(deliveryId, { ...JSON.parse(request), name: "Draft" }).catch(
        () => notReached,
      );
      if (mine === latest.current) setResult(next);
    }, pauseMs);
    return () => clearTimeout(timer);
  }, [deliveryId, request, previewDraft]);

  return result;
}
