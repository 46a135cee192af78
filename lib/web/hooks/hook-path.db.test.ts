import { describe, expect, it } from "vitest";
import { withApi } from "#lib/web/testing/with-api.ts";

const api = withApi();
const { send, createHook: create } = api;
const signed = { provider: "stripe", signingSecret: "whsec_0123456789abcdef" };

describe("path of a hook", () => {
  it("is the last segment of the catch URL, and a generated one returns with null", async () => {
    const hook = await create({ ...signed, path: "stripe" });
    expect(hook).toMatchObject({
      path: "stripe",
      catchUrl: "https://hooks.example.test/catch/acme/stripe",
      previousCatchUrls: [],
    });
    const { body } = await send("PATCH", `/hooks/${hook.id}`, { path: null });
    expect(body.catchUrl).toMatch(/\/catch\/acme\/[0-9a-z]{26}$/);
    expect(body.previousCatchUrls.map((url: { catchUrl: string }) => url.catchUrl)).toEqual([
      hook.catchUrl,
    ]);
    const { data } = (await send("GET", "/audit?limit=1")).body;
    expect(data[0]).toMatchObject({ event: "hook.updated" });
    expect(data[0].changes).toContainEqual({ path: "path", before: "stripe", after: null });
  });

  it("is taken while another hook of the account has it, or had it a while ago", async () => {
    const owner = await create({ ...signed, name: "Shop", path: "shop" });
    const attempt = { ...signed, name: "Other", path: "shop" };
    const taken = await send("POST", "/hooks", attempt);
    expect([taken.status, taken.body.errors]).toEqual([
      409,
      [expect.objectContaining({ path: "path", code: "conflict" })],
    ]);
    expect(taken.body.detail).toContain('belongs to the hook "Shop"');
    await send("PATCH", `/hooks/${owner.id}`, { path: "shop-2" });
    expect((await send("POST", "/hooks", attempt)).body.detail).toContain("where it works until");
    // It is still the owner's.
    expect((await send("PATCH", `/hooks/${owner.id}`, { path: "shop" })).status).toBe(200);
    await send("DELETE", `/hooks/${owner.id}`);
    expect((await send("POST", "/hooks", attempt)).status).toBe(201);
    const { token } = await api.createAccount("globex");
    expect((await send("POST", "/hooks", attempt, token)).status).toBe(201);
  });

  it.each([
    ["nothing that verifies", { path: "a" }, "verifies nothing"],
    ["a value that is no secret", { path: "a", provider: "strava" }, "isn't secret"],
    ["a provider that sends its secret", { path: "a", provider: "asana" }, "could send one"],
    ["keys for all customers", { path: "a", provider: "fireblocks" }, "signs for all"],
    ["upper case", { ...signed, path: "Stripe" }, "lowercase"],
    ["a slash", { ...signed, path: "a/b" }, "lowercase"],
    ["nothing in it", { ...signed, path: "" }, "1 to 64"],
    ["65 characters", { ...signed, path: "l".repeat(65) }, "1 to 64"],
    ["the looks of a generated key", { ...signed, path: `a-${"0".repeat(26)}` }, "generated"],
    ["a prefix", { ...signed, path: "a", keyPrefix: "b" }, "left out with path"],
  ])("can't have %s", async (_, body, detail) => {
    const response = await send("POST", "/hooks", { name: "x", ...body });
    expect([response.status, response.body.detail]).toEqual([400, expect.stringContaining(detail)]);
  });

  it("stays while the hook verifies, and goes before it stops", async () => {
    const hook = await create({ ...signed, path: "kept" });
    const unsigned = { provider: "generic", signingSecret: null };
    const rejected = await send("PATCH", `/hooks/${hook.id}`, unsigned);
    expect([rejected.status, rejected.body.detail]).toEqual([
      400,
      expect.stringContaining("path: must be null"),
    ]);
    expect(
      (
        await send("PATCH", `/hooks/${hook.id}`, {
          provider: "generic",
          signingSecret: null,
          path: null,
        })
      ).body,
    ).toMatchObject({ path: null, provider: "generic" });
  });

  it("changes at most ten times a day", async () => {
    const hook = await create({ ...signed, path: "p" });
    const patch = (path: string) => send("PATCH", `/hooks/${hook.id}`, { path });
    for (let n = 0; n < 10; n += 1) expect((await patch(`p${n}`)).status).toBe(200);
    expect((await patch("p10")).status).toBe(409);
    await send("DELETE", `/hooks/${hook.id}/previous-catch-urls`);
    expect((await patch("p10")).status).toBe(200);
  });
});
