import { describe, expect, it } from "vitest";
import { withApi } from "#lib/web/testing/with-api.ts";

const api = withApi();
const { send } = api;

const { createHook: create, openSecrets } = api;

describe("POST /hooks/{id}/secrets", () => {
  const rotate = (id: string, body: Record<string, unknown>) =>
    send("POST", `/hooks/${id}/secrets`, body);

  it("old and new both pass until the old expires", async () => {
    const hook = await create({ provider: "stripe", signingSecret: "whsec_old_0123456789" });
    const response = await rotate(hook.id, {
      secret: "whsec_new_abcdefghij",
      expirePreviousAfterSeconds: 3600,
    });
    expect(response.status).toBe(201);
    expect(response.body.secretHint).toBe("ghij");
    expect(response.body.secrets.map((secret: { hint: string }) => secret.hint)).toEqual([
      "ghij",
      "6789",
    ]);
    const [, old] = response.body.secrets;
    const leftMs = Date.parse(old.expiresAt) - Date.now();
    expect(leftMs).toBeGreaterThan(3_500_000);
    expect(leftMs).toBeLessThan(3_610_000);
    expect(await openSecrets(hook.id)).toEqual(["whsec_old_0123456789", "whsec_new_abcdefghij"]);
  });

  it("0 seconds ends the old one at once", async () => {
    const hook = await create({ provider: "stripe", signingSecret: "whsec_old_0123456789" });
    await rotate(hook.id, { secret: "whsec_new_abcdefghij", expirePreviousAfterSeconds: 0 });
    expect(await openSecrets(hook.id)).toEqual(["whsec_new_abcdefghij"]);
  });

  it("a later rotation never gives an old secret more time", async () => {
    const hook = await create({ provider: "stripe", signingSecret: "whsec_old_0123456789" });
    const first = await rotate(hook.id, {
      secret: "whsec_2nd_abcdefghij",
      expirePreviousAfterSeconds: 60,
    });
    const second = await rotate(hook.id, {
      secret: "whsec_3rd_abcdefghij",
      expirePreviousAfterSeconds: 7000,
    });
    expect(second.body.secrets[2].expiresAt).toBe(first.body.secrets[1].expiresAt);
  });

  it("concurrent rotations leave one secret without an expiry", async () => {
    const hook = await create({ provider: "stripe", signingSecret: "whsec_old_0123456789" });
    await Promise.all(
      [1, 2, 3, 4].map((n) => rotate(hook.id, { secret: `whsec_${n}_0123456789` })),
    );
    expect(await api.db.hookSecret.count({ where: { hookId: hook.id, expiresAt: null } })).toBe(1);
  });

  it("a hook has at most ten", async () => {
    const hook = await create({ provider: "stripe", signingSecret: "whsec_old_0123456789" });
    for (let n = 0; n < 9; n += 1) await rotate(hook.id, { secret: `whsec_${n}_0123456789` });
    expect((await rotate(hook.id, { secret: "whsec_x_0123456789" })).status).toBe(409);
  });

  it.each([
    { secret: "" },
    { secret: "whsec_0123456789", expirePreviousAfterSeconds: -1 },
    { secret: "whsec_0123456789", expirePreviousAfterSeconds: 604_801 },
    { secret: "whsec_0123456789", expirePreviousAfterSeconds: 1.5 },
    {},
  ])("%j is rejected", async (body) => {
    const hook = await create({ provider: "stripe" });
    expect((await rotate(hook.id, body)).status).toBe(400);
  });

  it("a hook without verification accepts no secret", async () => {
    const hook = await create();
    expect((await rotate(hook.id, { secret: "whsec_0123456789" })).body.errors[0].path).toBe(
      "secret",
    );
  });
});
