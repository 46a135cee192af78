import { createHmac } from "node:crypto";
import { expect, test } from "@playwright/test";
import { startFakeStripe } from "#lib/jobs/registrations/testing/fake-registrars.ts";
import { type Dashboard, expectAccessible, startDashboard } from "../harness/dashboard.ts";
import { checkLayouts } from "../sign-in/check-layouts.ts";

let dashboard: Dashboard;

test.beforeAll(async () => {
  dashboard = await startDashboard("registration");
});
test.afterAll(async () => await dashboard?.stop());

test("a hook is connected to its provider, is revived, and takes its webhook with it", async ({
  page,
}) => {
  const { api, makeHook } = dashboard;
  await using stripe = await startFakeStripe();
  const hook = await makeHook({ name: "Shop", provider: "stripe" });
  await dashboard.open(page, `/hooks/${hook.id}`);
  await page.getByRole("link", { name: "let Catchment register it" }).click();
  await expect(page.getByText("First save a credential for https://api.stripe.com.")).toBeVisible();
  await api("POST", "/credentials", {
    ...{ name: "Stripe writer", origin: stripe.origin },
    auth: { type: "bearer", token: "rk_test_writer" },
  });
  await page.reload();
  await checkLayouts(page, "registration-none");
  await page.getByRole("button", { name: "Connect…" }).click();
  const dialog = page.getByRole("dialog", { name: "Register at Stripe" });
  await dialog.getByLabel(/^Event types/).fill("Not a type");
  await dialog.getByRole("button", { name: "Connect" }).click();
  await expect(dialog.getByText(/has “Not”, which isn't an event type of Stripe/)).toBeVisible();
  await dialog.getByLabel(/^Event types/).fill("invoice.paid\ncharge.refunded");
  await checkLayouts(page, "registration-dialog");
  await dialog.getByRole("button", { name: "Connect" }).click();
  await expect(page.getByText("Registered at Stripe, 2 event types")).toBeVisible();
  await expect(page.getByText(/^Checked/)).toBeVisible();
  await checkLayouts(page, "registration");

  // The secret that Stripe said once is the hook's, without anyone having seen it.
  const [webhook] = stripe.webhooks;
  expect(webhook).toMatchObject({ url: hook.catchUrl, isEnabled: true });
  const body = JSON.stringify({
    id: "evt_1Registered000001",
    object: "event",
    type: "invoice.paid",
  });
  const time = Math.floor(Date.now() / 1_000);
  const mac = createHmac("sha256", webhook?.secret ?? "")
    .update(`${time}.${body}`)
    .digest("hex");
  const id = await dashboard.deliver(hook.catchUrl, body, {
    ...{ "stripe-signature": `t=${time},v1=${mac}`, "content-type": "application/json" },
  });
  expect(await api("GET", `/deliveries/${id}`)).toMatchObject({ status: "accepted" });

  // An action needs a type that isn't registered, and one click adds it.
  await api("POST", `/hooks/${hook.id}/actions`, {
    ...{ name: "Voided", request: { method: "POST", url: "https://crm.example.com/" } },
    filter: { all: [{ path: "type", op: "equals", value: "invoice.voided" }] },
  });
  await dashboard.open(page, `/hooks/${hook.id}/registration`);
  const missing = "1 type that your actions use isn't registered at Stripe: invoice.voided";
  await expect(page.getByText(missing)).toBeVisible();
  await checkLayouts(page, "registration-missing-type");
  await page.getByRole("button", { name: "Add it" }).click();
  await expect(page.getByText(missing)).toBeHidden();
  await expect.poll(() => stripe.webhooks[0]?.eventTypes).toContain("invoice.voided");

  // Stripe disables it. The hook's own URL is asked before it is enabled, and no delivery comes of that.
  if (webhook !== undefined) webhook.isEnabled = false;
  await api("POST", `/hooks/${hook.id}/registration`, { eventTypes: ["invoice.paid"] });
  await expect.poll(() => webhook?.isEnabled).toBe(true);
  await expect(async () => {
    await page.reload();
    await expect(page.getByText(/Catchment enabled it again/)).toBeVisible({ timeout: 1_000 });
  }).toPass();
  const { data } = (await api("GET", `/deliveries?hookId=${hook.id}`)) as { data: unknown[] };
  expect(data).toHaveLength(1);

  // Someone deletes it.
  stripe.webhooks.splice(0);
  await api("PATCH", `/hooks/${hook.id}`, { name: "Shop 2" });
  await dashboard.open(page, `/hooks/${hook.id}`);
  await expect(async () => {
    await page.reload();
    await expect(page.getByRole("link", { name: "Deleted at Stripe" })).toBeVisible({
      timeout: 1_000,
    });
    await expect(page.getByText(/can't be kept registered at Stripe/)).toBeVisible({
      timeout: 1_000,
    });
  }).toPass();
  await page.getByRole("link", { name: "Deleted at Stripe" }).click();
  await expect(page.getByText(/^Someone has deleted this webhook at Stripe\./)).toBeVisible();
  await checkLayouts(page, "registration-missing");
  await page.getByRole("button", { name: "Connect again…" }).click();
  await page.getByRole("button", { name: "Save and connect" }).click();
  await expect(page.getByText("Registered at Stripe, 1 event type")).toBeVisible();

  await page.getByRole("button", { name: "Disconnect…" }).click();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "More for Shop 2" }).click();
  await page.getByRole("menuitem", { name: "Delete…" }).click();
  const deletion = page.getByRole("dialog");
  await expect(deletion.getByLabel(/^Also remove its webhook/)).toBeChecked();
  await deletion.getByLabel("Name").fill("Shop 2");
  await deletion.getByRole("button", { name: "Delete hook" }).click();
  await expect(page.getByRole("heading", { name: "Hooks" })).toBeVisible();
  await expect.poll(() => stripe.webhooks.length).toBe(0);
});
