import { beforeAll, expect, it } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { maxDraftBytes } from "#lib/schema/act/draft.ts";
import { deleteAction, saveDraft, updateAction } from "#lib/services/actions/write-actions.ts";
import type { UserActor } from "#lib/services/frame/actor.ts";
import { deleteHook } from "#lib/services/hooks/delete-hook.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { withApi } from "#lib/web/testing/with-api.ts";
import { discardDraft, findDraft, listDrafts, storeDraft } from "./drafts.ts";

const api = withApi();
let ada: UserActor;
let bob: UserActor;
let hookId: string;
beforeAll(async () => {
  ada = await addUser("ada");
  bob = await addUser("bob");
  hookId = (await api.createHook()).id;
});

async function addUser(name: string, accountId = api.account.id): Promise<UserActor> {
  const userId = newId();
  const email = `${name}-${userId}@example.com`;
  await api.db.user.create({ data: { id: userId, email, name, passwordHash: "x" } });
  await api.db.membership.create({ data: { accountId, userId, role: "member" } });
  const user = { type: "user", accountId, userId, email, role: "member" } as const;
  return { ...user, sessionId: newId(), maskedFields: [] };
}

const as = (actor: UserActor) => testContext(api.db, actor.accountId, { actor });
const text = (name: string) => JSON.stringify({ name });
const newAction = () => ({ hookId, actionId: null });

async function addAction() {
  return { hookId, actionId: await api.createAction(hookId) };
}

it("a draft is one person's, of one action or of a hook's new one", async () => {
  const place = await addAction();
  const input = { ...place, version: 1, revision: null };
  expect(await storeDraft(as(ada), { ...input, content: text("of ada") })).toMatchObject({
    ...{ isStored: true, revision: 1, currentVersion: 1 },
  });
  await storeDraft(as(bob), { ...input, content: text("of bob") });
  const ofNew = { ...newAction(), version: null, revision: null, content: text("new") };
  expect(await storeDraft(as(ada), ofNew)).toMatchObject({ currentVersion: null });
  expect(await findDraft(as(ada), place)).toMatchObject({ content: text("of ada"), version: 1 });
  expect(await findDraft(as(bob), place)).toMatchObject({ content: text("of bob") });
  expect(await findDraft(as(bob), newAction())).toBeNull();
  const listed = await listDrafts(as(ada), { hookId });
  expect(listed.map(({ actionId }) => actionId).toSorted()).toEqual([place.actionId, null]);
});

it("a draft is sealed, and so is everything typed in it", async () => {
  const place = await addAction();
  const content = JSON.stringify({ auth: { token: "token_of_the_receiver" } });
  await storeDraft(as(ada), { ...place, version: 1, revision: null, content });
  const row = await api.db.actionDraft.findFirst({ where: { actionId: place.actionId } });
  expect(Buffer.from(row?.content ?? []).toString("latin1")).not.toContain("token_of_the_receiver");
  expect((await findDraft(as(ada), place))?.content).toBe(content);
});

it("a tab can't overwrite what another one has stored, unless the person says so", async () => {
  const place = await addAction();
  const store = (revision: number | null, name: string) =>
    storeDraft(as(ada), { ...place, version: 1, revision, content: text(name) });
  await store(null, "first tab");
  expect(await store(null, "second tab")).toMatchObject({ isStored: false, revision: 1 });
  expect(await store(1, "second tab")).toMatchObject({ isStored: true, revision: 2 });
  expect(await store(1, "first tab")).toMatchObject({ isStored: false, revision: 2 });
  expect((await findDraft(as(ada), place))?.content).toBe(text("second tab"));
  // If two tabs store at once, one wins.
  const both = await Promise.all([store(2, "a"), store(2, "b")]);
  expect(both.map(({ isStored }) => isStored).toSorted()).toEqual([false, true]);
  // If a tab still has text after another one discarded the draft, the text is stored again.
  await discardDraft(as(ada), place);
  expect(await store(3, "typed on")).toMatchObject({ isStored: true });
});

it("storing says which version is in force, and keeps the one that the draft started from", async () => {
  const place = await addAction();
  const input = { ...place, version: 1, revision: null, content: text("x") };
  await updateAction(as(bob), { id: place.actionId, timeoutMs: 5_000 });
  expect(await storeDraft(as(ada), input)).toMatchObject({ currentVersion: 2 });
  expect(await findDraft(as(ada), place)).toMatchObject({ version: 1 });
});

it("saving the action removes only the person's own draft", async () => {
  const place = await addAction();
  for (const actor of [ada, bob])
    await storeDraft(as(actor), { ...place, version: 1, revision: null, content: text("x") });
  const request = { method: "POST", url: "https://example.com/saved" } as const;
  const saved = { formerKeys: {}, draftSavedAtMs: null, name: "a", request };
  await saveDraft(as(ada), { ...place, ...saved, version: 1 });
  expect(await findDraft(as(ada), place)).toBeNull();
  expect(await findDraft(as(bob), place)).not.toBeNull();
  const ofNew = { ...newAction(), version: null, content: text("new") };
  const before = await findDraft(as(ada), newAction());
  await storeDraft(as(ada), { ...ofNew, revision: before?.revision ?? null });
  await saveDraft(as(ada), { ...newAction(), ...saved });
  expect(await findDraft(as(ada), newAction())).toBeNull();
});

it("a draft of a new action is saved once: by one of two tabs, and by one of two requests", async () => {
  const hook = await api.createHook();
  const place = { hookId: hook.id, actionId: null };
  const request = { method: "POST", url: "https://example.com/saved" } as const;
  const save = (draftSavedAtMs: number) =>
    saveDraft(as(ada), { ...place, formerKeys: {}, draftSavedAtMs, name: "a", request });
  const outcomes = async (saves: readonly Promise<unknown>[]) =>
    (await Promise.allSettled(saves)).map(({ status }) => status).toSorted();
  const count = () => api.db.action.count({ where: { hookId: hook.id } });
  const store = async (revision: number | null, name: string) =>
    await storeDraft(as(ada), { ...place, version: null, revision, content: text(name) });

  const first = await store(null, "typed");
  expect(await outcomes([save(first.savedAtMs), save(first.savedAtMs)])).toEqual([
    "fulfilled",
    "rejected",
  ]);
  await expect(save(first.savedAtMs)).rejects.toMatchObject({
    ...{ code: "conflict", message: expect.stringContaining("already saved or discarded") },
  });
  expect(await count()).toBe(1);
  // The next draft has the same revision, and isn't taken for the first one.
  const next = await store(null, "the next one");
  expect(next.revision).toBe(first.revision);
  await expect(save(first.savedAtMs)).rejects.toMatchObject({
    ...{ code: "conflict", message: expect.stringContaining("changed in another tab") },
  });
  await save(next.savedAtMs);
  expect(await count()).toBe(2);
  expect(await findDraft(as(ada), place)).toBeNull();
});

it("drafts go with their action, their hook, and their person", async () => {
  const count = () => api.db.actionDraft.count({ where: { hookId: hook.id } });
  const hook = await api.createHook();
  const place = { hookId: hook.id, actionId: await api.createAction(hook.id) };
  const eve = await addUser("eve");
  const store = (actor: UserActor, at: { hookId: string; actionId: string | null }) =>
    storeDraft(as(actor), { ...at, version: null, revision: null, content: text("x") });
  await store(eve, place);
  await store(ada, place);
  await api.db.membership.deleteMany({ where: { userId: eve.userId } });
  expect(await count()).toBe(1);
  await deleteAction(as(ada), { id: place.actionId });
  expect(await count()).toBe(0);
  await expect(store(ada, place)).rejects.toMatchObject({ code: "not_found" });
  await store(ada, { hookId: hook.id, actionId: null });
  await deleteHook(as(ada), { id: hook.id });
  expect(await count()).toBe(0);
});

it("programs and other accounts have no drafts, and a draft has a limit", async () => {
  const place = await addAction();
  const input = { ...place, version: 1, revision: null, content: text("x") };
  const program = testContext(api.db, api.account.id);
  await expect(storeDraft(program, input)).rejects.toMatchObject({ code: "forbidden" });
  await expect(findDraft(program, place)).rejects.toMatchObject({ code: "forbidden" });
  const other = await addUser("mallory", (await api.createAccount("other")).id);
  await expect(storeDraft(as(other), input)).rejects.toMatchObject({ code: "not_found" });
  await expect(findDraft(as(other), place)).rejects.toMatchObject({ code: "not_found" });
  expect(await listDrafts(as(other), { hookId })).toEqual([]);
  const long = JSON.stringify({ name: "x".repeat(maxDraftBytes) });
  await expect(storeDraft(as(ada), { ...input, content: long })).rejects.toMatchObject({
    errors: [{ path: "content", message: "must have at most 512 KiB" }],
  });
});
