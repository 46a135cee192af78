import { serverUnreachable } from "#components/ui/server-unreachable.ts";
import type { StoredDraft } from "#lib/schema/act/draft.ts";
import { type CommandResult, reject } from "#lib/schema/field/command-result.ts";
import type { ActionDraft } from "../draft/action-draft.ts";
import { type DraftCopies, type DraftCopy, holdDraft, type StartedDraft } from "./draft-copies.ts";

/** The result of a command of a draft. A command that ends the page would lose what it has. */
export type DraftResult =
  | { readonly kind: "done"; readonly draft: StoredDraft }
  | { readonly kind: "signed_out" }
  | { readonly kind: "rejected"; readonly message: string };

export type DraftInput = {
  readonly version: number | null;
  readonly revision: number | null;
  readonly content: string;
};

export type DraftCommands = {
  readonly store: (input: DraftInput) => Promise<DraftResult>;
  readonly discard: () => Promise<DraftResult>;
};

export type KeeperState = {
  /** `none`: nothing differs from the saved action. `pending`: it will be stored in a moment. */
  readonly status: "none" | "pending" | "stored" | "conflict" | KeepFailure;
  readonly savedAtMs: number | null;
  /** Why the server rejected the draft. */
  readonly message: string | null;
  /** The action's version in force, if it is newer than the page knows. */
  readonly currentVersion: number | null;
};
type KeepFailure = "signed_out" | "unreachable" | "rejected";

type Wanted = { readonly draft: ActionDraft; readonly version: number | null };

const pauseMs = 800;
const retryMs = 5_000;

/**
 * Stores a draft while it is typed: one request at a time, and the latest draft last. Until the
 * server has it, it is also kept in the tab, so that a reload, a lost session, and a server that
 * can't be reached lose nothing.
 */
export class DraftKeeper {
  readonly #commands: DraftCommands;
  readonly copies: DraftCopies;
  readonly #listeners = new Set<() => void>();
  #state: KeeperState;
  #revision: number | null;
  /** Null: nothing differs from the saved action. */
  #wanted: Wanted | null;
  #text: string | null;
  #isSent = true;
  #isPaused = false;
  #isOver = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #sending: Promise<void> | null = null;
  /** The server's draft is another one than pages show that list drafts. */
  hasChanged = false;

  constructor(start: StartedDraft, commands: DraftCommands, copies: DraftCopies) {
    const { revision, savedAtMs, isSent } = start;
    this.#commands = commands;
    this.copies = copies;
    this.#revision = revision;
    const has = savedAtMs !== null || !isSent;
    this.#wanted = has ? { draft: start.draft, version: start.version } : null;
    this.#text = has ? toText(this.#wanted) : null;
    this.#isSent = isSent;
    const status = has ? (isSent ? "stored" : "pending") : "none";
    this.#state = { status, savedAtMs, message: null, currentVersion: null };
  }

  /** The person and the action. */
  get key(): string {
    return this.copies.key;
  }

  readonly getState = (): KeeperState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Notes what is typed. Null: nothing differs from the saved action any more. */
  change(wanted: Wanted | null): void {
    if (this.#isOver) return;
    const text = toText(wanted);
    if (text === this.#text && this.#isSent) return;
    if (text !== this.#text) {
      this.#wanted = wanted;
      this.#text = text;
      this.#isSent = wanted === null && this.#revision === null && this.#sending === null;
      this.#keepCopy();
      if (this.#isSent) this.#set({ status: "none", message: null });
      else if (this.#state.status !== "conflict") this.#set({ status: "pending", message: null });
    }
    if (!this.#isSent) this.#schedule(pauseMs);
  }

  /** Stores the latest draft now, unless another tab has changed it. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    if (this.#isSent || this.#isPaused || this.#state.status === "conflict") return;
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = null;
    });
    await this.#sending;
  }

  /**
   * Stores a new action's draft and pauses, before the action is saved. Returns when the draft was
   * stored, by the server's clock: a draft that is no longer there was saved already. Null: the server
   * doesn't take it.
   */
  async hand(wanted: Wanted): Promise<number | null> {
    this.change(wanted);
    await this.flush();
    await this.pause();
    return this.#isSent ? this.#state.savedAtMs : null;
  }

  /** Waits until nothing is on its way, and sends nothing more: the action is being saved. */
  async pause(): Promise<void> {
    this.#isPaused = true;
    clearTimeout(this.#timer);
    await this.#sending;
  }

  resume(): void {
    this.#isPaused = false;
    if (!this.#isSent) this.#schedule(pauseMs);
  }

  /** Ends it: the draft was saved with the action or discarded, or another tab's is shown instead. */
  forget(): void {
    clearTimeout(this.#timer);
    this.#revision = null;
    this.#wanted = null;
    this.#text = toText(null);
    this.#isSent = true;
    this.hasChanged = false;
    this.copies.remove();
    holdDraft(this.copies.key, null);
    this.#set({ status: "none", savedAtMs: null, message: null, currentVersion: null });
  }

  /** Ends it for good: the new action was saved, and what changes on this page belongs to no draft. */
  end(): void {
    this.forget();
    this.#isOver = true;
  }

  /** Removes the draft here and on the server. */
  async discard(): Promise<CommandResult<null>> {
    await this.pause();
    const result = await this.#commands.discard().catch(() => null);
    if (result?.kind === "done") {
      this.forget();
      // A page that was read before it still has the draft.
      const { savedAtMs } = result.draft;
      holdDraft(this.key, { draft: null, version: null, revision: null, savedAtMs, isSent: true });
    }
    this.resume();
    if (result === null) return serverUnreachable;
    if (result.kind === "done") return { ok: true, value: null };
    return reject(result.kind === "rejected" ? result.message : "Sign in again to discard it.");
  }

  /** Replaces what another tab has stored. */
  async overwrite(): Promise<void> {
    this.#set({ status: "pending" });
    await this.flush();
  }

  /** Stores the copy of an earlier page load, which the server doesn't have. */
  async recover({ revision, ...wanted }: DraftCopy): Promise<void> {
    this.#revision = revision;
    this.#wanted = wanted;
    this.#text = toText(wanted);
    this.#isSent = false;
    this.#set({ status: "pending", message: null });
    await this.flush();
  }

  async #sendAll(): Promise<void> {
    while (!this.#isSent && !this.#isPaused) {
      const wanted = this.#wanted;
      const text = this.#text;
      const result = await this.#send(wanted).catch(() => null);
      if (result?.kind !== "done") return this.#fail(result);
      const { isStored, revision, savedAtMs, currentVersion } = result.draft;
      this.#revision = revision;
      this.hasChanged = true;
      this.#set({ currentVersion });
      if (!isStored) return this.#set({ status: "conflict" });
      this.#isSent = text === this.#text;
      this.#keepCopy(savedAtMs);
      const status = this.#isSent ? (wanted === null ? "none" : "stored") : "pending";
      this.#set({ status, savedAtMs: wanted === null ? null : savedAtMs, message: null });
    }
  }

  #send(wanted: Wanted | null): Promise<DraftResult> {
    if (wanted === null) return this.#commands.discard();
    const content = JSON.stringify(wanted.draft);
    return this.#commands.store({ version: wanted.version, revision: this.#revision, content });
  }

  #fail(result: Exclude<DraftResult, { kind: "done" }> | null): void {
    const status = result?.kind ?? "unreachable";
    this.#set({ status, message: result?.kind === "rejected" ? result.message : null });
    // A draft that is rejected once is rejected again until it is changed.
    if (status !== "rejected") this.#schedule(retryMs);
  }

  #schedule(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.flush(), ms);
  }

  #keepCopy(savedAtMs = this.#state.savedAtMs): void {
    const wanted = this.#wanted;
    const held = { revision: this.#revision, savedAtMs, isSent: this.#isSent };
    holdDraft(this.copies.key, {
      ...held,
      draft: wanted?.draft ?? null,
      version: wanted?.version ?? null,
    });
    if (this.#isSent || wanted === null) this.copies.remove();
    else this.copies.write({ ...wanted, revision: this.#revision });
  }

  #set(change: Partial<KeeperState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }
}

function toText(wanted: Wanted | null): string {
  return JSON.stringify(wanted);
}
