import { expect, it } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { addSubscription } from "#lib/db/testing/test-subscription.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { withApi } from "#lib/web/testing/with-api.ts";
import { readHome, readSending } from "./home.ts";

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
  const { attention } = await readHome(testContext(api.db, accountId), { range: "24h" });
  expect(
    attention.map(({ name, status, isSecretMissing }) => [name, status, isSecretMissing]),
  ).toEqual([
    ["Pending", "pending", true],
    ["Unsigned", "active", true],
    ["Paused", "paused", false],
  ]);
  expect(attention.map(({ id }) => id)).toContain(unsigned.id);
});

it("names the customer and the URL of a subscription that was disabled", async () => {
  const { id: accountId } = await api.createAccount("failing");
  await api.db.recipient.create({ data: { accountId, id: "cust_1", name: "Initech" } });
  const add = (recipient: string, receiverUrl: string) =>
    addSubscription(api.db, accountId, { recipient, receiverUrl });
  const named = await add("cust_1", "https://initech.example/in");
  const disabled = await add("cust_2", "https://globex.example/in");
  const kind = "subscription_disabled";
  for (const subscriptionId of [disabled, named])
    await api.db.notice.create({
      data: { id: newId(), accountId, subscriptionId, kind, detail: "Gone" },
    });
  const sending = await readSending(testContext(api.db, accountId), { range: "24h" });
  expect(sending.notices).toMatchObject([
    { recipient: "cust_1", recipientName: "Initech", receiverUrl: "https://initech.example/in" },
    { recipient: "cust_2", recipientName: null, receiverUrl: "https://globex.example/in" },
  ]);
});
