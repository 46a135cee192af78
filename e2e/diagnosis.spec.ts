import { expect, test } from "@playwright/test";
import { type Dashboard, expectAccessible, startDashboard } from "./harness/dashboard.ts";
import { makeStripeBody, signStripe, stripeSecret } from "./harness/stripe-delivery.ts";

let dashboard: Dashboard;

test.beforeAll(async () => {
  test.setTimeout(120_000);
  dashboard = await startDashboard("diagnosis");
});
test.afterAll(async () => await dashboard?.stop());

const json = { "content-type": "application/json" };

test("a refused delivery says why, and a click puts it right so that the next one is taken", async ({
  page,
}) => {
  const hook = await dashboard.makeHook({
    name: "Broken",
    provider: "stripe",
    signingSecret: `${stripeSecret}\n`,
  });
  const send = (id: string) => {
    const body = makeStripeBody(id);
    return dashboard.deliver(hook.catchUrl, body.toString("utf8"), {
      ...json,
      "stripe-signature": signStripe(body, Date.now()),
    });
  };
  const refused = await send("evt_refused");
  await dashboard.open(page, `/deliveries/${refused}`);
  await expect(page.getByRole("heading", { name: "Why was this refused?" })).toBeVisible();
  await expect(page.getByText("The hook's secret ends with a line break")).toBeVisible();
  await expectAccessible(page);

  await page.getByRole("button", { name: "Correct the secret" }).click();
  const dialog = page.getByRole("dialog");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Correct the secret" }).click();
  await expect(page.getByText("With the hook's present settings this delivery verifies")).toBeVisible();

  const taken = await send("evt_taken");
  await expect.poll(async () => (await dashboard.api("GET", `/deliveries/${taken}`)).status).toBe("accepted");
});

test("a hook that verifies nothing says whose deliveries it seems to get", async ({ page }) => {
  const hook = await dashboard.makeHook({ name: "Open" });
  const headers = { ...json, "x-github-event": "push", "x-hub-signature-256": `sha256=${"0".repeat(64)}` };
  const delivery = await dashboard.deliver(hook.catchUrl, '{"zen":"Keep it simple"}', headers);
  for (const path of [`/deliveries/${delivery}`, `/hooks/${hook.id}`]) {
    await dashboard.open(page, path);
    await expect(page.getByRole("heading", { name: "This looks like GitHub" })).toBeVisible();
    await expectAccessible(page);
  }
});
