"use client";

import { useTimeZone } from "#components/ui/time/time-zone.tsx";
import { writeRecentTime } from "#components/ui/time/write-time.ts";
import { useHydrated } from "#components/ui/use-hydrated.ts";
import { DiscardDraft } from "../stored/discard-draft.tsx";
import type { KeeperState } from "../stored/draft-keeper.ts";
import type { EditorPart } from "./use-editor.ts";
import { describeSaved } from "./use-save-action.ts";

/** Shown beside the button, because the error at the top of the form may be out of sight. */
export function SaveState({ editor }: EditorPart) {
  const { stored } = editor;
  const { isDirty } = editor.saving;
  const { draft, saved } = editor.state;
  const isHydrated = useHydrated();
  const timeZone = useTimeZone() ?? "UTC";
  const rejection = saved?.ok === false ? saved.message : null;
  const done = saved?.ok === true && !isDirty ? describeSaved(draft) : "";
  const kept = isHydrated ? describeDraft(stored.state, timeZone) : "Draft";
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-x-1 gap-y-1 text-sm">
      {rejection === null ? (
        <span
          aria-live="polite"
          className={done === "" ? "text-muted-foreground" : "text-positive"}
        >
          {isDirty ? kept : done}
        </span>
      ) : (
        <span className="text-negative">Not saved. {rejection}</span>
      )}
      {isDirty && <DiscardDraft look="quiet" discard={stored.discard} />}
    </span>
  );
}

function describeDraft({ status, savedAtMs }: KeeperState, timeZone: string): string {
  switch (status) {
    case "none":
    case "pending":
      return "Saving draft…";
    case "stored":
      return `Draft saved ${writeRecentTime(savedAtMs ?? Date.now(), Date.now(), timeZone)}`;
    default:
      return "Draft not saved";
  }
}
