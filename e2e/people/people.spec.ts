import { expect, type Page, test } from "@playwright/test";
import { type Dashboard, expectAccessible, startDashboard } from "../harness/dashboard.ts";

let dashboard: Dashboard;

test.beforeAll(async () => {
  dashboard = await startDashboard("people");
});
test.afterAll(async () => await dashboard?.stop());

async function invite(page: Page, email: string): Promise<string> {
  await dashboard.open(page, "/account/people");
  await page.getByRole("button", { name: "Invite" }).click();
  const dialog = page.getByRole("dialog", { name: "Invite a person" });
  await dialog.getByLabel("Email").fill("nobody");
  await dialog.getByRole("button", { name: "Create invitation" }).click();
  await expect(dialog.getByLabel("Email")).toBeFocused();
  await dialog.getByLabel("Email").fill(email);
  await dialog.getByRole("button", { name: "Create invitation" }).click();
  const link = await dialog.getByTestId("invitation-link").textContent();
  await expectAccessible(page);
  await page.screenshot({ path: "screenshots/people-link.png" });
  await dialog.getByRole("button", { name: "Done" }).click();
  return new URL(link ?? "").pathname;
}

test("a person is invited, joins, gets another role, and is removed from an open page", async ({
  page,
  browser,
}) => {
  const email = `grace@${dashboard.account.slug}.example.com`;
  const path = await invite(page, email);
  const context = await browser.newContext();
  const theirs = await context.newPage();
  await theirs.goto(`${dashboard.server.origin}${path}`);
  await expectAccessible(theirs);
  await theirs.getByLabel("Your name").fill("Grace Hopper");
  await theirs.getByLabel("Password", { exact: true }).fill("a few words in a row");
  await theirs.getByRole("button", { name: "Accept invitation" }).click();
  await expect(theirs).toHaveURL(`${dashboard.server.origin}/`);
  await theirs.goto(`${dashboard.server.origin}/account/people`);
  await expect(theirs.getByRole("list", { name: "Members" })).toContainText("Grace Hopper");
  await expect(theirs.getByRole("button", { name: "Invite" })).toHaveCount(0);

  // The link works once.
  const again = await (await browser.newContext()).newPage();
  await again.goto(`${dashboard.server.origin}${path}`);
  await expect(again.getByRole("heading", { name: "This invitation doesn’t work" })).toBeVisible();
  await again.context().close();

  await page.reload();
  await page.getByLabel("Role of Grace Hopper").selectOption("admin");
  await expect(page.getByText("Grace Hopper is now admin.")).toBeVisible();
  await expectAccessible(page);
  await page.screenshot({ path: "screenshots/people.png" });
  await theirs.reload();
  await expect(theirs.getByRole("button", { name: "Invite" })).toBeVisible();

  await page.getByRole("button", { name: "Remove Grace Hopper" }).click();
  await page.getByRole("button", { name: "Remove member" }).click();
  await expect(page.getByRole("list", { name: "Members" })).not.toContainText("Grace Hopper");
  await theirs.getByRole("link", { name: "Hooks" }).click();
  await expect(theirs.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await context.close();
});
