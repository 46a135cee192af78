import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { newDraft } from "../draft/action-draft.ts";
import { chooseStart, draftCopies, holdDraft, type StoredDraftView } from "./draft-copies.ts";
import { type DraftInput, DraftKeeper, type DraftResult } from "./draft-keeper.ts";
import { readStoredDraft } from "./read-stored-draft.ts";

/** A server that stores drafts as the service does, and that can fail. */
function startServer() {
  const server = {
    isSignedIn: true,
    isThere: true,
    clockMs: 1_000,
    draft: null as (DraftInput & { readonly revision: number }) | null,
    stored: [] as string[],
    store: async (input: DraftInput): Promise<DraftResult> => {
      if (!server.isThere) throw new Error("unreachable");
      if (!server.isSignedIn) return { kind: "signed_out" };
      server.clockMs += 1;
      const before = server.draft?.revision ?? null;
      const isStored = before === null || before === input.revision;
      const revision = (isStored ? (input.revision ?? 0) + 1 : before) ?? 1;
      if (isStored) {
        server.draft = { ...input, revision };
        server.stored.push(JSON.parse(input.content).name);
      }
      const common = { savedAtMs: server.clockMs, currentVersion: 1 };
      return { kind: "done", draft: { isStored, revision, ...common } };
    },
    discard: async (): Promise<DraftResult> => {
      server.draft = null;
      server.clockMs += 1;
      const none = { isStored: true, revision: null, currentVersion: 1 };
      return { kind: "done", draft: { ...none, savedAtMs: server.clockMs } };
    },
  };
  return server;
}

const key = "ada action";
const named = (name: string) => ({ draft: { ...newDraft, name }, version: 1 });
const read = (
  server: ReturnType<typeof startServer>,
  readAtMs = server.clockMs + 1,
): StoredDraftView => {
  const { draft } = server;
  if (draft === null) return { key, found: null, revision: null, readAtMs };
  const { content, version, revision } = draft;
  const saved = readStoredDraft(content) ?? newDraft;
  return {
    ...{ key, revision, readAtMs },
    found: { draft: saved, version, revision, savedAtMs: server.clockMs },
  };
};

function open(server: ReturnType<typeof startServer>, stored = read(server)) {
  const start = chooseStart({ draft: newDraft, version: 1, stored });
  return { start, keeper: new DraftKeeper(start, server, draftCopies(key)) };
}

const tab = new Map<string, string>();
beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("window", {
    sessionStorage: {
      getItem: (name: string) => tab.get(name) ?? null,
      setItem: (name: string, text: string) => tab.set(name, text),
      removeItem: (name: string) => tab.delete(name),
    },
  });
  tab.clear();
  holdDraft(key, null);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("what is typed is stored once it rests, the latest last, and is there on the next page", async () => {
  const server = startServer();
  const { keeper } = open(server);
  keeper.change(named("a"));
  keeper.change(named("ab"));
  expect(keeper.getState().status).toBe("pending");
  await vi.runAllTimersAsync();
  expect(server.stored).toEqual(["ab"]);
  expect(keeper.getState().status).toBe("stored");
  holdDraft(key, null);
  expect(open(server).start.draft.name).toBe("ab");
});

it("going back to a page that was read before the draft shows the draft", async () => {
  const server = startServer();
  const before = read(server);
  const { keeper } = open(server, before);
  keeper.change(named("typed"));
  expect(open(server, before).start.draft.name).toBe("typed");
  await vi.runAllTimersAsync();
  expect(open(server, before).start.draft.name).toBe("typed");
  // Undone again: the old page must not bring it back.
  const withDraft = read(server, server.clockMs);
  keeper.change(null);
  await vi.runAllTimersAsync();
  expect(server.draft).toBeNull();
  expect(open(server, withDraft).start.draft.name).toBe("");
});

it("a discarded draft stays away, also on a page that was read before it was discarded", async () => {
  const server = startServer();
  const { keeper } = open(server);
  keeper.change(named("typed"));
  await vi.runAllTimersAsync();
  const withDraft = read(server, server.clockMs);
  expect(await keeper.discard()).toEqual({ ok: true, value: null });
  const next = open(server, withDraft);
  expect(next.start).toMatchObject({ draft: { name: "" }, revision: null });
  next.keeper.change(named("typed again"));
  await vi.runAllTimersAsync();
  expect(next.keeper.getState().status).toBe("stored");
});

it("a lost session and a server that can't be reached are said, and lose nothing", async () => {
  const server = startServer();
  const { keeper } = open(server);
  server.isSignedIn = false;
  keeper.change(named("typed"));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(keeper.getState().status).toBe("signed_out");
  expect(tab.size).toBe(1);
  server.isSignedIn = true;
  server.isThere = false;
  await vi.advanceTimersByTimeAsync(6_000);
  expect(keeper.getState().status).toBe("unreachable");
  // The page is loaded again, after signing in.
  holdDraft(key, null);
  server.isThere = true;
  const next = open(server);
  expect(next.start.draft.name).toBe("");
  const copy = next.keeper.copies.read(null);
  if (copy === null) throw new Error("The tab has no copy");
  await next.keeper.recover(copy);
  expect(server.stored).toEqual(["typed"]);
  expect(tab.size).toBe(0);
});

it("the tab's copy has no secrets, and takes those that the server has", () => {
  const server = startServer();
  const { keeper } = open(server);
  const [step] = newDraft.steps;
  if (step?.work.kind !== "call") throw new Error("A new action has no call");
  const auth = { ...step.work.request.auth, type: "bearer", token: "secret_token" } as const;
  const work = { ...step.work, request: { ...step.work.request, auth } };
  const draft = { ...newDraft, steps: [{ ...step, work }] };
  keeper.change({ draft, version: 1 });
  expect([...tab.values()].join()).not.toContain("secret_token");
  expect(keeper.copies.read(null)?.draft.steps[0]?.work).toMatchObject({
    request: { auth: { type: "bearer", token: "" } },
  });
  expect(keeper.copies.read(draft)?.draft).toEqual(draft);
});

it("two tabs don't overwrite each other, until one is chosen", async () => {
  const server = startServer();
  const first = open(server).keeper;
  const second = open(server).keeper;
  first.change(named("first"));
  await vi.runAllTimersAsync();
  second.change(named("second"));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(second.getState().status).toBe("conflict");
  second.change(named("second, typed on"));
  await vi.advanceTimersByTimeAsync(10_000);
  expect(server.stored).toEqual(["first"]);
  await second.overwrite();
  expect(server.stored).toEqual(["first", "second, typed on"]);
  expect(second.getState().status).toBe("stored");
});

it("nothing is stored while the action is saved, and nothing is left after it", async () => {
  const server = startServer();
  const { keeper } = open(server);
  keeper.change(named("typed"));
  await keeper.pause();
  await vi.runAllTimersAsync();
  expect(server.stored).toEqual([]);
  keeper.forget();
  keeper.resume();
  await vi.runAllTimersAsync();
  expect(server.stored).toEqual([]);
  expect(tab.size).toBe(0);
  expect(keeper.getState().status).toBe("none");
});

it.each([
  ["nothing was typed", async () => {}],
  ["a draft waits", async (keeper: DraftKeeper) => keeper.change(named("typed"))],
  [
    "a draft is stored",
    async (keeper: DraftKeeper) => {
      keeper.change(named("typed"));
      await vi.runAllTimersAsync();
    },
  ],
  [
    "a draft is on its way",
    async (keeper: DraftKeeper) => {
      keeper.change(named("typed"));
      vi.advanceTimersByTime(800);
    },
  ],
])("a new action leaves no draft, and nothing stores one afterwards: %s", async (_when, type) => {
  const server = startServer();
  const { keeper } = open(server);
  await type(keeper);
  const wanted = { draft: { ...newDraft, name: "saved" }, version: null };
  expect(await keeper.hand(wanted)).toBe(server.clockMs);
  expect(server.stored.at(-1)).toBe("saved");
  // The service takes it.
  server.draft = null;
  keeper.end();
  keeper.resume();
  // The page knows of the save one turn later.
  keeper.change({ ...wanted, version: 1 });
  await keeper.flush();
  await vi.runAllTimersAsync();
  expect(server.draft).toBeNull();
  expect(tab.size).toBe(0);
  expect(keeper.getState().status).toBe("none");
  expect(open(server).start.draft.name).toBe("");
});

it("a new action whose draft the server doesn't take can be saved, and an unsaved one is kept", async () => {
  const server = startServer();
  const { keeper } = open(server);
  const wanted = { draft: { ...newDraft, name: "a" }, version: null };
  server.isThere = false;
  expect(await keeper.hand(wanted)).toBeNull();
  // The save fails too.
  server.isThere = true;
  keeper.resume();
  await vi.runAllTimersAsync();
  expect(server.stored).toEqual(["a"]);
  expect(keeper.getState().status).toBe("stored");
});

it("a draft of another form is left out", () => {
  expect(readStoredDraft(JSON.stringify(newDraft))).toEqual(newDraft);
  expect(readStoredDraft('{"name":"x"}')).toBeNull();
});
