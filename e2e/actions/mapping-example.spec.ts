import { expect, test } from "@playwright/test";
import { type Dashboard, expectAccessible, startDashboard } from "../harness/dashboard.ts";

let dashboard: Dashboard;
let hook: { id: string; catchUrl: string };

const order = {
  id: "ord_1042",
  type: "orders.create",
  customer: { email: "ada@example.com", name: "Ada Lovelace" },
  total_cents: 4200,
  items: [
    { sku: "NOTE-A5", quantity: 2 },
    { sku: "PEN", quantity: 1 },
  ],
};

test.beforeAll(async () => {
  dashboard = await startDashboard("mapping-example");
  hook = await dashboard.makeHook({ name: "Shop" });
  await dashboard.deliver(hook.catchUrl, JSON.stringify(order));
});
test.afterAll(async () => await dashboard?.stop());

test("an example of the request becomes the mapping, and what is refused stays", async ({
  page,
}) => {
  await dashboard.open(page, `/hooks/${hook.id}/actions/new`);
  await page.getByRole("button", { name: "Paste an example" }).click();
  const dialog = page.getByRole("dialog", { name: "Map by example" });
  const lines = '[{"code": "NOTE-A5", "qty": 2}]';
  await dialog
    .getByLabel("The request that the other system should get")
    .fill(`curl -X PUT ${dashboard.receiver.url("/orders/ord_1042")} \\
    -H 'Authorization: Bearer secret-token-of-the-erp' \\
    --json '{"mail": "ada@example.com", "first": "Ada", "total": 42, "source": "web", "lines": ${lines}}'`);
  await dialog.getByRole("button", { name: "Find values" }).click();
  await expect(dialog.getByText(/of 8 values found in this delivery/)).toBeVisible();
  await expect(dialog.getByText("{{ payload.customer.email }}")).toBeVisible();
  await expect(dialog.getByText("for each item of payload.items")).toBeVisible();
  await expectAccessible(page);
  await dialog.getByLabel("Use the proposal for first").uncheck();
  await expect(dialog.getByLabel("Use the proposal for source")).toBeDisabled();
  await dialog.getByRole("button", { name: "Fill in" }).click();
  await expect(page.getByLabel("Method", { exact: true })).toHaveValue("PUT");
  await expect(page.getByRole("region", { name: "Request body" })).toContainText('"code": "PEN"');
  await expect(page.getByText("Ready to send", { exact: true })).toBeVisible();
  await page.getByLabel("Name", { exact: true }).fill("To the ERP");
  await page.getByRole("button", { name: "Save action" }).click();
  await expect(page).toHaveURL(/\/actions\/[0-9a-f-]+/);

  const next = {
    ...order,
    id: "ord_1043",
    total_cents: 1999,
    items: [{ sku: "INK", quantity: 3 }],
  };
  await dashboard.deliver(hook.catchUrl, JSON.stringify(next));
  await expect.poll(() => dashboard.receiver.calls.length).toBe(1);
  const [call] = dashboard.receiver.calls;
  expect(call).toMatchObject({ method: "PUT", path: "/orders/ord_1043" });
  expect(call?.headers.authorization).toBe("Bearer secret-token-of-the-erp");
  expect(JSON.parse(call?.body ?? "")).toEqual({
    mail: "ada@example.com",
    first: "Ada",
    total: 19.99,
    source: "web",
    lines: [{ code: "INK", qty: 3 }],
  });
});

test("a template of the hook's provider fills in a whole action", { tag: "@variant" }, async ({
  page,
}) => {
  const stripe = await dashboard.makeHook({
    name: "Payments",
    provider: "stripe",
    status: "pending",
  });
  await dashboard.open(page, `/hooks/${stripe.id}/actions/new`);
  await page.getByRole("button", { name: "Templates", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Start from a template" });
  await expect(dialog.getByRole("listitem").first()).toContainText("Your provider");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Use Stripe checkout → CRM contact" }).click();
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Update the CRM contact");
  await page.getByRole("button", { name: "Save action" }).click();
  await expect(page).toHaveURL(/\/actions\/[0-9a-f-]+/);
});
