"use client";

import { useRouter } from "next/navigation";
import {
  useCallback,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
  useTransition,
} from "react";
import type { ShownChange } from "#lib/schema/act/version.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import type { ActionDraft } from "../draft/action-draft.ts";
import { type DraftCopy, isHeld, type StoredDraftView } from "./draft-copies.ts";
import type { DraftCommands, DraftKeeper, KeeperState } from "./draft-keeper.ts";

export type StoredDraftCommands = DraftCommands & {
  readonly showChanges: (from: number) => Promise<CommandResult<readonly ShownChange[]>>;
};

export type StoredDraftState = {
  readonly state: KeeperState;
  /** Replaces what another tab has stored. */
  readonly overwrite: () => void;
  /** Shows what another tab has stored. */
  readonly takeOther: () => void;
  readonly discard: () => Promise<CommandResult<null>>;
};

type StoredDraftProps = {
  readonly keeper: DraftKeeper;
  /** The unsaved draft of the signed-in person. */
  readonly stored: StoredDraftView;
  readonly draft: ActionDraft;
  /** The version that it started from. Null: the action isn't saved yet. */
  readonly version: number | null;
  /** The draft differs from what was saved last. */
  readonly isDirty: boolean;
  /** Shows the editor again, with what the server has now. */
  readonly restart: () => void;
};

/** Stores the draft while it is typed, and takes over what an earlier page load left in the tab. */
export function useStoredDraft(props: StoredDraftProps): StoredDraftState {
  const { keeper, stored, draft, version, isDirty, restart } = props;
  const router = useRouter();
  const state = useSyncExternalStore(keeper.subscribe, keeper.getState, keeper.getState);
  const recovering = useRef<DraftCopy | null>(null);
  const hasStarted = useRef(false);

  useEffect(() => {
    async function recover(copy: DraftCopy) {
      recovering.current = copy;
      await keeper.recover(copy);
      if (keeper.getState().status === "stored") restart();
    }
    // Once, before the first change.
    if (hasStarted.current) return;
    hasStarted.current = true;
    const copy = isHeld(keeper.key) ? null : keeper.copies.read(stored.found?.draft ?? null);
    if (copy !== null) void recover(copy);
  }, [keeper, stored, restart]);

  useEffect(() => {
    if (recovering.current !== null) return;
    keeper.change(isDirty ? { draft, version } : null);
  }, [keeper, draft, version, isDirty]);

  // What is typed just before the editor is left is stored too, and the next page may list it.
  useEffect(() => {
    async function leave() {
      await keeper.flush();
      if (keeper.hasChanged) router.refresh();
    }
    return () => void leave();
  }, [keeper, router]);

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
  const restart = useCallback(
    () =>
      startTransition(() => {
        router.refresh();
        setGeneration((before) => before + 1);
      }),
    [router],
  );
  return { generation, restart };
}
