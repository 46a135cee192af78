import { describe, expect, it } from "vitest";
import { createApiToken } from "#lib/db/accounts/api-tokens.ts";
import { addMember } from "#lib/db/testing/test-member.ts";
import type { ApiScope } from "#lib/schema/account/scopes.ts";
import { fileOf, withConfiguration } from "#lib/web/testing/with-configuration.ts";

const configuration = withConfiguration();
const { api, send, apply } = configuration;

describe("apply", () => {
  const hook = (rate: number) => fileOf("hooks:", `  - { name: Orders, ratePerSecond: ${rate} }`);

  it("refuses a plan of another state, of other files, of other options, and one that isn't ours", {
    tags: "variant",
  }, async () => {
    await apply([hook(1)]);
    const { planId } = (await send("plan", [hook(2)])).body;
    const refused = async (texts: string[], options: Parameters<typeof apply>[1]) =>
      expect((await send("apply", texts, options)).status).toBe(409);
    await refused([hook(3)], { planId });
    await refused([hook(2)], { planId, maxPrunePercent: 30 });
    await refused([hook(2)], { planId: `${planId}x` });
    const own = configuration.account;
    await configuration.enter();
    await apply([hook(1)]);
    await refused([hook(2)], { planId });
    configuration.return(own);
    const [{ id } = { id: "" }] = await api.db.hook.findMany({
      where: { accountId: configuration.account.id },
    });
    await api.send("PATCH", `/hooks/${id}`, { ratePerSecond: 7 }, configuration.account.token);
    await refused([hook(2)], { planId });
    // What isn't planned may change.
    await api.send("PATCH", `/hooks/${id}`, { ratePerSecond: 1 }, configuration.account.token);
    await api.createHook({ name: "Unrelated" }, configuration.account.token);
    expect((await send("apply", [hook(2)], { planId })).status).toBe(200);
    await refused([hook(2)], { planId });
  });

  it("ends in one of the states of 30 that are applied at once", { tags: "variant" }, async () => {
    await apply([hook(1)]);
    const names = (rate: number) =>
      fileOf("hooks:", `  - { name: Orders, ratePerSecond: ${rate} }`, `  - name: Of ${rate}`);
    const rates = Array.from({ length: 30 }, (_, index) => index + 10);
    const plans = await Promise.all(rates.map((rate) => send("plan", [names(rate)])));
    const applied = await Promise.all(
      plans.map(({ body }, index) =>
        send("apply", [names(rates[index] ?? 0)], { planId: body.planId }),
      ),
    );
    const statuses = applied.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409)).toHaveLength(29);
    const winner = rates[statuses.indexOf(200)] ?? 0;
    const rows = await api.db.hook.findMany({ where: { accountId: configuration.account.id } });
    expect(rows.map(({ name, ratePerSecond }) => [name, ratePerSecond]).toSorted()).toEqual([
      [`Of ${winner}`, null],
      ["Orders", winner],
    ]);
  });

  it("deletes the secrets of a hook only if the file says so", async () => {
    const secret = "whsec_0123456789abcdefghijABCDEFGHIJ01";
    const orders = (...fields: string[]) => fileOf("hooks:", "  - name: Orders", ...fields);
    await apply([orders("    provider: stripe", `    signingSecret: ${secret}`)]);
    await apply([orders("    provider: stripe", "    ratePerSecond: 5")]);
    const count = () => api.db.hookSecret.count({ where: { accountId: configuration.account.id } });
    expect(await count()).toBe(1);
    const refused = await send("plan", [orders()]);
    expect([refused.status, refused.body.errors[0].path]).toEqual([
      400,
      "file-0.yaml:3 hooks.0.signingSecret",
    ]);
    const plan = await apply([orders("    signingSecret: null")]);
    expect(plan.items[0].changes).toContainEqual({
      path: "signingSecret",
      from: null,
      to: null,
      isSecret: true,
    });
    expect(await count()).toBe(0);
  });

  it("needs its scope, and a role that may; the scope is enough for everything in a file", async () => {
    const text = fileOf(
      "hooks:",
      "  - name: Orders",
      "eventTypes:",
      "  - name: a.b",
      "maskedFields: [card.number]",
    );
    const tokenOf = async (role: "admin" | "member", scopes: ApiScope[]) => {
      const userId = await addMember(api.db, configuration.account.id, role);
      const made = { name: role, userId, scopes, expiresAt: null };
      return (await createApiToken(api.db, configuration.account.id, made)).token;
    };
    const call = (token: string, path: "plan" | "apply", planId?: string) =>
      send(path, [text], planId === undefined ? {} : { planId }, token);
    const reader = await tokenOf("admin", ["configuration:read"]);
    const writer = await tokenOf("admin", ["configuration:write"]);
    const member = await tokenOf("member", ["configuration:read", "configuration:write"]);
    const { planId } = (await call(reader, "plan")).body;
    expect((await call(reader, "apply", planId)).status).toBe(403);
    expect((await call(member, "plan")).status).toBe(403);
    expect((await call(member, "apply", planId)).status).toBe(403);
    expect((await call(writer, "apply", planId)).status).toBe(200);
    expect((await api.send("GET", "/hooks", undefined, writer)).status).toBe(403);
  });
});
