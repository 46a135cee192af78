import type { ActionDraft } from "../draft/action-draft.ts";
import { withoutSecrets, withSecretsOf } from "./draft-secrets.ts";

/** A draft with which an editor starts. */
export type StartedDraft = {
  readonly draft: ActionDraft;
  /** The version that it started from. Null: the action is new. */
  readonly version: number | null;
  /** Null: the server has none. */
  readonly revision: number | null;
  readonly savedAtMs: number | null;
  /** False: the server doesn't have all of it. */
  readonly isSent: boolean;
};

/** Null: there is none, because nothing differs from the saved action. */
type HeldDraft = Omit<StartedDraft, "draft"> & { readonly draft: ActionDraft | null };

/**
 * The drafts of this page load. Going back shows pages as they were when they were read, which may
 * be before their drafts. Only filled in the browser.
 */
const held = new Map<string, HeldDraft>();

export function holdDraft(key: string, draft: HeldDraft | null): void {
  if (draft === null) held.delete(key);
  else held.set(key, draft);
}

/** The draft that the server had when it read the page. */
export type StoredDraftView = {
  /** The person and the action. */
  readonly key: string;
  /** Null: there is none. */
  readonly found: Omit<StartedDraft, "isSent"> | null;
  /** The revision of an unreadable draft, which the next one replaces. Null: there is none. */
  readonly revision: number | null;
  /** When the server read it. */
  readonly readAtMs: number;
};

type Known = {
  /** The saved action as a draft, or an empty one. */
  readonly draft: ActionDraft;
  readonly version: number | null;
  readonly stored: StoredDraftView;
};

/** The latest of what the tab and the server know. */
export function chooseStart({ draft, version, stored }: Known): StartedDraft {
  const own = held.get(stored.key);
  const isNewer = own !== undefined && (!own.isSent || (own.savedAtMs ?? 0) >= stored.readAtMs);
  if (isNewer && own.draft !== null) return { ...own, draft: own.draft };
  if (stored.found !== null && !isNewer) return { ...stored.found, isSent: true };
  const revision = isNewer ? own.revision : stored.revision;
  return { draft, version, revision, savedAtMs: null, isSent: true };
}

/** True if this page load knows the draft, so that the tab's copy has nothing more. */
export function isHeld(key: string): boolean {
  return held.has(key);
}

export type DraftCopy = Pick<StartedDraft, "draft" | "version" | "revision">;

export type DraftCopies = {
  readonly key: string;
  read(stored: ActionDraft | null): DraftCopy | null;
  write(copy: DraftCopy): void;
  remove(): void;
};

/**
 * The copy of a draft in the tab's storage, without secrets, until the server has the draft. It
 * survives a reload and signing in again. It ends with the tab, because a browser may be shared.
 */
export function draftCopies(key: string): DraftCopies {
  const name = `catchment.draft.${key}`;
  return {
    key,
    read(stored) {
      try {
        const text = window.sessionStorage.getItem(name);
        if (text === null) return null;
        const copy = JSON.parse(text) as DraftCopy;
        return { ...copy, draft: withSecretsOf(stored, copy.draft) };
      } catch {
        // Storage is blocked, or another release wrote it.
        return null;
      }
    },
    write(copy) {
      try {
        const draft = withoutSecrets(copy.draft);
        window.sessionStorage.setItem(name, JSON.stringify({ ...copy, draft }));
      } catch {
        // Storage is blocked or full. The server gets the draft in a moment.
      }
    },
    remove() {
      try {
        window.sessionStorage.removeItem(name);
      } catch {
        // Storage is blocked, so nothing is there.
      }
    },
  };
}
