"use client";

import { startTransition, useState } from "react";
import { toast } from "#components/ui/feedback/toast.ts";
import { useCommand } from "#components/ui/form/use-command.ts";
import type { HookChange, SaveHook } from "./save-hook.ts";

type SectionOptions<Draft extends object> = {
  readonly hookId: string;
  /** The stored values as fields. */
  readonly stored: Draft;
  /** The fields as API input. */
  readonly toChange: (draft: Draft) => HookChange;
  readonly save: SaveHook;
  readonly saved?: string;
};

/**
 * The fields of one section. Saving sends only what differs from what is stored, so that a default
 * stays a default. What was typed stays until it is saved or discarded, even if another section is
 * saved meanwhile.
 */
export function useSection<Draft extends object>({
  hookId,
  stored,
  toChange,
  save,
  saved = "Saved. This applies to new deliveries.",
}: SectionOptions<Draft>) {
  const [edited, setEdited] = useState<Draft | null>(null);
  const draft = edited ?? stored;
  const changes = listChanges(toChange(draft), toChange(stored));
  const { fields, rejection, isPending, onSubmit, reset } = useCommand(async () => {
    const result = await save(hookId, changes);
    if (result.ok) {
      toast(saved);
      // What was typed since then stays.
      startTransition(() => setEdited((now) => (now === edited ? null : now)));
    }
    return result;
  });
  return {
    draft,
    change: (part: Partial<Draft>) => setEdited({ ...draft, ...part }),
    fields,
    rejection,
    isPending,
    isChanged: Object.keys(changes).length > 0,
    onSubmit,
    discard() {
      setEdited(null);
      reset();
    },
  };
}

/** The fields of `next` whose values differ. */
export function listChanges(next: HookChange, stored: HookChange): HookChange {
  return Object.fromEntries(
    Object.entries(next).filter(
      ([field, value]) => JSON.stringify(value) !== JSON.stringify(stored[field]),
    ),
  );
}

/** A whole number as API input. Null: the default. Other text is sent as it is, and rejected. */
export function readNumber(text: string): number | string | null {
  const trimmed = text.trim();
  if (trimmed === "") return null;
  return /^-?\d+$/.test(trimmed) ? Number(trimmed) : trimmed;
}
