import { beforeAll, describe, expect, it } from "vitest";
import { withApi } from "#lib/web/testing/with-api.ts";

const api = withApi();
const { send } = api;
let hookId: string;
beforeAll(async () => {
  hookId = (await api.createHook()).id;
});

const secret = "sk_live_0123456789abcdef";
const request = { method: "POST", url: "https://api.example.com/v1" };
const auth = { type: "bearer", token: secret };
const pause = { key: "pause", kind: "delay", ms: 1_000 };

const patch = async (id: string, change: object) => {
  const response = await send("PATCH", `/actions/${id}`, change);
  if (response.status !== 200) throw new Error(response.text);
  return response.body;
};
const versions = async (id: string) => (await send("GET", `/actions/${id}/versions`)).body.data;
const restore = (id: string, number: number) =>
  send("POST", `/actions/${id}/versions/${number}/restore`);

describe("versions of an action", () => {
  it("each save of what it does is one, with who, when, and what changed", async () => {
    const id = await api.createAction(hookId, { request });
    expect((await patch(id, { filter: { all: [{ path: "type", op: "exists" }] } })).version).toBe(
      2,
    );
    expect(
      (await patch(id, { timeoutMs: 5_000, rateLimit: { count: 5, perSeconds: 1 } })).version,
    ).toBe(3);
    expect(await versions(id)).toMatchObject([
      { number: 3, isCurrent: true, summary: "Added the rate limit. Changed the timeout." },
      { number: 2, isCurrent: false, summary: "Added the filter." },
      { number: 1, author: "API token test", summary: null, restoredFrom: null },
    ]);
    const { body } = await send("GET", `/actions/${id}/versions?limit=2`);
    const next = await send("GET", `/actions/${id}/versions?limit=2&cursor=${body.nextCursor}`);
    expect([body.data.length, next.body.data[0].number, next.body.nextCursor]).toEqual([
      2,
      1,
      null,
    ]);
    expect((await send("GET", `/actions/${id}/versions?cursor=x`)).status).toBe(400);
  });

  it("its name, its place, and an unchanged save make none", async () => {
    const id = await api.createAction(hookId, { request: { ...request, auth } });
    await patch(id, { name: "b", enabled: false, position: 4 });
    await patch(id, { request });
    expect((await patch(id, { filter: null, timeoutMs: 15_000 })).version).toBe(1);
    expect(await versions(id)).toHaveLength(1);
  });

  it("one has its content and the diff against the one before, without any secret", async () => {
    const id = await api.createAction(hookId, { request: { ...request, auth } });
    const body = { a: 1 };
    await patch(id, { request: { ...request, url: "https://api.example.com/v2", body } });
    await patch(id, { request: { ...request, body, auth: { ...auth, token: "another_one_42" } } });
    const second = await send("GET", `/actions/${id}/versions/2`);
    expect(second.body).toMatchObject({
      number: 2,
      summary: "Changed the URL. Added the body.",
      content: { request: { url: "https://api.example.com/v2", auth: { type: "bearer" } } },
      changes: [
        { path: "request.url", before: request.url, after: "https://api.example.com/v2" },
        { path: "request.body", before: null, after: body },
      ],
    });
    const third = await send("GET", `/actions/${id}/versions/3`);
    expect(third.body).toMatchObject({
      summary: "Changed the URL and the credentials.",
      changes: [{ path: "request.url" }, { path: "request.auth", isSecret: true }],
    });
    const stored = await api.db.actionVersion.findMany({ where: { actionId: id } });
    for (const text of [second.text, third.text, JSON.stringify(stored)]) {
      expect(text).not.toContain("0123456789");
      expect(text).not.toContain("another_one");
    }
    for (const number of ["4", "0", "x", "99999999999"])
      expect((await send("GET", `/actions/${id}/versions/${number}`)).status).toBe(404);
  });

  it("any two are compared, in both directions", async () => {
    const id = await api.createAction(hookId, { request, timeoutMs: 1_000 });
    await patch(id, { timeoutMs: 2_000 });
    await patch(id, { timeoutMs: 3_000 });
    const changes = async (number: number, query: string) =>
      (await send("GET", `/actions/${id}/versions/${number}${query}`)).body.changes;
    const timeout = (before: number, after: number) => [{ path: "timeoutMs", before, after }];
    expect(await changes(3, "")).toEqual(timeout(2_000, 3_000));
    expect(await changes(3, "?against=1")).toEqual(timeout(1_000, 3_000));
    expect(await changes(1, "?against=3")).toEqual(timeout(3_000, 1_000));
    expect(await changes(2, "?against=2")).toEqual([]);
    for (const against of ["4", "x"])
      expect((await send("GET", `/actions/${id}/versions/1?against=${against}`)).status).toBe(404);
  });

  it("one keeps the note of its save, and so does the audit log", async () => {
    const id = await api.createAction(hookId, { request });
    await patch(id, { timeoutMs: 2_000, note: " Sales asked for it. " });
    await patch(id, { timeoutMs: 3_000, note: "" });
    expect((await versions(id)).map(({ note }: { note: string | null }) => note)).toEqual([
      ...[null, "Sales asked for it.", null],
    ]);
    const { body } = await send("GET", `/audit?target=${id}&limit=2`);
    expect(body.data[1].changes).toContainEqual({ path: "note", after: "Sales asked for it." });
    const long = await send("PATCH", `/actions/${id}`, { note: "x".repeat(501) });
    expect([long.status, long.body.errors[0].path]).toEqual([400, "note"]);
  });

  it("one call and steps are compared as steps", async () => {
    const id = await api.createAction(hookId, { request });
    await patch(id, { steps: [pause, { key: "call", kind: "call", request }] });
    expect((await versions(id))[0].summary).toBe("Added step pause.");
  });

  it("a change that started from an older one is a conflict, and changes nothing", async () => {
    const id = await api.createAction(hookId, { request });
    await patch(id, { version: 1, timeoutMs: 2_000 });
    const late = await send("PATCH", `/actions/${id}`, {
      version: 1,
      name: "late",
      timeoutMs: 3_000,
    });
    expect([late.status, late.body.code]).toEqual([409, "conflict"]);
    expect(late.body.detail).toContain(
      "it is at version 2, and your change started from version 1",
    );
    expect((await send("GET", `/actions/${id}`)).body).toMatchObject({
      name: "a",
      timeoutMs: 2_000,
    });
    expect((await patch(id, { version: 2, timeoutMs: 3_000 })).version).toBe(3);
    expect((await send("PATCH", `/actions/${id}`, { version: 0 })).status).toBe(400);
  });

  it("of two changes at once from the same version, one is a conflict", async () => {
    const id = await api.createAction(hookId, { request });
    const both = await Promise.all(
      [2_000, 3_000].map((timeoutMs) => send("PATCH", `/actions/${id}`, { version: 1, timeoutMs })),
    );
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await versions(id)).toHaveLength(2);
  });
});

describe("restoring a version", () => {
  it("is a new version that does the same, and keeps the credentials of the same origin", async () => {
    const id = await api.createAction(hookId, { request: { ...request, auth }, timeoutMs: 4_000 });
    await patch(id, { steps: [pause, { key: "call", kind: "call", request }], timeoutMs: 9_000 });
    const { body } = await restore(id, 1);
    expect(body).toMatchObject({
      version: 3,
      timeoutMs: 4_000,
      steps: null,
      request: { ...request, auth: { type: "bearer", hint: "cdef" } },
      missingCredentials: [],
    });
    expect((await versions(id))[0]).toMatchObject({
      number: 3,
      restoredFrom: 1,
      author: "API token test",
      summary: "Changed the timeout. Removed step pause.",
    });
  });

  it("says which calls need their credentials again", async () => {
    const id = await api.createAction(hookId, { request: { ...request, auth } });
    const elsewhere = { method: "POST", url: "https://other.example.com", auth };
    await patch(id, { request: elsewhere });
    const { body } = await restore(id, 1);
    expect(body).toMatchObject({
      version: 3,
      request: { ...request, auth: null },
      missingCredentials: ["call"],
    });
  });

  it("removes credentials that the version didn't have", async () => {
    const id = await api.createAction(hookId, { request });
    await patch(id, { request: { ...request, auth } });
    expect((await restore(id, 1)).body).toMatchObject({
      request: { auth: null },
      missingCredentials: [],
    });
  });

  it("of the version in force changes nothing", async () => {
    const id = await api.createAction(hookId, { request });
    expect((await restore(id, 1)).body.version).toBe(1);
    expect((await restore(id, 2)).status).toBe(404);
  });
});
