import { describe, expect, it } from "vitest";
import { listProviders } from "#lib/core/providers/catalog/catalog.ts";
import { withApi } from "#lib/web/testing/with-api.ts";

const api = withApi();
const { send } = api;

const { createHook: create, openSecrets } = api;

describe("POST /hooks", () => {
  it("a name is enough; everything else has the contract's default", async () => {
    const response = await send("POST", "/hooks", { name: " Orders " });
    expect(response.status).toBe(201);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.body).toMatchObject({
      name: "Orders",
      status: "active",
      provider: "generic",
      verification: null,
      dedupe: [
        { from: "event" },
        {
          from: "all",
          of: [{ from: "body", path: "id" }, { from: "request" }],
          withinSeconds: 86_400,
        },
        { from: "request", withinSeconds: 86_400 },
      ],
      eventType: { from: "body", path: "type" },
      methods: ["POST"],
      response: null,
      secretHint: null,
      warnings: [],
    });
    expect(response.body.catchUrl).toMatch(
      /^https:\/\/hooks\.example\.test\/catch\/acme\/[0-9a-z]{26}$/,
    );
    expect((await send("GET", `/hooks/${response.body.id}`)).body).toMatchObject({
      catchUrl: response.body.catchUrl,
    });
  });

  it("no two hooks share a key, and the prefix comes first", async () => {
    const hooks = await Promise.all([
      create({ keyPrefix: "orders-eu" }),
      create({ keyPrefix: "orders-eu" }),
    ]);
    const [one, other] = hooks.map((hook) => hook.catchUrl);
    expect(one).toMatch(/\/orders-eu-[0-9a-z]{26}$/);
    expect(one).not.toBe(other);
  });

  it("a provider determines the sources of id and type", async () => {
    expect(await create({ provider: "github", signingSecret: "0123456789abcdef" })).toMatchObject({
      dedupe: { from: "header", name: "x-github-delivery" },
      eventType: { from: "header", name: "x-github-event" },
    });
    expect((await create({ provider: "shopify" })).dedupe).toHaveLength(2);
    expect((await create({ provider: "stripe", dedupe: null })).dedupe).toBeNull();
  });

  it("the secret is sealed, shown as a hint only, and stray white space causes a warning, not trimming", async () => {
    const secret = "whsec_0123456789abcdef\n";
    const response = await send("POST", "/hooks", {
      name: "Stripe",
      provider: "stripe",
      signingSecret: secret,
    });
    expect(response.body.secretHint).toBe("def\n");
    expect(response.body.warnings.join()).toContain("ends with a line break");
    expect(response.text).not.toContain("0123456789");
    expect(await openSecrets(response.body.id)).toEqual([secret]);
    const [row] = await api.db.hookSecret.findMany({ where: { hookId: response.body.id } });
    expect(Buffer.from(row?.ciphertext ?? []).includes("0123456789")).toBe(false);
  });

  it("an unknown provider gets a suggestion, and the list contains all", async () => {
    const response = await send("POST", "/hooks", { name: "n", provider: "strpie" });
    expect(response.body.detail).toBe(
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

  it("an unknown provider is reported together with the other invalid fields", async () => {
    const provider = {
      path: "provider",
      code: "unknown_value",
      message: "is unknown. Did you mean `stripe`? GET /api/v1/providers lists all providers",
      name: "strpie",
    };
    const created = await send("POST", "/hooks", { name: "", provider: "strpie", a: 1 });
    expect(created.body.errors).toEqual([
      expect.objectContaining({ path: "name", code: "required" }),
      provider,
      expect.objectContaining({ path: "a", code: "unknown_field" }),
    ]);
    const { id } = await create({});
    const patched = await send("PATCH", `/hooks/${id}`, { provider: "strpie", methods: [] });
    expect(patched.body.errors).toEqual([
      provider,
      expect.objectContaining({ path: "methods", code: "too_short" }),
    ]);
  });

  it("a hook's own window stays while its provider signs a time, and is dropped with it", async () => {
    const hook = await create({ provider: "stripe", toleranceSeconds: 900 });
    expect(hook.toleranceSeconds).toBe(900);
    const patch = async (body: object) =>
      (await send("PATCH", `/hooks/${hook.id}`, body)).body.toleranceSeconds;
    expect(await patch({ provider: "slack" })).toBe(900);
    expect(await patch({ toleranceSeconds: null })).toBeNull();
    expect(await patch({ toleranceSeconds: 60 })).toBe(60);
    expect(await patch({ provider: "github" })).toBeNull();
  });

  it("a hook's own rate limit can be set, changed, and removed", async () => {
    const hook = await create({ ratePerSecond: 50 });
    expect(hook.ratePerSecond).toBe(50);
    const patch = async (body: object) =>
      (await send("PATCH", `/hooks/${hook.id}`, body)).body.ratePerSecond;
    expect(await patch({ name: "Renamed" })).toBe(50);
    expect(await patch({ ratePerSecond: null })).toBeNull();
    const refused = await send("PATCH", `/hooks/${hook.id}`, { ratePerSecond: 0 });
    expect([refused.status, refused.body.errors[0].path]).toEqual([400, "ratePerSecond"]);
  });

  it("a hook has its own retention and field search, unless they are left out", async () => {
    expect(await create({})).toMatchObject({
      ...{ retentionDays: null, retentionCount: null },
      ...{ fieldSearch: false, fieldSearchUntil: null },
    });
    const given = { retentionDays: 30, retentionCount: 1_000, fieldSearch: true };
    const hook = await create(given);
    expect(hook).toMatchObject(given);
    const { body } = await send("PATCH", `/hooks/${hook.id}`, { retentionDays: null });
    expect(body).toMatchObject({ ...given, retentionDays: null });
    for (const wrong of [{ retentionDays: 0 }, { retentionCount: 99 }, { fieldSearch: null }]) {
      const refused = await send("PATCH", `/hooks/${hook.id}`, wrong);
      expect([refused.status, refused.body.errors[0].path]).toEqual([400, Object.keys(wrong)[0]]);
    }
  });

  it("a signing provider without a secret is created, with a warning that it rejects", async () => {
    const hook = await create({ provider: "stripe" });
    expect(hook.secretHint).toBeNull();
    expect(hook.warnings.join()).toContain("no signing secret yet");
  });

  it.each<[string, Record<string, unknown>, string]>([
    ["no name", { name: undefined }, "name"],
    ["a blank name", { name: "  " }, "name"],
    ["NUL in the name", { name: "a\u0000" }, "name"],
    ["half a surrogate pair", { name: "\ud800" }, "name"],
    ["an unknown field", { hue: "red" }, "hue"],
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
    ["a response that is no success", { response: { status: 302 } }, "response.status"],
    [
      "a cookie in the response",
      { response: { headers: { "Set-Cookie": "a=b" } } },
      "response.headers.Set-Cookie",
    ],
    [
      "a page as response",
      { response: { headers: { "content-type": "text/html" } } },
      "response.headers.content-type",
    ],
    ["a response over 4 KiB", { response: { body: "é".repeat(2049) } }, "response.body"],
    ["a body where none can be", { response: { status: 204, body: "x" } }, "response.body"],
    ["upper case in the URL", { keyPrefix: "Orders" }, "keyPrefix"],
    ["a slash in the URL", { keyPrefix: "a/b" }, "keyPrefix"],
    ["an operator as value", { name: { not: "" } }, "name"],
  ])("%s is refused with its path", async (_, body, path) => {
    const response = await send("POST", "/hooks", { name: "x", ...body });
    expect(response.status).toBe(400);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    expect(response.body).toMatchObject({ code: "invalid_request", status: 400 });
    expect(response.body.errors.map((error: { path: string }) => error.path)).toContain(path);
  });

  it("a custom scheme is stored as given", async () => {
    const verification = { kind: "token", source: { from: "header", name: "x-key" } };
    const hook = await create({
      provider: "custom",
      verification,
      signingSecret: "0123456789abcdef",
    });
    expect(hook).toMatchObject({ provider: "custom", verification, secretHint: "cdef" });
  });
});
