import Stripe from "stripe";
import { describe, expect, it } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { sealHookSecret } from "#lib/core/verify/hook/hook-secrets.ts";
import { addHookSecret } from "#lib/db/hooks/hook-secrets.ts";
import { storeDelivery } from "#lib/web/testing/test-api.ts";
import { withApi } from "#lib/web/testing/with-api.ts";

const api = withApi();
const { send } = api;

const secret = "whsec_0123456789";
const create = async (input: Record<string, unknown>) =>
  (await send("POST", "/hooks", { name: "n", ...input })).body;

/** Stores a delivery as the catch path does for a hook that awaits its secret. */
function keep(hookId: string, text: string, signedWith = secret): Promise<string> {
  const signature = Stripe.webhooks.generateTestHeaderString({ payload: text, secret: signedWith });
  return storeDelivery(api.db, api.account.id, hookId, {
    text,
    status: "pending",
    verificationOutcome: "pending",
    headersJson: JSON.stringify([["Stripe-Signature", signature]]),
  });
}

describe("a hook that awaits its secret", () => {
  it("is created with status pending, says how long it waits, and is active with its first secret", async () => {
    const hook = await create({ provider: "stripe", status: "pending" });
    expect(hook.status).toBe("pending");
    expect(Date.parse(hook.pending.until) - Date.parse(hook.pending.since)).toBe(7 * 86_400_000);
    expect(hook.warnings.join()).toContain("stored unverified");
    const rotated = await send("POST", `/hooks/${hook.id}/secrets`, { secret });
    expect(rotated.body).toMatchObject({ status: "active", pending: null, warnings: [] });
    const patched = await create({ provider: "stripe", status: "pending" });
    const response = await send("PATCH", `/hooks/${patched.id}`, { signingSecret: secret });
    expect(response.body).toMatchObject({ status: "active", pending: null });
  });

  it("is the default only for providers that send the secret themselves", async () => {
    expect((await create({ provider: "stripe" })).status).toBe("active");
    expect((await create({ provider: "asana" })).status).toBe("pending");
    expect((await create({ provider: "notion", status: "active" })).status).toBe("active");
    expect((await create({ provider: "asana", signingSecret: "given before" })).status).toBe(
      "active",
    );
  });

  it.each<[string, Record<string, unknown>]>([
    ["has its secret", { provider: "stripe", signingSecret: secret }],
    ["verifies nothing", {}],
    ["verifies nothing by name", { provider: "generic" }],
  ])("one that %s has nothing to wait for", async (_name, input) => {
    const refused = await send("POST", "/hooks", { name: "n", status: "pending", ...input });
    expect([refused.status, refused.body.errors[0].path]).toEqual([400, "status"]);
    const hook = await create(input);
    const patched = await send("PATCH", `/hooks/${hook.id}`, { status: "pending" });
    expect([patched.status, patched.body.errors[0].path]).toEqual([400, "status"]);
  });

  it("can be set to pending once more, without extending the time", async () => {
    const hook = await create({ provider: "stripe" });
    const told = await send("PATCH", `/hooks/${hook.id}`, { status: "pending" });
    expect(told.body.status).toBe("pending");
    const again = await send("PATCH", `/hooks/${hook.id}`, { status: "pending", name: "other" });
    expect(again.body.pending).toEqual(told.body.pending);
    const generic = await send("PATCH", `/hooks/${hook.id}`, {
      provider: "generic",
      signingSecret: null,
    });
    expect(generic.body).toMatchObject({ status: "active", pending: null });
  });

  it("waits for everything that its provider needs, not only for a secret", async () => {
    const hook = await create({ provider: "stripe", status: "pending" });
    const paused = await send("POST", `/hooks/${hook.id}/pause`);
    expect(paused.body).toMatchObject({ status: "paused", pending: { since: hook.pending.since } });
    expect((await send("POST", `/hooks/${hook.id}/resume`)).body.status).toBe("pending");
  });
});

describe("POST /hooks/{id}/verify-pending", () => {
  it("verifies pending deliveries and reports the results", async () => {
    const hook = await create({ provider: "stripe", status: "pending" });
    const kept = await keep(hook.id, '{"id":"evt_1"}');
    await keep(hook.id, '{"id":"evt_1"}');
    await keep(hook.id, '{"id":"evt_2"}', "whsec_of_another_hook");
    const early = await send("POST", `/hooks/${hook.id}/verify-pending`);
    expect([early.status, early.body.code]).toEqual([409, "conflict"]);
    await send("POST", `/hooks/${hook.id}/secrets`, { secret });
    const response = await send("POST", `/hooks/${hook.id}/verify-pending`);
    expect([response.status, response.body]).toEqual([
      200,
      { accepted: 1, duplicate: 1, rejected: 1, pending: 0 },
    ]);
    const shown = await send("GET", `/deliveries/${kept}`);
    expect(shown.body).toMatchObject({
      status: "accepted",
      eventId: "evt_1",
      verification: { outcome: "verified", scheme: "stripe" },
    });
  });
});

describe("GET /hooks/{id}/handshake-secret", () => {
  it("returns the provider's secret, and never a pasted one", async () => {
    const pasted = await create({ provider: "stripe", signingSecret: secret });
    const refused = await send("GET", `/hooks/${pasted.id}/handshake-secret`);
    expect([refused.status, refused.text.includes(secret)]).toEqual([404, false]);
    const hook = await create({ provider: "notion" });
    const owner = { id: newId(), accountId: api.account.id };
    await api.db.$transaction((tx) =>
      addHookSecret(tx, {
        ...sealHookSecret(api.context.sealer, owner, "secret_of_notion"),
        hookId: hook.id,
        origin: "handshake",
      }),
    );
    const response = await send("GET", `/hooks/${hook.id}/handshake-secret`);
    expect([response.body, response.headers.get("cache-control")]).toEqual([
      { secret: "secret_of_notion" },
      "no-store",
    ]);
    expect((await send("GET", `/hooks/${hook.id}`)).text).not.toContain("secret_of_notion");
  });
});

describe("a hook of the API", () => {
  it("shows the verify token for providers that need one", async () => {
    const meta = await create({ provider: "meta", signingSecret: secret });
    expect(meta.verifyToken).toBe(`catchment-${meta.catchUrl.split("/").at(-1)}`);
    expect((await create({ provider: "stripe", signingSecret: secret })).verifyToken).toBeNull();
  });

  it("splits batches by default", async () => {
    expect((await create({})).splitBatches).toBe(true);
    const whole = await create({ splitBatches: false });
    expect(whole.splitBatches).toBe(false);
    const patched = await send("PATCH", `/hooks/${whole.id}`, { splitBatches: true });
    expect(patched.body.splitBatches).toBe(true);
    const refused = await send("PATCH", `/hooks/${whole.id}`, { splitBatches: "yes" });
    expect([refused.status, refused.body.errors[0].path]).toEqual([400, "splitBatches"]);
  });
});
