import { expect, it } from "vitest";
import { withApi } from "#lib/web/testing/with-api.ts";
import { readHome } from "./read-home.ts";

const api = withApi();

it("finds the hooks that need attention among 500, however old they are", async () => {
  const { id: accountId, token } = await api.createAccount("many");
  const paused = await api.createHook({ name: "Paused" }, token);
  await api.send("PATCH", `/hooks/${paused.id}`, { status: "paused" }, token);
  const unsigned = await api.createHook({ name: "Unsigned", provider: "stripe" }, token);
  const pending = { name: "Pending", provider: "stripe", status: "pending" };
  await api.createHook(pending, token);
  const secret = { name: "Signed", provider: "stripe", signingSecret: `whsec_${"a1".repeat(16)}` };
  await api.createHook(secret, token);
  await api.db.$executeRaw`
    insert into hooks (id, account_id, key, name, provider, methods, updated_at)
    select uuid_v7_at(now() + n * interval '1 ms'), ${accountId}::uuid, 'key' || n, 'n', 'generic', '{POST}', now()
    from generate_series(1, 500) n`;
  const { attention } = await readHome(api.context, accountId, "24h");
  expect(
    attention.map(({ name, status, isSecretMissing }) => [name, status, isSecretMissing]),
  ).toEqual([
    ["Pending", "pending", true],
    ["Unsigned", "active", true],
    ["Paused", "paused", false],
  ]);
  expect(attention.map(({ id }) => id)).toContain(unsigned.id);
});
