import { expect, test } from "@playwright/test";
import { type Dashboard, expectAccessible, startDashboard } from "../harness/dashboard.ts";
import { readLayoutShift } from "../harness/layout-shift.ts";
import { makeStripeBody, signStripe, stripeSecret } from "../harness/stripe-delivery.ts";

let dashboard: Dashboard;

test.beforeAll(async () => {
  dashboard = await startDashboard("diagnosis");
});
test.afterAll(async () => await dashboard?.stop());

const json = { "content-type": "application/json" };

test("a rejected delivery shows why, one click fixes it, and it is accepted and run", async ({
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
  await dashboard.api("POST", `/hooks/${hook.id}/actions`, {
    name: "Forward",
    request: { method: "POST", url: dashboard.receiver.url("/crm") },
  });
  const [rejected, rejectedToo] = [await send("evt_refused"), await send("evt_refused_too")];
  const forged = await dashboard.deliver(hook.catchUrl, "{}", {
    ...json,
    "stripe-signature": signStripe(Buffer.from("other"), Date.now()),
  });
  await dashboard.open(page, `/deliveries/${rejected}`);
  await expect(page.getByRole("heading", { name: "Why was this rejected?" })).toBeVisible();
  await expect(page.getByText("The hook's secret ends with a line break")).toBeVisible();
  // The type that the payload claims.
  await expect(
    page.getByRole("heading", { level: 1, name: "checkout.session.completed" }),
  ).toBeVisible();
  await expectAccessible(page);
  expect(await readLayoutShift(page)).toBeLessThan(0.02);

  await page.getByRole("button", { name: "Correct the secret" }).click();
  const dialog = page.getByRole("dialog");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Correct the secret" }).click();
  await expect(
    page.getByRole("heading", { name: "This delivery can be verified now" }),
  ).toBeVisible();
  await expectAccessible(page);
  const others = [rejectedToo, forged];
  await page.getByRole("button", { name: "Accept and run" }).click();
  await expect(page.getByText("Accepted. Its actions run now.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Replay" })).toBeVisible();
  const accepted = await dashboard.api("GET", `/deliveries/${rejected}`);
  expect(accepted).toMatchObject({ status: "accepted", runs: [{ status: expect.any(String) }] });

  await dashboard.open(page, `/deliveries?status=rejected&hookId=${hook.id}`);
  await page.getByRole("button", { name: "Accept and run all…" }).click();
  const confirm = page.getByRole("dialog");
  await expect(
    confirm.getByRole("heading", { name: "Accept 2 rejected deliveries?" }),
  ).toBeVisible();
  await expectAccessible(page);
  await confirm.getByRole("button", { name: "Accept and run 2" }).click();
  await expect(page.getByText("1 accepted, 1 still rejected")).toBeVisible();
  const statusOf = async (id: string | null) =>
    (await dashboard.api("GET", `/deliveries/${id}`)).status;
  expect(await Promise.all(others.map(statusOf))).toEqual(["accepted", "rejected"]);

  const taken = await send("evt_taken");
  await expect
    .poll(async () => (await dashboard.api("GET", `/deliveries/${taken}`)).status)
    .toBe("accepted");
});

test("a hook without verification suggests the provider of its deliveries", {
  tag: "@variant",
}, async ({ page }) => {
  const hook = await dashboard.makeHook({ name: "Open" });
  const headers = {
    ...json,
    "x-github-event": "push",
    "x-hub-signature-256": `sha256=${"0".repeat(64)}`,
  };
  const delivery = await dashboard.deliver(hook.catchUrl, '{"zen":"Keep it simple"}', headers);
  for (const path of [`/deliveries/${delivery}`, `/hooks/${hook.id}`]) {
    await dashboard.open(page, path);
    await expect(page.getByRole("heading", { name: "This looks like GitHub" })).toBeVisible();
    await expectAccessible(page);
  }
});
