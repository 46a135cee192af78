import { expect, test } from "@playwright/test";
import { type Dashboard, expectAccessible, startDashboard } from "../harness/dashboard.ts";

let dashboard: Dashboard;
let hook: { id: string; catchUrl: string };
const event = { id: "evt_saved_1", type: "contact.added", email: "ada@example.com" };

test.beforeAll(async () => {
  dashboard = await startDashboard("saved-credentials");
  hook = await dashboard.makeHook({ name: "Fair" });
  await dashboard.deliver(hook.catchUrl, JSON.stringify(event));
});
test.afterAll(async () => await dashboard?.stop());

test("a credential and a destination are made once, and actions choose them", {
  tag: "@variant",
}, async ({ page }) => {
  const { receiver } = dashboard;
  const { origin } = new URL(receiver.url("/"));
  await dashboard.open(page, "/credentials");
  await page.getByRole("button", { name: "New credential" }).click();
  const dialog = page.getByRole("dialog", { name: "New credential" });
  await dialog.getByLabel("Name", { exact: true }).fill("CRM token");
  await dialog.getByLabel("Origin").fill(`${origin}/path`);
  await dialog.getByLabel("Token", { exact: true }).fill("saved-token-of-the-crm");
  await dialog.getByRole("button", { name: "Create credential" }).click();
  await expect(dialog.getByText(/must be an origin such as/)).toBeVisible();
  await expectAccessible(page);
  await dialog.getByLabel("Origin").fill(origin);
  await dialog.getByRole("button", { name: "Create credential" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "CRM token" })).toBeVisible();
  expect(await page.content()).not.toContain("saved-token-of-the-crm");

  await dashboard.open(page, "/destinations");
  await page.getByRole("button", { name: "New destination" }).click();
  const made = page.getByRole("dialog", { name: "New destination" });
  await made.getByLabel("Name", { exact: true }).fill("CRM");
  await made.getByLabel("Origin").fill(origin);
  await made
    .getByLabel("Credential", { exact: true })
    .selectOption({ label: `CRM token (${origin})` });
  await made.getByLabel("Concurrent requests").fill("2");
  await made.getByRole("button", { name: "Create destination" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "CRM", exact: true })).toBeVisible();

  await dashboard.open(page, `/hooks/${hook.id}/actions/new`);
  await page.getByLabel("Name", { exact: true }).fill("Add the contact");
  await page.getByLabel("URL", { exact: true }).fill(`${origin}/people`);
  await page.getByLabel("Destination").selectOption("CRM");
  await page.getByLabel("Authentication").selectOption("Saved credential");
  await page.getByLabel("Credential", { exact: true }).selectOption("CRM token");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Save action" }).click();
  await expect(page).toHaveURL(/\/actions\/[0-9a-f-]+/);

  await dashboard.deliver(hook.catchUrl, JSON.stringify({ ...event, id: "evt_saved_2" }));
  await expect.poll(() => receiver.calls.length).toBe(1);
  expect(receiver.calls[0]?.headers.authorization).toBe("Bearer saved-token-of-the-crm");
});
