import { describe, expect, it } from "vitest";
import { withApi } from "#lib/web/testing/with-api.ts";

const api = withApi();
const { send } = api;

const { createHook: create, openSecrets } = api;

describe("GET /hooks", () => {
  it("lists all hooks newest first, each once, even while new ones arrive", async () => {
    const other = await api.createAccount("paging");
    const made: string[] = [];
    const createOne = async () => {
      const { body } = await api.call("POST", "/api/v1/hooks", {
        token: other.token,
        body: { name: "n" },
      });
      made.unshift(body.id);
    };
    for (let n = 0; n < 5; n += 1) await createOne();
    const expected = [...made];
    const seen: string[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const from: string = cursor === "" ? "" : `&cursor=${cursor}`;
      const { body } = await api.call("GET", `/api/v1/hooks?limit=2${from}`, {
        token: other.token,
      });
      seen.push(...body.data.map((hook: { id: string }) => hook.id));
      cursor = body.nextCursor;
      await createOne();
    }
    expect(seen).toEqual(expected);
  });

  it.each([
    "limit=0",
    "limit=201",
    "limit=x",
    "cursor=x",
    "cursor=AAAA",
    "order=asc",
    "limit=1&limit=2",
  ])("?%s is rejected", async (query) =>
    expect((await send("GET", `/hooks?${query}`)).status).toBe(400),
  );
});

describe("PATCH /hooks/{id}", () => {
  it("changes only the given fields", async () => {
    const hook = await create({ response: { body: "ok" } });
    const { body } = await send("PATCH", `/hooks/${hook.id}`, {
      name: "New",
      methods: ["POST", "PUT"],
    });
    expect(body).toMatchObject({
      name: "New",
      methods: ["POST", "PUT"],
      response: { status: 200, body: "ok" },
    });
    expect(body.catchUrl).toBe(hook.catchUrl);
    expect(Date.parse(body.updatedAt)).toBeGreaterThan(Date.parse(hook.updatedAt));
    expect((await send("PATCH", `/hooks/${hook.id}`, { response: null })).body.response).toBeNull();
  });

  it("rules that were the provider's own follow the provider, others stay", async () => {
    const hook = await create({ eventType: { from: "header", name: "X-Mine" } });
    const { body } = await send("PATCH", `/hooks/${hook.id}`, { provider: "github" });
    expect(body.dedupe).toEqual({ from: "header", name: "x-github-delivery" });
    expect(body.eventType).toEqual({ from: "header", name: "x-mine" });
  });

  it("a hook only stops verifying if the same request deletes its secrets", async () => {
    const hook = await create({ provider: "stripe", signingSecret: "whsec_0123456789" });
    const refused = await send("PATCH", `/hooks/${hook.id}`, { provider: "generic" });
    expect([refused.status, refused.body.errors[0].path]).toEqual([400, "signingSecret"]);
    expect(await openSecrets(hook.id)).toEqual(["whsec_0123456789"]);
    const { body } = await send("PATCH", `/hooks/${hook.id}`, {
      provider: "generic",
      signingSecret: null,
    });
    expect(body).toMatchObject({ provider: "generic", secretHint: null });
    expect(await openSecrets(hook.id)).toEqual([]);
  });

  it("replay protection follows the provider until the hook sets it, and needs something signed", async () => {
    const hook = await create({ provider: "mailgun" });
    expect(hook.replayProtection).toBe(true);
    const change = (fields: object) => send("PATCH", `/hooks/${hook.id}`, fields);
    expect((await change({ provider: "github" })).body.replayProtection).toBe(false);
    expect((await change({ replayProtection: true })).body.replayProtection).toBe(true);
    expect((await change({ replayProtection: null })).body.replayProtection).toBe(false);
    for (const fields of [{ provider: "gitlab" }, { provider: "generic", signingSecret: null }]) {
      const refused = await change({ ...fields, replayProtection: true });
      expect([refused.status, refused.body.errors[0].path]).toEqual([400, "replayProtection"]);
    }
  });

  it("a kept secret must match the new scheme as on create, with the same warnings", async () => {
    const hook = await create({ provider: "stripe", signingSecret: "whsec_0123456789" });
    const change = (fields: object) => send("PATCH", `/hooks/${hook.id}`, fields);
    const mac = (decode: string) => ({
      kind: "mac",
      mac: "hmac",
      hash: "sha256",
      encoding: "hex",
      signature: { sources: [{ from: "header", name: "x-signature" }], format: { type: "bare" } },
      signed: { template: "{body}" },
      secret: { decode },
    });
    for (const fields of [
      { provider: "adyen" },
      { provider: "google-pubsub" },
      { provider: "custom", verification: mac("hex") },
    ]) {
      const refused = await change(fields);
      expect([refused.status, refused.body.errors[0].path]).toEqual([400, "signingSecret"]);
      expect(refused.body.detail).not.toContain("whsec_0123456789");
    }
    expect((await change({ provider: "custom", verification: mac("utf8") })).status).toBe(200);
    expect((await change({ verification: mac("hex") })).body.errors[0].path).toBe("signingSecret");
    expect((await change({ verification: mac("hex"), signingSecret: "00ff" })).status).toBe(200);
    expect((await change({ provider: "stripe" })).body.warnings[0]).toContain('"whsec_"');
    expect(await openSecrets(hook.id)).toEqual(["00ff"]);
  });

  it("secrets can be deleted without a new one: then everything is rejected, or pending until there is one", async () => {
    const hook = await create({ provider: "stripe", signingSecret: "whsec_0123456789" });
    const none = await send("PATCH", `/hooks/${hook.id}`, {
      provider: "github",
      signingSecret: null,
    });
    expect(none.body).toMatchObject({ status: "active", secrets: [] });
    expect(none.body.warnings[0]).toContain("rejects every delivery");
    const waiting = await send("PATCH", `/hooks/${hook.id}`, { status: "pending" });
    expect(waiting.body.status).toBe("pending");
  });

  it("a signingSecret replaces all others at once", async () => {
    const hook = await create({ provider: "stripe", signingSecret: "whsec_0123456789" });
    const { body } = await send("PATCH", `/hooks/${hook.id}`, {
      signingSecret: "whsec_abcdefghij",
    });
    expect(body.secretHint).toBe("ghij");
    expect(await openSecrets(hook.id)).toEqual(["whsec_abcdefghij"]);
  });

  it("a rejected change changes nothing", async () => {
    const hook = await create({ provider: "stripe", signingSecret: "whsec_0123456789" });
    const response = await send("PATCH", `/hooks/${hook.id}`, { name: "New", provider: "custom" });
    expect(response.status).toBe(400);
    expect((await send("GET", `/hooks/${hook.id}`)).body).toMatchObject({
      name: "Orders",
      provider: "stripe",
    });
  });
});

describe("pause, resume, delete", () => {
  it("pause and resume set the status, as often as requested", async () => {
    const hook = await create();
    for (const [verb, status] of [
      ["pause", "paused"],
      ["pause", "paused"],
      ["resume", "active"],
      ["resume", "active"],
    ]) {
      const response = await send("POST", `/hooks/${hook.id}/${verb}`);
      expect([response.status, response.body.status]).toEqual([200, status]);
    }
    expect((await send("PATCH", `/hooks/${hook.id}`, { status: "disabled" })).body.status).toBe(
      "disabled",
    );
  });

  it("pausing a disabled hook doesn't make it accept deliveries again", async () => {
    const hook = await create();
    await send("PATCH", `/hooks/${hook.id}`, { status: "disabled" });
    expect((await send("POST", `/hooks/${hook.id}/pause`)).status).toBe(409);
    expect((await send("GET", `/hooks/${hook.id}`)).body.status).toBe("disabled");
  });

  it("a deleted hook disappears at once, with its actions, deliveries, and secrets", async () => {
    const hook = await create({ provider: "stripe", signingSecret: "whsec_0123456789" });
    const response = await send("DELETE", `/hooks/${hook.id}`);
    expect([response.status, response.text]).toEqual([204, ""]);
    for (const [method, path] of [
      ["GET", ""],
      ["PATCH", ""],
      ["DELETE", ""],
      ["GET", "/actions"],
      ["POST", "/pause"],
    ] as const) {
      expect(
        (await send(method, `/hooks/${hook.id}${path}`, method === "PATCH" ? {} : undefined))
          .status,
      ).toBe(404);
    }
    expect(await openSecrets(hook.id)).toEqual([]);
  });

  it("other processes are notified of every change", async () => {
    const heard: string[] = [];
    const { Client } = await import("pg");
    const client = new Client({ connectionString: api.url });
    await client.connect();
    client.on("notification", ({ payload }) => heard.push(payload ?? ""));
    await client.query("listen hook_changed");
    const hook = await create({ provider: "stripe" });
    await send("POST", `/hooks/${hook.id}/secrets`, { secret: "whsec_0123456789" });
    await expect.poll(() => heard.filter((id) => id === hook.id).length).toBeGreaterThanOrEqual(2);
    await client.end();
  });
});

const request = { method: "POST", url: "https://a.example.com/", body: {} };

async function addAction(hookId: string): Promise<string> {
  const { body } = await send("POST", `/hooks/${hookId}/actions`, { name: "a", request });
  return body.id;
}

it("an action of the hook can reply, and what is wrong is said with its path", async () => {
  const [hook, other] = [await create({}), await create({})];
  const [actionId, foreign] = [await addAction(hook.id), await addAction(other.id)];
  const patch = (reply: unknown) => send("PATCH", `/hooks/${hook.id}`, { reply });
  const saved = await patch({ actionId, body: "{{ steps.call.body.id }}" });
  expect(saved.status).toBe(200);
  expect(saved.body.reply).toEqual({
    actionId,
    waitSeconds: 10,
    status: 200,
    headers: {},
    body: "{{ steps.call.body.id }}",
    onFailure: null,
  });
  const pathOf = async (reply: object) => {
    const { status, body } = await patch(reply);
    return [status, body.code, body.errors?.[0]?.path];
  };
  expect(await pathOf({ actionId: foreign })).toEqual([400, "invalid_request", "reply.actionId"]);
  expect(await pathOf({ actionId, waitSeconds: 31 })).toEqual([
    400,
    "invalid_request",
    "reply.waitSeconds",
  ]);
  const broken = { actionId, body: "{{ id" };
  expect(await pathOf(broken)).toEqual([400, "template_invalid", "reply.body"]);
  const inFailure = { actionId, onFailure: { headers: { "x-a": "{% if %}" } } };
  expect(await pathOf(inFailure)).toEqual([400, "template_invalid", "reply.onFailure.headers.x-a"]);
  expect((await send("GET", `/hooks/${hook.id}`)).body.reply.body).toBe("{{ steps.call.body.id }}");
  expect((await patch(null)).body.reply).toBeNull();
});
