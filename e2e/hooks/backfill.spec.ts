import { expect, test } from "@playwright/test";
import { startFakeStripe, toStripeEvent } from "#lib/jobs/gaps/testing/fake-stripe.ts";
import { type Dashboard, expectAccessible, startDashboard } from "../harness/dashboard.ts";
import { signStripe, stripeSecret } from "../harness/stripe-delivery.ts";

let dashboard: Dashboard;

test.beforeAll(async () => {
  dashboard = await startDashboard("backfill");
});
test.afterAll(async () => await dashboard?.stop());

test("a hook shows what never arrived, and takes it in", async ({ page }) => {
  const { api, makeHook, receiver } = dashboard;
  const now = Math.floor(Date.now() / 1_000);
  const events = Array.from({ length: 120 }, (_, at) => ({
    id: `evt_1Test${String(at).padStart(16, "0")}`,
    created: now - 7_200 - at * 60,
    type: at % 3 === 0 ? "invoice.created" : "invoice.paid",
  }));
  await using stripe = await startFakeStripe(events);
  const hook = await makeHook({ name: "Shop", provider: "stripe", signingSecret: stripeSecret });
  await api("POST", `/hooks/${hook.id}/actions`, {
    name: "Book it",
    request: { method: "POST", url: receiver.url("/book"), body: { id: "{{ payload.id }}" } },
  });
  for (const event of events.filter(({ type }, at) => type === "invoice.paid" && at % 10 !== 4)) {
    const body = Buffer.from(JSON.stringify(toStripeEvent(event)));
    const headers = { "stripe-signature": signStripe(body, Date.now()) };
    await dashboard.deliver(hook.catchUrl, new Uint8Array(body), {
      ...headers,
      "content-type": "application/json",
    });
  }
  await dashboard.open(page, `/hooks/${hook.id}`);
  await page.getByRole("link", { name: "Back-fill" }).click();
  await expect(page.getByText("First save a credential for https://api.stripe.com.")).toBeVisible();
  await api("POST", "/credentials", {
    ...{ name: "Stripe reader", origin: stripe.origin },
    auth: { type: "bearer", token: "rk_test_reader" },
  });
  await page.reload();
  await expect(page.getByLabel("Credential")).toHaveValue(/./);
  const before = new Date((now - 3_900) * 1_000).toISOString().slice(0, 16);
  await page.getByLabel(/^To /).fill(before);
  await page.getByRole("button", { name: "Search for missing events" }).click();
  await expect(page.getByText(/^Stripe has 120 events from .*, 48 never arrived\.$/)).toBeVisible();
  await expectAccessible(page);

  await page.getByRole("button", { name: "Take in…" }).click();
  const dialog = page.getByRole("dialog", { name: "Take in missing events" });
  await expect(dialog.getByLabel(/^invoice\.created/)).not.toBeChecked();
  await expect(dialog.getByLabel(/^invoice\.paid/)).toBeChecked();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Take in 8" }).click();
  await expect(page.getByText("8 taken in")).toBeVisible();
  await expect(page.getByText(/8 are taken in\.$/)).toBeVisible();
  await expectAccessible(page);
  const missed = toStripeEvent(events[4] ?? { id: "", created: 0, type: "" });
  await expect
    .poll(() => receiver.calls.filter(({ body }) => body.includes(missed.id)).length)
    .toBe(1);
  const { data } = (await api("GET", `/deliveries?eventId=${missed.id}`)) as {
    data: { id: string; verification: object }[];
  };
  expect(data).toMatchObject([{ verification: { outcome: "verified", scheme: "fetched" } }]);
  await dashboard.open(page, `/deliveries/${data[0]?.id}`);
  await expect(page.getByText("Fetched from the provider")).toBeVisible();
});
