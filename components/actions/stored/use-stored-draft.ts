"use client";

import { useRouter } from "next/navigation";
import { useEffect, useRef, useState, useSyncExternalStore, useTransition } from "react";
import type { ShownChange } from "#lib/schema/action/version.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import type { ActionDraft } from "../draft/action-draft.ts";
import {
  chooseStart,
  type DraftCopy,
  draftCopies,
  isHeld,
  type StoredDraftView,
} from "./draft-copies.ts";
import { type DraftCommands, DraftKeeper, type KeeperState } from "./draft-keeper.ts";

/** The props of an editor for drafts. */
export type StoredDraftProps = {
  /** The saved action as a draft, or an empty one. */
  readonly draft: ActionDraft;
  /** The version of the saved action. Null: not saved yet. */
  readonly version: number | null;
  /** The unsaved draft of the signed-in person. */
  readonly stored: StoredDraftView;
  readonly drafts: DraftCommands & {
    readonly showChanges: (from: number) => Promise<CommandResult<readonly ShownChange[]>>;
  };
  /** Shows the editor again, with what the server has now. */
  readonly restart: () => void;
};

export type StartedEditor = {
  readonly keeper: DraftKeeper;
  /** The version that the draft started from. Null: not saved yet. */
  readonly version: number | null;
  /** The saved action as a draft, or an empty one. */
  readonly savedDraft: ActionDraft;
};

/** The draft with which an editor starts: what was typed before, or else the saved action. */
export function useStartedDraft(props: StoredDraftProps) {
  const [started] = useState(() => {
    const start = chooseStart(props);
    const keeper = new DraftKeeper(start, props.drafts, draftCopies(props.stored.key));
    return { keeper, draft: start.draft, version: start.version, savedDraft: props.draft };
  });
  const [draft, setDraft] = useState(started.draft);
  return { draft, setDraft, started };
}

export type StoredDraftState = {
  readonly state: KeeperState;
  /** Replaces what another tab has stored. */
  readonly overwrite: () => void;
  /** Shows what another tab has stored. */
  readonly takeOther: () => void;
  readonly discard: () => Promise<CommandResult<null>>;
};

type Typed = {
  readonly draft: ActionDraft;
  readonly version: number | null;
  readonly isDirty: boolean;
};

/** Stores the draft while it is typed, and takes over what an earlier page load left in the tab. */
export function useStoredDraft(
  { stored, restart }: StoredDraftProps,
  keeper: DraftKeeper,
  { draft, version, isDirty }: Typed,
): StoredDraftState {
  const router = useRouter();
  const state = useSyncExternalStore(keeper.subscribe, keeper.getState, keeper.getState);
  const recovering = useRef<DraftCopy | null>(null);
  const hasStarted = useRef(false);

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, before the first change
  useEffect(() => {
    if (hasStarted.current) return;
    hasStarted.current = true;
    const copy = isHeld(keeper.key) ? null : keeper.copies.read(stored.found?.draft ?? null);
    if (copy !== null) void recover(copy);
  }, []);

  async function recover(copy: DraftCopy) {
    recovering.current = copy;
    await keeper.recover(copy);
    if (keeper.getState().status === "stored") restart();
  }

  useEffect(() => {
    if (recovering.current === null) keeper.change(isDirty ? { draft, version } : null);
  }, [keeper, draft, version, isDirty]);

  // What is typed just before the editor is left is stored too, and the next page may list it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, at the end
  useEffect(() => () => void leave(), []);

  async function leave() {
    await keeper.flush();
    if (keeper.hasChanged) router.refresh();
  }

  const isUnsent = state.status !== "none" && state.status !== "stored";
  useEffect(() => {
    if (!isUnsent) return;
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", onUnload);
    return () => window.removeEventListener("beforeunload", onUnload);
  }, [isUnsent]);

  async function overwrite() {
    await keeper.overwrite();
    if (recovering.current !== null) restart();
  }

  function takeOther() {
    keeper.forget();
    restart();
  }

  async function discard(): Promise<CommandResult<null>> {
    const result = await keeper.discard();
    if (result.ok) restart();
    return result;
  }

  return { state, overwrite, takeOther, discard };
}

/** Mounts an editor again, with a page that was read again. */
export function useRestart() {
  const router = useRouter();
  const [generation, setGeneration] = useState(0);
  const [, startTransition] = useTransition();

  // Together, so that the new editor starts from the new page.
  const restart = () =>
    startTransition(() => {
      router.refresh();
      setGeneration((before) => before + 1);
    });
  return { generation, restart };
}
