import { describe, expect, it } from "vitest";
import { listProviders } from "#lib/core/catalog/catalog.ts";
import { withApi } from "#lib/web/testing/with-api.ts";

const api = withApi();
const { send } = api;

const { createHook: create, openSecrets } = api;

describe("POST /hooks", () => {
  it("a name is enough; everything else has the contract's default", async () => {
    const answer = await send("POST", "/hooks", { name: " Orders " });
    expect(answer.status).toBe(201);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.body).toMatchObject({
      name: "Orders",
      status: "active",
      provider: "generic",
      verification: null,
      dedupe: { from: "body", path: "id" },
      eventType: { from: "body", path: "type" },
      methods: ["POST"],
      response: null,
      secretHint: null,
      warnings: [],
    });
    expect(answer.body.catchUrl).toMatch(
      /^https:\/\/hooks\.example\.test\/catch\/acme\/[0-9a-z]{26}$/,
    );
    expect((await send("GET", `/hooks/${answer.body.id}`)).body).toMatchObject({
      catchUrl: answer.body.catchUrl,
    });
  });

  it("no two hooks share a key, and a prefix stands in front of it", async () => {
    const hooks = await Promise.all([
      create({ keyPrefix: "orders-eu" }),
      create({ keyPrefix: "orders-eu" }),
    ]);
    const [one, other] = hooks.map((hook) => hook.catchUrl);
    expect(one).toMatch(/\/orders-eu-[0-9a-z]{26}$/);
    expect(one).not.toBe(other);
  });

  it("a provider brings its own sources of id and type", async () => {
    expect(await create({ provider: "github", signingSecret: "0123456789abcdef" })).toMatchObject({
      dedupe: { from: "header", name: "x-github-delivery" },
      eventType: { from: "header", name: "x-github-event" },
    });
    expect((await create({ provider: "shopify" })).dedupe).toHaveLength(2);
    expect((await create({ provider: "stripe", dedupe: null })).dedupe).toBeNull();
  });

  it("the secret is sealed, shown as a hint only, and stray white space is warned of, not trimmed", async () => {
    const secret = "whsec_0123456789abcdef\n";
    const answer = await send("POST", "/hooks", {
      name: "Stripe",
      provider: "stripe",
      signingSecret: secret,
    });
    expect(answer.body.secretHint).toBe("def\n");
    expect(answer.body.warnings.join()).toContain("ends with a line break");
    expect(answer.text).not.toContain("0123456789");
    expect(await openSecrets(answer.body.id)).toEqual([secret]);
    const [row] = await api.db.hookSecret.findMany({ where: { hookId: answer.body.id } });
    expect(Buffer.from(row?.ciphertext ?? []).includes("0123456789")).toBe(false);
  });

  it("an unknown provider is answered with the one that was meant, and the list names all", async () => {
    const answer = await send("POST", "/hooks", { name: "n", provider: "strpie" });
    expect(answer.body.detail).toBe(
      "provider: is unknown. Did you mean `stripe`? GET /api/v1/providers lists all providers.",
    );
    const { data, nextCursor } = (await send("GET", "/providers")).body;
    expect(nextCursor).toBeNull();
    expect(data.map(({ id }: { id: string }) => id)).toEqual([
      "generic",
      "custom",
      ...listProviders().map(({ id }) => id),
    ]);
    expect(data.find(({ id }: { id: string }) => id === "stripe")).toMatchObject({
      name: "Stripe",
      secret: expect.stringContaining("whsec_"),
      where: expect.stringContaining("Webhooks"),
      settings: [],
      toleranceSeconds: 300,
      eventTypes: expect.arrayContaining(["checkout.session.completed"]),
    });
    expect(data.find(({ id }: { id: string }) => id === "plaid").settings[0]).toMatchObject({
      name: "clientId",
      isRequired: true,
    });
  });

  it("a hook's own window is kept while its provider signs a time, and dropped with it", async () => {
    const hook = await create({ provider: "stripe", toleranceSeconds: 900 });
    expect(hook.toleranceSeconds).toBe(900);
    const patch = async (body: object) =>
      (await send("PATCH", `/hooks/${hook.id}`, body)).body.toleranceSeconds;
    expect(await patch({ provider: "slack" })).toBe(900);
    expect(await patch({ toleranceSeconds: null })).toBeNull();
    expect(await patch({ toleranceSeconds: 60 })).toBe(60);
    expect(await patch({ provider: "github" })).toBeNull();
  });

  it("a hook's own rate limit is kept, changed and given up", async () => {
    const hook = await create({ ratePerSecond: 50 });
    expect(hook.ratePerSecond).toBe(50);
    const patch = async (body: object) =>
      (await send("PATCH", `/hooks/${hook.id}`, body)).body.ratePerSecond;
    expect(await patch({ name: "Renamed" })).toBe(50);
    expect(await patch({ ratePerSecond: null })).toBeNull();
    const refused = await send("PATCH", `/hooks/${hook.id}`, { ratePerSecond: 0 });
    expect([refused.status, refused.body.errors[0].path]).toEqual([400, "ratePerSecond"]);
  });

  it("a signing provider without a secret is made, and says that it refuses", async () => {
    const hook = await create({ provider: "stripe" });
    expect(hook.secretHint).toBeNull();
    expect(hook.warnings.join()).toContain("no signing secret yet");
  });

  it.each<[string, Record<string, unknown>, string]>([
    ["no name", { name: undefined }, "name"],
    ["a blank name", { name: "  " }, "name"],
    ["NUL in the name", { name: "a\u0000" }, "name"],
    ["half a surrogate pair", { name: "\ud800" }, "name"],
    ["an unknown field", { colour: "red" }, "colour"],
    ["an unknown field inside", { dedupe: { from: "content", x: 1 } }, "dedupe.x"],
    ["an unknown provider", { provider: "acme" }, "provider"],
    [
      "a window without a signed time",
      { provider: "github", toleranceSeconds: 60 },
      "toleranceSeconds",
    ],
    ["a window over a day", { provider: "stripe", toleranceSeconds: 86_401 }, "toleranceSeconds"],
    ["a prototype's name as provider", { provider: "__proto__" }, "provider"],
    ["custom without verification", { provider: "custom" }, "verification"],
    ["verification without custom", { verification: { kind: "bearer" } }, "verification"],
    ["a secret that nothing uses", { signingSecret: "0123456789" }, "signingSecret"],
    ["an empty secret", { provider: "stripe", signingSecret: "" }, "signingSecret"],
    ["a placeholder as secret", { provider: "stripe", signingSecret: "whsec_…" }, "signingSecret"],
    ["an API key as secret", { provider: "stripe", signingSecret: "sk_live_51H" }, "signingSecret"],
    ["a blank secret", { provider: "stripe", signingSecret: " \n" }, "signingSecret"],
    [
      "a secret that can't be decoded",
      { provider: "svix", signingSecret: "whsec_!!" },
      "signingSecret",
    ],
    ["no methods", { methods: [] }, "methods"],
    ["a method that can't be caught", { methods: ["TRACE"] }, "methods.0"],
    ["the same method twice", { methods: ["POST", "POST"] }, "methods"],
    ["an answer that is no success", { response: { status: 302 } }, "response.status"],
    [
      "a cookie in the answer",
      { response: { headers: { "Set-Cookie": "a=b" } } },
      "response.headers.Set-Cookie",
    ],
    [
      "a page as answer",
      { response: { headers: { "content-type": "text/html" } } },
      "response.headers.content-type",
    ],
    ["an answer over 4 KiB", { response: { body: "é".repeat(2049) } }, "response.body"],
    ["a body where none can be", { response: { status: 204, body: "x" } }, "response.body"],
    ["upper case in the URL", { keyPrefix: "Orders" }, "keyPrefix"],
    ["a slash in the URL", { keyPrefix: "a/b" }, "keyPrefix"],
    ["an operator as value", { name: { not: "" } }, "name"],
  ])("%s is refused with its path", async (_, body, path) => {
    const answer = await send("POST", "/hooks", { name: "x", ...body });
    expect(answer.status).toBe(400);
    expect(answer.headers.get("content-type")).toBe("application/problem+json");
    expect(answer.body).toMatchObject({ code: "invalid_request", status: 400 });
    expect(answer.body.errors.map((error: { path: string }) => error.path)).toContain(path);
  });

  it("a scheme spelled out is kept as it was given", async () => {
    const verification = { kind: "token", source: { from: "header", name: "x-key" } };
    const hook = await create({
      provider: "custom",
      verification,
      signingSecret: "0123456789abcdef",
    });
    expect(hook).toMatchObject({ provider: "custom", verification, secretHint: "cdef" });
  });
});

describe("GET /hooks", () => {
  it("walks all hooks newest first, each once, also while new ones arrive", async () => {
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
  ])("?%s is refused", async (query) =>
    expect((await send("GET", `/hooks?${query}`)).status).toBe(400),
  );
});

describe("PATCH /hooks/{id}", () => {
  it("changes what is given and leaves the rest", async () => {
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

  it("a hook stops verifying only where its secrets are deleted in the same breath", async () => {
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

  it("replay protection is the provider's until the hook says otherwise, and only where something is signed", async () => {
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

  it("a secret that stays has to fit the new scheme as one on create has to, and is warned of in the same way", async () => {
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

  it("secrets can be deleted without another: then all is refused, or kept until one is there", async () => {
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

  it("a refused change changes nothing", async () => {
    const hook = await create({ provider: "stripe", signingSecret: "whsec_0123456789" });
    const answer = await send("PATCH", `/hooks/${hook.id}`, { name: "New", provider: "custom" });
    expect(answer.status).toBe(400);
    expect((await send("GET", `/hooks/${hook.id}`)).body).toMatchObject({
      name: "Orders",
      provider: "stripe",
    });
  });
});

describe("pause, resume, delete", () => {
  it("pause and resume set the status, as often as asked", async () => {
    const hook = await create();
    for (const [verb, status] of [
      ["pause", "paused"],
      ["pause", "paused"],
      ["resume", "active"],
      ["resume", "active"],
    ]) {
      const answer = await send("POST", `/hooks/${hook.id}/${verb}`);
      expect([answer.status, answer.body.status]).toEqual([200, status]);
    }
    expect((await send("PATCH", `/hooks/${hook.id}`, { status: "disabled" })).body.status).toBe(
      "disabled",
    );
  });

  it("pausing a disabled hook does not make it take deliveries again", async () => {
    const hook = await create();
    await send("PATCH", `/hooks/${hook.id}`, { status: "disabled" });
    expect((await send("POST", `/hooks/${hook.id}/pause`)).status).toBe(409);
    expect((await send("GET", `/hooks/${hook.id}`)).body.status).toBe("disabled");
  });

  it("a deleted hook is gone at once, with its actions, deliveries and secrets", async () => {
    const hook = await create({ provider: "stripe", signingSecret: "whsec_0123456789" });
    const answer = await send("DELETE", `/hooks/${hook.id}`);
    expect([answer.status, answer.text]).toEqual([204, ""]);
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

  it("other processes hear of every change", async () => {
    const heard: string[] = [];
    const { Client } = await import("pg");
    const client = new Client({ connectionString: process.env.DATABASE_URL });
    await client.connect();
    client.on("notification", ({ payload }) => heard.push(payload ?? ""));
    await client.query("listen hook_changed");
    const hook = await create({ provider: "stripe" });
    await send("POST", `/hooks/${hook.id}/secrets`, { secret: "whsec_0123456789" });
    await client.query("select 1");
    await client.end();
    expect(heard.filter((id) => id === hook.id).length).toBeGreaterThanOrEqual(2);
  });
});
