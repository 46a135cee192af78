import { expect, test } from "@playwright/test";
import { type Dashboard, expectAccessible, startDashboard } from "./harness/dashboard.ts";

let dashboard: Dashboard;
let actionId = "";

test.beforeAll(async () => {
  dashboard = await startDashboard("backtest");
  const hook = await dashboard.makeHook({ name: "Shop" });
  const action = await dashboard.api("POST", `/hooks/${hook.id}/actions`, {
    name: "To the CRM",
    request: {
      method: "POST",
      url: dashboard.receiver.url("/people"),
      body: { email: "{{ payload.email }}", amount: "{{ payload.amount }}" },
    },
  });
  actionId = String(action.id);
  const bodies = [
    { id: "evt_1", type: "paid", email: "ada@example.com", amount: 4200 },
    { id: "evt_2", type: "paid", email: "bob@example.com", amount: 10 },
    { id: "evt_3", type: "refunded", email: "eve@example.com" },
  ];
  for (const body of bodies) await dashboard.deliver(hook.catchUrl, JSON.stringify(body));
});
test.afterAll(async () => await dashboard?.stop());

test("a changed draft is compared with the saved action over past deliveries, and nothing is sent", async ({
  page,
}) => {
  await expect
    .poll(async () => (await dashboard.api("GET", "/runs?status=succeeded")).data)
    .toHaveLength(2);
  await dashboard.open(page, `/actions/${actionId}`);
  const value = page.getByLabel("Field 1, value");
  await value.click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("{{ payload.email | upcase }}");
  await page.getByRole("button", { name: "Backtest…" }).click();
  const dialog = page.getByRole("dialog", { name: "Backtest this draft" });
  await dialog.getByLabel("Last 100 deliveries").check();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Start backtest" }).click();
  await expect(page.getByRole("heading", { name: "Backtest of “To the CRM”" })).toBeVisible();
  await expect(page.getByText("3 deliveries. Nothing was sent.")).toBeVisible();
  await expect(page.getByRole("link", { name: "Would run 2" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Would fail 1" })).toBeVisible();
  await page.getByRole("link", { name: "Changed 2" }).click();
  const rows = page.getByRole("list", { name: "Results" }).locator("summary");
  await expect(rows).toHaveCount(2);
  await rows.first().click();
  const changes = page.getByRole("region", { name: "Step call" }).first();
  await expect(changes).toContainText("body.email");
  await expect(changes).toContainText('"BOB@EXAMPLE.COM"');
  await expectAccessible(page);
  await page.getByRole("link", { name: "Would fail 1" }).click();
  await expect(rows).toHaveCount(1);
  await expect(rows.first()).toContainText("amount");
  expect(dashboard.receiver.calls.length).toBe(2);
});
