"use client";

import { useHydrated } from "#components/ui/use-hydrated.ts";
import { DiscardDraft } from "./stored/discard-draft.tsx";
import type { KeeperState } from "./stored/draft-keeper.ts";
import type { StoredDraftState } from "./stored/use-stored-draft.ts";
import type { Saving } from "./use-save-action.ts";

type SaveStateProps = {
  readonly saving: Saving;
  readonly stored: StoredDraftState;
};

/** Shown beside the button, because the error at the top of the form may be out of sight. */
export function SaveState({ saving: { isDirty, saved }, stored }: SaveStateProps) {
  const isHydrated = useHydrated();
  const rejection = saved?.ok === false ? saved.message : null;
  if (!isDirty && rejection === null) return null;
  const words = isHydrated ? describeDraft(stored.state) : "Draft";
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-x-1 gap-y-1 text-sm">
      {rejection === null ? (
        <span aria-live="polite" className="text-muted-foreground">
          {words}
        </span>
      ) : (
        <span className="text-negative">Not saved. {rejection}</span>
      )}
      {isDirty && <DiscardDraft look="quiet" discard={stored.discard} />}
    </span>
  );
}

function describeDraft({ status, savedAtMs }: KeeperState): string {
  switch (status) {
    case "none":
    case "pending":
      return "Saving draft…";
    case "stored":
      return `Draft saved ${toTime(savedAtMs ?? Date.now())}`;
    default:
      return "Draft not saved";
  }
}

/** In the viewer's time zone. A draft of another day has its date. */
function toTime(atMs: number): string {
  const at = new Date(atMs);
  const time = { hour: "2-digit", minute: "2-digit" } as const;
  const isToday = at.toDateString() === new Date().toDateString();
  return at.toLocaleString(undefined, isToday ? time : { ...time, day: "numeric", month: "short" });
}
