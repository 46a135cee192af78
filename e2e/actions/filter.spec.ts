import { expect, test } from "@playwright/test";
import { type Dashboard, expectAccessible, startDashboard } from "../harness/dashboard.ts";

let dashboard: Dashboard;
let hook: { id: string; catchUrl: string };

const order = {
  id: "evt_filter_1",
  type: "order.paid",
  data: { created: "2020-01-01T10:00:00Z", items: [{ sku: "A-1", price: 10 }, { sku: "B-2" }] },
};

test.beforeAll(async () => {
  dashboard = await startDashboard("filter");
  hook = await dashboard.makeHook({ name: "Shop" });
  await dashboard.deliver(hook.catchUrl, JSON.stringify(order));
});
test.afterAll(async () => await dashboard?.stop());

test("dates, regular expressions, and items of a list are conditions like others, also on a phone", {
  tag: "@variant",
}, async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 800 });
  await dashboard.open(page, `/hooks/${hook.id}/actions/new`);
  await page.getByLabel("Name", { exact: true }).fill("Filtered");
  await page.getByLabel("URL", { exact: true }).fill(dashboard.receiver.url("/filtered"));

  await page.getByRole("button", { name: "Add condition" }).press("Enter");
  await page.getByLabel("Condition 1, name").fill("data.created");
  await page.getByLabel("Condition 1, comparison").selectOption("is after");
  await page.getByLabel("Condition 1, value").fill("7 days ago");
  await expect(
    page.getByText(/data\.created is "2020-01-01T10:00:00Z" and must be after 7 days ago/),
  ).toBeVisible();
  await page.getByLabel("Condition 1, comparison").selectOption("is before");
  await expect(page.getByText("Would run for the chosen delivery.")).toBeVisible();

  await page.getByRole("button", { name: "Add condition" }).press("Enter");
  await page.getByLabel("Condition 2, name").fill("type");
  await page.getByLabel("Condition 2, comparison").selectOption("matches regex");
  await page.getByLabel("Condition 2, value").fill("^order\\.(?=paid)");
  await expect(page.getByText(/can't look ahead or behind/)).toBeVisible();
  await page.getByLabel("Condition 2, value").fill("^order\\.(paid|refunded)$");
  await expect(page.getByText("Would run for the chosen delivery.")).toBeVisible();

  await page.getByRole("button", { name: "Add condition" }).press("Enter");
  await page.getByLabel("Condition 3, name").fill("data.items");
  await page.getByLabel("Condition 3, comparison").selectOption("has an item where");
  await page.getByLabel("Condition 3.1, name").fill("item.price");
  await page.getByLabel("Condition 3.1, comparison").selectOption("is greater than");
  await page.getByLabel("Condition 3.1, value").fill("50");
  await expect(
    page.getByText(/no item of data\.items matches: for example, data\.items\[0\]\.price is 10/),
  ).toBeVisible();
  await page.getByLabel("Condition 3, match").selectOption("The condition doesn't match");
  await expect(page.getByText("Would run for the chosen delivery.")).toBeVisible();
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow).toBeLessThanOrEqual(0);
  await expectAccessible(page);

  await page.keyboard.press("ControlOrMeta+s");
  await expect(page).toHaveURL(/\/actions\/[0-9a-f-]+(\?|$)/);
  await expect(page.getByLabel("Condition 3.1, value")).toHaveValue("50");
  const { data } = (await dashboard.api("GET", `/hooks/${hook.id}/actions`)) as { data: unknown[] };
  const where = { none: [{ path: "item.price", op: "gt", value: 50 }] };
  expect(data).toMatchObject([
    {
      filter: {
        all: [
          { path: "data.created", op: "before", value: "7 days ago" },
          { path: "type", op: "matches", value: "^order\\.(paid|refunded)$" },
          { path: "data.items", op: "anyItem", where },
        ],
      },
    },
  ]);
});
