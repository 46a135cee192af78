"use client";

import { useState, useTransition } from "react";
import { type JsonCommand, sendJson } from "#components/ui/form/send-json.ts";
import { serverUnreachable } from "#components/ui/server-unreachable.ts";
import { useLatestResponse } from "#components/ui/use-latest.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import {
  readSubscriptionFilter,
  readTransformTrial,
  type SubscriptionDraft,
} from "../draft/subscription-draft.ts";
import type { TransformCheck, TransformPreview } from "./transform-trial.ts";

/** Tries what is in the form, without saving it. */
export type TransformCommands = {
  readonly preview: JsonCommand<TransformPreview>;
  readonly check: JsonCommand<TransformCheck>;
};

const pauseMs = 500;

/** The event of a preview: one by its id, the newest one, or an example. */
export type PreviewedEvent = { readonly eventId: string | null; readonly isExample: boolean };

/** What the transform makes of an event, shortly after the last keystroke. Undefined: there is none yet. */
export function useTransformPreview(
  draft: SubscriptionDraft,
  event: PreviewedEvent,
  preview: TransformCommands["preview"],
): CommandResult<TransformPreview> | undefined {
  const isEmpty = draft.transform.trim() === "";
  const question = isEmpty ? null : JSON.stringify({ ...readTransformTrial(draft), ...event });
  return useLatestResponse(question, pauseMs, (text) =>
    sendJson({ ok: true, input: JSON.parse(text) }, preview).catch(() => serverUnreachable),
  );
}

type Checked = { readonly of: string; readonly result: CommandResult<TransformCheck> };

/** Tries the transform on stored events. The result is of that draft only. */
export function useTransformCheck(draft: SubscriptionDraft, check: TransformCommands["check"]) {
  const [isChecking, startTransition] = useTransition();
  const [last, setLast] = useState<Checked>();
  const { transform, eventTypes, recipient, version, filter } = draft;
  const now = JSON.stringify({ transform, eventTypes, recipient, version, filter });
  const runCheck = () =>
    startTransition(async () => {
      const read = readSubscriptionFilter(draft);
      const input = read.ok ? { ...Object(read.input), ...readTransformTrial(draft) } : null;
      const result = await sendJson(read.ok ? { ok: true, input } : read, check).catch(
        () => serverUnreachable,
      );
      startTransition(() => setLast({ of: now, result }));
    });
  return { checked: last?.of === now ? last.result : null, isChecking, runCheck };
}
