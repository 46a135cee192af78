import { expect, test } from "@playwright/test";
import { startFakeStripe, toStripeEvent } from "#lib/jobs/gaps/testing/fake-stripe.ts";
import { type Dashboard, startDashboard } from "../harness/dashboard.ts";
import { signStripe, stripeSecret } from "../harness/stripe-delivery.ts";
import { startCommand } from "./command-line.ts";

let dashboard: Dashboard;

test.beforeAll(async () => {
  dashboard = await startDashboard("gaps");
});
test.afterAll(async () => await dashboard?.stop());

async function gaps(...args: readonly string[]) {
  const env = {
    CATCHMENT_URL: dashboard.server.origin,
    CATCHMENT_TOKEN: dashboard.account.apiToken,
  };
  const command = startCommand(["gaps", ...args], { env });
  const code = await command.ended;
  return { code, said: command.said, errors: command.errors() };
}

test("a terminal asks the provider what never arrived, and takes it in", {
  tag: "@variant",
}, async () => {
  const { api, makeHook } = dashboard;
  const now = Math.floor(Date.now() / 1_000);
  const events = Array.from({ length: 12 }, (_, at) => ({
    id: `evt_1Test${String(at).padStart(16, "0")}`,
    created: now - 7_200 - at * 60,
    type: "invoice.paid",
  }));
  await using stripe = await startFakeStripe(events);
  const hook = await makeHook({ name: "Shop", provider: "stripe", signingSecret: stripeSecret });
  for (const event of events.slice(2)) {
    const body = Buffer.from(JSON.stringify(toStripeEvent(event)));
    const headers = { "stripe-signature": signStripe(body, Date.now()) };
    await dashboard.deliver(hook.catchUrl, new Uint8Array(body), {
      ...headers,
      "content-type": "application/json",
    });
  }
  const auth = { type: "bearer", token: "rk_test_reader" };
  await api("POST", "/credentials", { name: "Stripe reader", origin: stripe.origin, auth });
  const to = new Date((now - 3_900) * 1_000).toISOString();
  const search = ["search", "shop", "--from", "5h", "--to", to];
  const unknown = await gaps(...search, "--credential", "Nothing");
  expect([unknown.code, unknown.errors]).toEqual([
    3,
    expect.stringContaining("There is no credential Nothing."),
  ]);
  const found = await gaps(...search, "--credential", "stripe reader");
  expect([found.code, found.said]).toMatchObject([
    0,
    [
      {
        ...{ status: "found", eventCount: 12, missingCount: 2 },
        types: [{ eventType: "invoice.paid", missingCount: 2 }],
      },
    ],
  ]);
  const gapId = String(found.said[0]?.id);
  const unsaid = await gaps("take-in", "shop", gapId);
  expect([unsaid.code, unsaid.errors]).toEqual([2, expect.stringContaining("Add --run")]);
  const taken = await gaps("take-in", "shop", gapId, "--store");
  expect([taken.code, taken.said]).toMatchObject([0, [{ kind: "take_in", total: 2 }]]);
  const read = async () => (await gaps("shop", gapId)).said[0]?.takenCount;
  await expect.poll(read).toBe(2);
  expect((await gaps("shop")).said).toMatchObject([{ id: gapId, takenCount: 2 }]);
});
