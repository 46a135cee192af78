import { expect, test } from "@playwright/test";
import { type Dashboard, expectAccessible, startDashboard } from "../harness/dashboard.ts";
import { makeStripeBody, signStripe, stripeSecret } from "../harness/stripe-delivery.ts";

let dashboard: Dashboard;

test.beforeAll(async () => {
  dashboard = await startDashboard("hook-page");
});
test.afterAll(async () => await dashboard?.stop());

test("pausing, resuming, disabling, and enabling are confirmed and done", {
  tag: "@variant",
}, async ({ page }) => {
  const hook = await dashboard.makeHook({ name: "Moody" });
  const status = async () => (await dashboard.api("GET", `/hooks/${hook.id}`)).status;
  await dashboard.open(page, `/hooks/${hook.id}`);
  await page.getByRole("button", { name: "Pause" }).click();
  await expect(page.getByText("Paused", { exact: true })).toBeVisible();
  expect(await status()).toBe("paused");
  await page.getByRole("button", { name: "Resume" }).click();
  await expect(page.getByText("Active", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "More for Moody" }).click();
  await expectAccessible(page);
  await page.getByRole("menuitem", { name: "Disable…" }).click();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Disable hook" }).click();
  await expect(page.getByText("Disabled", { exact: true })).toBeVisible();
  expect(await status()).toBe("disabled");
});

test("a hook without its secret stores deliveries, and verifies and runs them with one click", {
  tag: "@variant",
}, async ({ page }) => {
  await dashboard.open(page, "/hooks/new?from=stripe");
  await page.getByLabel("I don't have it yet").check();
  await page.getByRole("button", { name: "Create hook" }).click();
  await expect(page.getByText("Awaiting secret")).toBeVisible();
  const catchUrl = (await page.locator("code").first().textContent()) ?? "";
  const body = makeStripeBody("evt_kept_1");
  const headers = {
    "content-type": "application/json",
    "stripe-signature": signStripe(body, Date.now()),
  };
  await dashboard.deliver(catchUrl, new Uint8Array(body), headers);
  await expect(
    page.getByRole("heading", { name: "A delivery is awaiting verification" }),
  ).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel("Signing secret").fill(stripeSecret);
  await page.getByRole("button", { name: "Add secret" }).click();
  await expect(page.getByRole("heading", { name: "1 delivery isn't verified yet" })).toBeVisible();
  await page.getByRole("button", { name: "Verify and run it" }).click();
  await expect(page.getByText("Verified: 1 accepted.")).toBeVisible();
  await expect(page.getByRole("heading", { name: "The first delivery is here" })).toBeVisible();
});

test("a duplicate that differs is shown, and one click counts it as an event and runs it", async ({
  page,
}) => {
  const hook = await dashboard.makeHook({ name: "Orders" });
  const request = {
    method: "POST",
    url: dashboard.receiver.url("/shop"),
    body: { state: "{{ payload.state }}" },
  };
  await dashboard.api("POST", `/hooks/${hook.id}/actions`, { name: "Tell the shop", request });
  await dashboard.deliver(hook.catchUrl, '{"id":7,"state":"paid"}');
  const shipped = await dashboard.deliver(hook.catchUrl, '{"id":7,"state":"shipped"}');
  await dashboard.open(page, `/deliveries/${shipped}`);
  await expect(
    page.getByRole("heading", { name: "This duplicate differs from the first delivery" }),
  ).toBeVisible();
  await dashboard.open(page, `/hooks/${hook.id}`);
  await expect(
    page.getByRole("heading", { name: "A recent duplicate differs from its first delivery" }),
  ).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Count these as events" }).click();
  await expect(page.getByText("1 duplicate was accepted.")).toBeVisible();
  await expect(page.getByRole("heading", { name: /differs from/ })).toBeHidden();
  const bodies = () => dashboard.receiver.calls.map(({ body }) => body);
  await expect.poll(bodies).toEqual(['{"state":"paid"}', '{"state":"shipped"}']);
});

test("a hook is deleted only after typing its name", async ({ page }) => {
  const hook = await dashboard.makeHook({ name: "To be gone" });
  await dashboard.deliver(hook.catchUrl, '{"id":"evt_lost"}');
  await dashboard.open(page, `/hooks/${hook.id}`);
  await page.getByRole("button", { name: "More for To be gone" }).click();
  await page.getByRole("menuitem", { name: "Delete…" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("button", { name: "Delete hook" })).toBeDisabled();
  await expect(
    dialog.getByText("This also deletes 1 delivery, 0 actions, 0 secrets"),
  ).toBeVisible();
  await dialog.getByLabel("Name").fill("To be gone");
  await dialog.getByRole("button", { name: "Delete hook" }).click();
  await expect(page).toHaveURL(/\/hooks$/);
  await expect(dashboard.api("GET", `/hooks/${hook.id}`)).rejects.toThrow(/404/);
});

test("the list of hooks shows the status of each, and changes it in place", {
  tag: "@variant",
}, async ({ page }) => {
  const hook = await dashboard.makeHook({ name: "Listed" });
  await dashboard.makeHook({ name: "Beside it", provider: "github" });
  await dashboard.deliver(hook.catchUrl, '{"id":"evt_1"}');
  await dashboard.deliver(hook.catchUrl, "{broken");
  await dashboard.open(page, "/hooks?q=listed");
  const row = page.getByRole("row").filter({ hasText: "Listed" });
  await expect(
    row.getByRole("img", { name: "2 deliveries in 24 hours, 1 of them rejected" }),
  ).toBeVisible();
  await expect(row.getByText("Active")).toBeVisible();
  await expectAccessible(page);
  await row.getByRole("button", { name: "Rename Listed" }).focus();
  await page.keyboard.press("Enter");
  await page.getByLabel("New name of Listed").fill("Listed again");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Renamed to “Listed again”.")).toBeVisible();
  const renamed = page.getByRole("row").filter({ hasText: "Listed again" });
  await renamed.getByRole("button", { name: "More for Listed again" }).click();
  await expect(page.getByRole("menuitem", { name: "Pause" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("menuitem", { name: "Pause" }).click();
  await expect(page.getByText("“Listed again” is paused.")).toBeVisible();
  await expect(renamed.getByText("Paused", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).last().click();
  await expect(renamed.getByText("Active", { exact: true })).toBeVisible();
  await page.getByRole("searchbox").fill("beside");
  await page.getByLabel("Status").selectOption("Paused");
  await expect(page.getByText("No matching hooks")).toBeVisible();
  await expect(page).toHaveURL(/\/hooks\?q=beside&status=paused$/);
  await page.getByRole("button", { name: "Clear filters" }).click();
  await expect(page.getByRole("row").filter({ hasText: "Beside it" })).toContainText(
    "Rejecting: no secret",
  );
});

test("pages and filters of a hook's deliveries are in the URL, and lead back", {
  tag: "@variant",
}, async ({ page }) => {
  const hook = await dashboard.makeHook({ name: "Busy" });
  const send = (number: number) =>
    dashboard.deliver(
      hook.catchUrl,
      JSON.stringify({
        id: `evt_${number}`,
        type: number % 2 === 0 ? "order.paid" : "order.opened",
      }),
    );
  for (let number = 1; number <= 60; number += 1) await send(number);
  await dashboard.deliver(hook.catchUrl, "{broken");
  await dashboard.open(page, `/hooks/${hook.id}`);
  await expect(page.getByRole("row")).toHaveCount(51);
  await expectAccessible(page);
  await page.getByRole("link", { name: "Older" }).click();
  await expect(page.getByText("id evt_1", { exact: true })).toBeVisible();
  await expect(page.getByRole("link", { name: "Older" })).toHaveCount(0);
  await page.getByRole("link", { name: "Newer" }).click();
  await expect(page.getByText("id evt_60", { exact: true })).toBeVisible();

  await expect(page.getByRole("button", { name: "Filters", includeHidden: true })).toBeEnabled();
  await page.getByLabel("Status").selectOption("Rejected");
  await expect(page.getByRole("row")).toHaveCount(2);
  await expect(page.getByText("Invalid JSON")).toBeVisible();
  await expect(page).toHaveURL(/\?status=rejected$/);
  await page.goto(page.url());
  await expect(page.getByLabel("Status")).toHaveValue("rejected");
  await page.getByRole("button", { name: "Clear filters" }).click();
  await expect(page.getByRole("row")).toHaveCount(51);
  await page.getByRole("searchbox").fill("evt_7");
  await expect(page.getByRole("row")).toHaveCount(2);

  await page.getByRole("button", { name: "Clear filters" }).click();
  const type = page.getByLabel("Event type");
  await type.focus();
  await expect(page.locator("datalist option")).toHaveCount(2);
  await type.fill("order.opened");
  await expect(page).toHaveURL(/eventType=order\.opened$/);
  await expect(page.getByRole("row", { name: /order\.opened/ })).toHaveCount(30);

  // On a phone the filters are collapsed.
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(page.getByLabel("Status")).toBeHidden();
  await page.getByRole("button", { name: "Filters (1)" }).click();
  await page.getByLabel("Status").selectOption("Accepted");
  await expect(page.getByRole("button", { name: "Filters (2)" })).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize({ width: 1280, height: 720 });

  await dashboard.open(page, `/deliveries?eventType=order.paid&eventId=evt_8`);
  await expect(page.getByRole("row")).toHaveCount(2);
  await expect(page.getByRole("row").last()).toContainText("Busy");
  await dashboard.open(page, "/deliveries?status=lost&cursor=nonsense");
  await expect(page.getByText(/must be one of accepted/)).toBeVisible();
  await dashboard.open(page, "/deliveries?cursor=nonsense");
  await expect(page.getByText("Page not found in this list.")).toBeVisible();
  await expectAccessible(page);
});

test("a hook's list shows new deliveries, and none of another hook", { tag: "@variant" }, async ({
  page,
}) => {
  const hook = await dashboard.makeHook({ name: "Live" });
  const other = await dashboard.makeHook({ name: "Beside" });
  await dashboard.deliver(hook.catchUrl, '{"id":"evt_seen"}');
  await dashboard.open(page, `/hooks/${hook.id}`);
  await expect(page.getByText("id evt_seen", { exact: true })).toBeVisible();
  await dashboard.deliver(other.catchUrl, '{"id":"evt_beside"}');
  await dashboard.deliver(hook.catchUrl, '{"id":"evt_live"}');
  // When scrolled down the list doesn't change, and a button says what is new.
  const shown = page.getByText("id evt_live", { exact: true });
  const button = page.getByRole("button", { name: "1 new" });
  await expect(shown.or(button)).toBeVisible();
  if (await button.isVisible()) await button.click();
  await expect(shown).toBeVisible();
  await expect(page.getByText("evt_beside")).toHaveCount(0);
});
