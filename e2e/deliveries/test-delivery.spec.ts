import { expect, test } from "@playwright/test";
import { type Dashboard, startDashboard } from "../harness/dashboard.ts";

/**
 * Catchment's own test delivery: made and signed by it, and sent over HTTP through its own catch
 * listener.
 */
let dashboard: Dashboard;

test.beforeAll(async () => {
  dashboard = await startDashboard("tests");
});
test.afterAll(() => dashboard?.stop());

type Json = Record<string, unknown>;

const whsec = `whsec_${Buffer.from("a secret of 24 bytes, ok").toString("base64")}`;
const text = "a-secret-of-this-test-0123456789";
const secrets: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [
      "stripe github shopify slack paddle linear gitlab square lemon-squeezy woocommerce hubspot intercom",
      "zendesk typeform calendly mailgun twilio twitch jira notion pagerduty sentry telegram zoom bearer",
    ]
      .flatMap((line) => line.split(" "))
      .map((provider) => [provider, text]),
  ),
  clerk: whsec,
  resend: whsec,
  adyen: "ab".repeat(32),
  postmark: `user:${text}`,
};

async function sendTest(hookId: string, body: Json = {}): Promise<Json> {
  return dashboard.api("POST", `/hooks/${hookId}/test`, body);
}

test("a sample event of each of the most used providers is accepted as verified", {
  tag: "@variant",
}, async () => {
  for (const [provider, signingSecret] of Object.entries(secrets)) {
    const hook = await dashboard.makeHook({ name: provider, provider, signingSecret });
    const sent = await sendTest(hook.id);
    expect([provider, sent.note, sent.deliveryStatus]).toEqual([
      provider,
      null,
      expect.stringMatching(/^(accepted|batch)$/),
    ]);
    const delivery = await dashboard.api("GET", `/deliveries/${String(sent.deliveryId)}`);
    expect(delivery).toMatchObject({ verification: { outcome: "verified", scheme: provider } });
  }
});

test("a hook's action runs on a test, and the same as a command is a new event", async () => {
  const hook = await dashboard.makeHook({
    name: "Orders",
    provider: "stripe",
    signingSecret: text,
  });
  await dashboard.api("POST", `/hooks/${hook.id}/actions`, {
    name: "tell",
    request: {
      method: "POST",
      url: dashboard.receiver.url("/tests"),
      body: {
        email: "{{ data.object.customer_details.email }}",
        total: "{{ data.object.amount_total }}",
      },
    },
  });
  const sent = await sendTest(hook.id);
  await expect
    .poll(() => dashboard.api("GET", `/deliveries/${String(sent.deliveryId)}`))
    .toMatchObject({ runs: [{ status: "succeeded" }] });
  expect(dashboard.receiver.calls.at(-1)?.body).toBe(
    '{"email":"jenny.rosen@example.com","total":4200}',
  );
  const command = String(sent.curl);
  expect(command).toContain(hook.catchUrl);
  expect(command).not.toContain(text);
});

test("what a paused and a disabled hook do with a test is shown", { tag: "@variant" }, async () => {
  const hook = await dashboard.makeHook({ name: "Paused" });
  await dashboard.api("POST", `/hooks/${hook.id}/pause`);
  expect((await sendTest(hook.id)).note).toContain("held until it is resumed");
  await dashboard.api("PATCH", `/hooks/${hook.id}`, { status: "disabled" });
  expect(await sendTest(hook.id)).toMatchObject({ response: { status: 410 }, deliveryId: null });
});
