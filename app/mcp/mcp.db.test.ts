import { describe, expect, it } from "vitest";
import { readStoredDraft } from "#components/actions/stored/read-stored-draft.ts";
import { endRuns, readRuns } from "#lib/db/testing/test-runs.ts";
import { readScopes } from "#lib/schema/account/scopes.ts";
import { findDraft } from "#lib/services/drafts.ts";
import type { UserActor } from "#lib/services/frame/actor.ts";
import { serviceContext } from "#lib/services/frame/server-context.ts";
import { tools } from "#lib/web/mcp/tools/tools.ts";
import { addToken, callTool, connectMcp, eras } from "#lib/web/testing/mcp-clients.ts";
import { storeDelivery } from "#lib/web/testing/test-api.ts";
import { withApi } from "#lib/web/testing/with-api.ts";

const api = withApi();

/** A delivery whose run has failed, because the action reads a field that isn't there. */
async function addFailure() {
  const hook = await api.createHook();
  const request = {
    ...{ method: "POST", url: "https://crm.example.com/orders" },
    body: { email: "{{ payload.customer.mail }}" },
  };
  const actionId = await api.createAction(hook.id, { name: "Post order", request });
  const text = JSON.stringify({ customer: { email: "ada@example.com" }, total: 4711 });
  const deliveryId = await storeDelivery(api.db, api.account.id, hook.id, {
    text,
    eventType: "order",
  });
  const runs = await readRuns(api.db, { deliveryId });
  const failed = { reasonCode: "mapping_failed", reasonDetail: "customer.mail isn't there." };
  await endRuns(
    api.db,
    runs.map(({ id }) => id),
    { state: "failed", ...failed },
  );
  return { hookId: hook.id as string, actionId, deliveryId };
}

describe.for(eras)("a client of the version %s", (era) => {
  it(
    "finds a failure, explains it, tries a corrected mapping, proposes it, and replays once a person " +
      "agrees",
    async () => {
      const { hookId, actionId, deliveryId } = await addFailure();
      const member = await addToken(api, "member");
      const asked: string[] = [];
      let isAgreed = false;
      const reply = (question: string) => {
        asked.push(question);
        return isAgreed;
      };
      const client = await connectMcp({ token: member.token, era, reply });
      expect(client.getInstructions()).toContain("untrusted");
      const found = await callTool(client, "search_deliveries", { hookId, runs: "failed" });
      expect(found.data.untrusted.deliveries).toMatchObject([{ id: deliveryId, runs: "1 failed" }]);
      const told = await callTool(client, "why", { deliveryId });
      expect(told.data.untrusted.reasons).toMatchObject([{ actionId, code: "failed" }]);
      expect(told.text).toContain("customer.mail isn't there.");
      const outline = await callTool(client, "get_delivery", { id: deliveryId });
      expect(outline.data.untrusted.outline).toContain('customer.email: "ada@example.com"');
      const value = { id: deliveryId, part: "payload", path: "customer" };
      expect((await callTool(client, "get_delivery", value)).data.untrusted.text).toBe(
        '{"email":"ada@example.com"}',
      );
      const action = await callTool(client, "get_action", { id: actionId });
      const draft = {
        request: { ...action.data.request, body: { email: "{{ payload.customer.email }}" } },
      };
      delete draft.request.auth;
      for (const name of ["bodyText", "multipart", "forward", "destinationId"])
        if (draft.request[name] === null) delete draft.request[name];
      const saved = await callTool(client, "preview_mapping", { actionId, deliveryId });
      expect(saved.data.ok).toBe(false);
      const tried = await callTool(client, "preview_mapping", { actionId, deliveryId, draft });
      expect(tried.data).toMatchObject({ ok: true });
      expect(tried.data.untrusted.request).toContain('{"email":"ada@example.com"}');

      const proposed = await callTool(client, "propose_mapping", { actionId, draft });
      expect(proposed.data.url).toBe(`https://hooks.example.test/actions/${actionId}`);
      const session = { email: "ada@example.com", sessionId: "", maskedFields: [] };
      const { userId } = member;
      const person: UserActor = {
        ...{ type: "user", accountId: api.account.id, userId, role: "member", ...session },
      };
      const stored = await findDraft(serviceContext(person), { hookId, actionId });
      const opened = readStoredDraft(stored?.content ?? "");
      expect(JSON.stringify(opened)).toContain("{{ payload.customer.email }}");
      expect(opened?.name).toBe("Post order");
      const again = await callTool(client, "propose_mapping", { actionId, draft });
      expect(again).toMatchObject({
        isError: true,
        text: expect.stringContaining("unsaved draft"),
      });
      expect((await api.send("GET", `/actions/${actionId}`)).body.version).toBe(1);

      const open = () => api.db.queuedRun.count({ where: { deliveryId } });
      const unseen = await callTool(client, "replay", { deliveryIds: [deliveryId], dryRun: false });
      expect(unseen).toMatchObject({
        isError: true,
        text: expect.stringContaining("dry run first"),
      });
      const dry = await callTool(client, "replay", { deliveryIds: [deliveryId] });
      expect(dry.data.deliveries).toMatchObject([{ id: deliveryId, runs: [{ status: "failed" }] }]);
      const run = { deliveryIds: [deliveryId], dryRun: false, confirm: dry.data.confirm };
      const other = { ...run, deliveryIds: [(await addFailure()).deliveryId] };
      expect((await callTool(client, "replay", other)).text).toContain("of another selection");
      if (era === "2026-07-28") {
        expect((await callTool(client, "replay", run)).data).toMatchObject({ replayed: 0 });
        isAgreed = true;
      }
      expect(await open()).toBe(0);
      expect((await callTool(client, "replay", run)).data).toMatchObject({ replayed: 1 });
      expect(await open()).toBe(1);
      // Clients of 2025 have no one to ask over a stateless connection: they ask before each call.
      expect(asked).toHaveLength(era === "2025" ? 0 : 2);
      await client.close();
    },
  );

  it("retries the failed runs of a filter as one job", async () => {
    const { hookId } = await addFailure();
    const client = await connectMcp({ token: api.account.token, era });
    const failed = { hookId };
    const dry = await callTool(client, "replay", { failed });
    expect(dry.data.runs).toBe(1);
    const done = await callTool(client, "replay", {
      failed,
      dryRun: false,
      confirm: dry.data.confirm,
    });
    expect(done.data.total).toBe(1);
    expect((await api.send("GET", `/bulk-jobs/${done.data.jobId}`)).body.kind).toBe("retry");
    await client.close();
  });

  it("a token that only reads changes nothing, and is told which scope it lacks", async () => {
    const { hookId, actionId, deliveryId } = await addFailure();
    const client = await connectMcp({
      token: (await addToken(api, "owner", readScopes)).token,
      era,
    });
    const draft = { filter: null };
    const calls = {
      replay: { deliveryIds: [deliveryId] },
      propose_mapping: { actionId, draft },
      backtest_mapping: { actionId, draft },
      publish_event: { type: "a.b", data: {} },
    };
    for (const [name, args] of Object.entries(calls))
      expect([name, await callTool(client, name, args)]).toMatchObject([
        name,
        {
          isError: true,
          text: expect.stringMatching(/^forbidden: This API token needs the scope \w+:write\.$/),
        },
      ]);
    expect((await callTool(client, "search_deliveries", { hookId })).isError).toBe(false);
    expect(
      (await callTool(client, "preview_mapping", { actionId, deliveryId, draft })).isError,
    ).toBe(false);
    const poor = await connectMcp({
      token: (await addToken(api, "owner", ["events:read"])).token,
      era,
    });
    expect((await callTool(poor, "list_hooks")).text).toContain("hooks:read");
    expect((await callTool(poor, "whoami")).data.token.scopes).toEqual(["events:read"]);
    await Promise.all([client.close(), poor.close()]);
  });

  it("lists the fifteen tools with what they do, in the same order, and refuses what they don't know", async () => {
    const client = await connectMcp({ token: api.account.token, era });
    const { tools: listed } = await client.listTools();
    expect(listed.map(({ name }) => name)).toEqual([
      ...["whoami", "search_deliveries", "get_delivery", "why", "list_problems", "list_hooks"],
      ...["get_hook", "get_action", "preview_mapping", "backtest_mapping", "propose_mapping"],
      ...["replay", "publish_event", "wait_for_event", "search_docs"],
    ]);
    const changing = listed.filter(({ annotations }) => annotations?.readOnlyHint !== true);
    expect(changing.map(({ name, annotations }) => [name, annotations?.destructiveHint])).toEqual([
      ["backtest_mapping", false],
      ["propose_mapping", false],
      ["replay", true],
      ["publish_event", true],
    ]);
    for (const { inputSchema } of listed)
      expect(inputSchema).toMatchObject({ additionalProperties: false });
    const wrong = await callTool(client, "whoami", { password: "x" });
    expect(wrong).toMatchObject({ isError: true, text: expect.stringContaining("password") });
    expect((await callTool(client, "get_hook", { id: "nope" })).text).toMatch(/^not_found: /);
    await client.close();
  });

  it("waits for what comes, each once, also if it was stored between two calls", async () => {
    const client = await connectMcp({ token: api.account.token, era });
    const hook = await api.createHook();
    const store = () => storeDelivery(api.db, api.account.id, hook.id, {});
    const wait = (cursor: string, timeoutSeconds = 20) =>
      callTool(client, "wait_for_event", { hookId: hook.id, cursor, timeoutSeconds });
    await store();
    const started = await callTool(client, "wait_for_event", {
      hookId: hook.id,
      timeoutSeconds: 0,
    });
    expect(started.data.untrusted.deliveries).toEqual([]);
    const between = await store();
    const first = await wait(started.data.cursor);
    expect(first.data.untrusted.deliveries).toMatchObject([{ id: between }]);
    const waiting = wait(first.data.cursor);
    const later = await store();
    const second = await waiting;
    expect(second.data.untrusted.deliveries).toMatchObject([{ id: later }]);
    expect((await wait(second.data.cursor, 0)).data.untrusted.deliveries).toEqual([]);
    const type = "order.shipped";
    const since = await callTool(client, "wait_for_event", { source: "events", timeoutSeconds: 0 });
    const published = await callTool(client, "publish_event", { type, data: { id: 1 } });
    const seen = { source: "events", type, cursor: since.data.cursor };
    expect((await callTool(client, "wait_for_event", seen)).data.untrusted.events).toMatchObject([
      { id: published.data.id, type },
    ]);
    await client.close();
  });
});

it("gives no credential to a draft, and takes none from one", async () => {
  const { actionId } = await addFailure();
  const client = await connectMcp({ token: (await addToken(api, "member")).token });
  const request = { method: "POST", url: "https://crm.example.com/orders" };
  const draft = { request: { ...request, auth: { type: "bearer", token: "s3cret" } } };
  expect((await callTool(client, "propose_mapping", { actionId, draft })).text).toMatch(
    /draft\.request\.auth: can't be given here/,
  );
  await api.send("PATCH", `/actions/${actionId}`, draft);
  const shown = await callTool(client, "get_action", { id: actionId });
  expect(shown.data.request.auth).toEqual({ type: "bearer" });
  expect(shown.text).not.toContain("cret");
  await client.close();
});

it("every tool has a scope's words in its description", () => {
  for (const { description, permissions } of tools)
    expect(description.includes("Needs ")).toBe(permissions.length > 0);
});
