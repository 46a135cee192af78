"use client";

import { useRouter } from "next/navigation";
import { type Dispatch, useEffect, useState, useTransition } from "react";
import { announce } from "#components/ui/feedback/toast.ts";
import { type ReadForm, sendJson } from "#components/ui/form/send-json.ts";
import { serverUnreachable } from "#components/ui/server-unreachable.ts";
import type { SavedAction } from "#lib/schema/act/version.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { type ActionDraft, readDraft } from "../draft/action-draft.ts";
import { type FormerKeys, readFormerKeys } from "../draft/former-keys.ts";
import type { DraftKeeper } from "../stored/draft-keeper.ts";
import type { EditorEvent, EditorState } from "./editor-state.ts";
import { isDirty } from "./read-editor.ts";

export type SaveAction = (about: SavedFrom, json: string) => Promise<CommandResult<SavedAction>>;

type SavedFrom = {
  /** The current keys of steps, with the keys that they had when the action was last saved. */
  readonly formerKeys: FormerKeys;
  /** When the draft of a new action was stored, by the server's clock. Null: it isn't stored. */
  readonly draftSavedAtMs: number | null;
  /** Why, for the version that the save makes. */
  readonly note: string;
};

type SavingProps = {
  /** The action has no page of its own yet. */
  readonly isNew: boolean;
  readonly state: EditorState;
  readonly send: Dispatch<EditorEvent>;
  readonly keeper: DraftKeeper;
  readonly command: SaveAction;
};

export type Saving = {
  readonly save: () => void;
  readonly isPending: boolean;
  readonly isDirty: boolean;
  /**
   * A new action is being saved, and then its page replaces this one: what would be typed now would
   * be lost.
   */
  readonly isInert: boolean;
  readonly note: string;
  readonly setNote: (note: string) => void;
};

export function useSaveAction({ isNew, state, send, keeper, command }: SavingProps): Saving {
  const { draft, base, chosen } = state;
  const router = useRouter();
  const [isPending, startTransition] = useTransition();
  const [note, setNote] = useState("");

  useEffect(() => {
    created = null;
  }, []);

  function save() {
    if (isPending) return;
    const formerKeys = readFormerKeys(draft);
    startTransition(async () => {
      const draftSavedAtMs = isNew ? await keeper.hand({ draft, version: base.version }) : null;
      await keeper.pause();
      const read = startingFrom(base.version, readDraft(draft));
      const result = await sendJson(read, (json) =>
        command({ formerKeys, draftSavedAtMs, note }, json),
      ).catch(() => serverUnreachable);
      if (result.ok && isNew) keeper.end();
      else if (result.ok) keeper.forget();
      keeper.resume();
      // Together with the end of `isPending`, so that saving again right after the result isn't
      // ignored.
      startTransition(() => send({ kind: "save_ended", draft, result }));
      if (!result.ok) return;
      setNote("");
      if (!isNew) return;
      // A new action now has its own URL, and its page says that it was saved.
      created = result.value;
      announce("Action saved.");
      const here = chosen === null ? "" : `?delivery=${chosen.delivery.id}`;
      startTransition(() => router.replace(`/actions/${result.value.id}${here}`));
    });
  }

  const isInert = state.isLeaving || (isPending && isNew);
  return { save, isPending, isDirty: isDirty(state), isInert, note, setNote };
}

export function describeSaved({ enabled }: Pick<ActionDraft, "enabled">): string {
  return enabled ? "Saved. New deliveries run this action." : "Saved. The action is disabled.";
}

/** The action that was just created, whose page replaces the one where it was written. */
let created: SavedAction | null = null;

/** The save that made this action, if its page is the one that follows. */
export function findCreated(actionId: string | null): CommandResult<SavedAction> | undefined {
  const found = created?.id === actionId ? created : null;
  return found === null ? undefined : { ok: true, value: found };
}

type Input = Readonly<Record<string, unknown>>;

/** A change with the version that it started from, so that it can't undo another user's change. */
function startingFrom(version: number | null, read: ReadForm<Input>): ReadForm<Input> {
  return read.ok && version !== null ? { ok: true, input: { ...read.input, version } } : read;
}
