"use client";

import { useRouter } from "next/navigation";
import { type Dispatch, type SetStateAction, useState, useTransition } from "react";
import { toast } from "#components/ui/feedback/toast.ts";
import { type ReadForm, sendJson } from "#components/ui/form/send-json.ts";
import { serverUnreachable } from "#components/ui/server-unreachable.ts";
import type { SavedAction } from "#lib/schema/action/version.ts";
import type { CommandResult, FieldError } from "#lib/schema/field/command-result.ts";
import { type ActionDraft, readDraft } from "../draft/action-draft.ts";
import {
  type FormerKeys,
  keepAuths,
  markKeysAsSaved,
  readFormerKeys,
} from "../draft/former-keys.ts";
import type { StoredAuths } from "../draft/step-views.ts";
import type { StartedEditor } from "../stored/use-stored-draft.ts";

export type SaveAction = (about: SavedFrom, json: string) => Promise<CommandResult<SavedAction>>;

export type SavedFrom = {
  /** The current keys of steps, with the keys that they had when the action was last saved. */
  readonly formerKeys: FormerKeys;
  /** When the draft of a new action was stored, by the server's clock. Null: it isn't stored. */
  readonly draftSavedAtMs: number | null;
};

type SavingProps = {
  readonly draft: ActionDraft;
  readonly started: StartedEditor;
  readonly setDraft: Dispatch<SetStateAction<ActionDraft>>;
  /** Null: not saved yet. */
  readonly actionId: string | null;
  readonly storedAuths: StoredAuths;
  readonly deliveryId: string | null;
  readonly save: SaveAction;
  readonly onRejected: (errors: readonly FieldError[]) => void;
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
  /** The result of the last save, as long as the draft is unchanged. */
  readonly saved: CommandResult<SavedAction> | undefined;
  /** Drops the errors of the last save, because they refer to an old draft. */
  readonly forget: () => void;
  readonly storedAuths: StoredAuths;
  /** The version that the draft starts from. Null: not saved yet. */
  readonly version: number | null;
  /** Makes the draft a change of another version. */
  readonly setVersion: (version: number) => void;
};

export function useSaveAction(props: SavingProps): Saving {
  const { draft, setDraft, deliveryId, started } = props;
  const { keeper } = started;
  const router = useRouter();
  // The version changes together with what it has. Otherwise the draft would differ from it for a
  // moment, and be stored again.
  const [base, setBase] = useState({ draft: started.savedDraft, version: started.version });
  const [storedAuths, setStoredAuths] = useState(props.storedAuths);
  const [saved, setSaved] = useState<CommandResult<SavedAction>>();
  const [isLeaving, setLeaving] = useState(false);
  const [isPending, startTransition] = useTransition();
  const isNew = props.actionId === null;

  function save() {
    if (isPending) return;
    const formerKeys = readFormerKeys(draft);
    startTransition(async () => {
      const draftSavedAtMs = isNew ? await keeper.hand({ draft, version: base.version }) : null;
      await keeper.pause();
      const read = startingFrom(base.version, readDraft(draft));
      const result = await sendJson(read, (json) =>
        props.save({ formerKeys, draftSavedAtMs }, json),
      ).catch(() => serverUnreachable);
      if (result.ok && isNew) keeper.end();
      else if (result.ok) keeper.forget();
      keeper.resume();
      // Set together with the end of `isPending`, so that saving again right after the result isn't
      // ignored.
      startTransition(() => {
        setSaved(result);
        if (!result.ok) return props.onRejected(result.errors);
        setStoredAuths((before) => keepAuths(before, formerKeys));
        setDraft(markKeysAsSaved);
        setBase({ draft: markKeysAsSaved(draft), version: result.value.version });
      });
      if (!result.ok) return;
      toast(
        draft.enabled ? "Saved. New deliveries run this action." : "Saved. The action is disabled.",
      );
      if (!isNew) return;
      // A new action now has its own URL.
      const here = deliveryId === null ? "" : `?delivery=${deliveryId}`;
      setLeaving(true);
      startTransition(() => router.replace(`/actions/${result.value.id}${here}`));
    });
  }

  return {
    save,
    isPending,
    isDirty: JSON.stringify(draft) !== JSON.stringify(base.draft),
    isInert: isLeaving || (isPending && isNew),
    saved,
    forget: () => setSaved(undefined),
    storedAuths,
    version: base.version,
    setVersion: (version) => setBase((before) => ({ ...before, version })),
  };
}

type Input = Readonly<Record<string, unknown>>;

/** A change with the version that it started from, so that it can't undo another user's change. */
function startingFrom(version: number | null, read: ReadForm<Input>): ReadForm<Input> {
  return read.ok && version !== null ? { ok: true, input: { ...read.input, version } } : read;
}
