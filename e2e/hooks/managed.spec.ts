import { readFileSync } from "node:fs";
import { expect, type Page, test } from "@playwright/test";
import { type Dashboard, expectAccessible, startDashboard } from "../harness/dashboard.ts";

let dashboard: Dashboard;

test.beforeAll(async () => {
  dashboard = await startDashboard("managed");
});
test.afterAll(async () => await dashboard?.stop());

const text = `format: catchment.configuration/1
managedBy: billing
hooks:
  - name: Payments
    actions:
      - { name: Book, request: { method: POST, url: "https://billing.example.com/book" } }
eventTypes:
  - name: order.paid
`;
const files = [{ path: "catchment.yaml", text }];

async function plan() {
  return await dashboard.api("POST", "/configuration/plan", { files });
}

async function expectNoSideways(page: Page): Promise<void> {
  const isWider = await page.evaluate(
    () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
  );
  expect(isWider).toBe(false);
}

test("what files manage has a badge, can be changed, downloaded, and released", async ({
  page,
}) => {
  const { api, open } = dashboard;
  const { planId } = await plan();
  await api("POST", "/configuration/apply", { files, planId });
  await dashboard.makeHook({ name: "Unmanaged" });
  await open(page, "/event-types");
  await expect(page.getByRole("row", { name: /order\.paid/ })).toContainText(
    "Managed by code: billing",
  );
  await open(page, "/hooks");
  await expect(page.getByRole("row", { name: /Payments/ })).toContainText(
    "Managed by code: billing",
  );
  await expect(page.getByRole("row", { name: /Unmanaged/ })).not.toContainText("code");
  await expectAccessible(page);

  await page.getByRole("link", { name: "Payments" }).click();
  await expect(page.getByRole("listitem").filter({ hasText: "Book" })).toContainText(
    "code: billing",
  );
  const badge = page.getByRole("button", { name: "Managed by code: billing" });
  await badge.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Managed by code: billing" });
  await expect(dialog).toContainText("You can change it here");
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(badge).toBeFocused();

  await page.getByRole("link", { name: "Settings" }).click();
  await expect(page.getByText("Changed here since")).toBeHidden();
  await page.getByRole("textbox", { name: "Name" }).fill("Payments of 2026");
  await page.getByRole("button", { name: "Save" }).click();
  const notice = page.getByRole("status").filter({ hasText: "Changed here since" });
  await expect(notice).toContainText("Changed here since the files were last applied: name,");
  await expect(notice).toContainText("the next plan of billing warns of it");
  expect((await plan()).changedOutside).toMatchObject([
    { what: 'hook "Payments of 2026"', fields: ["name"], by: dashboard.account.email },
  ]);
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await expectAccessible(page);
  await page.setViewportSize({ width: 360, height: 780 });
  await expectNoSideways(page);
  await page.setViewportSize({ width: 1280, height: 800 });

  const downloading = page.waitForEvent("download");
  await notice.getByRole("button", { name: "Download as YAML" }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe("hook.yaml");
  const written = readFileSync(await download.path(), "utf8");
  expect(written).toContain("name: Payments of 2026");
  expect(written).not.toContain("Unmanaged");

  await notice.getByRole("button", { name: "Release from code" }).click();
  await expect(page.getByText("Released from billing")).toBeVisible();
  await expect(badge).toBeHidden();
  await expect(notice).toBeHidden();
  expect((await plan()).changedOutside).toEqual([]);
});

test("an action of files shows the badge in its editor", async ({ page }) => {
  type Named = { readonly id: string; readonly name: string };
  const hooks = (await dashboard.api("GET", "/hooks?limit=100")).data as Named[];
  const id = hooks.find(({ name }) => name.startsWith("Payments"))?.id;
  const [action] = (await dashboard.api("GET", `/hooks/${id}/actions`)).data as { id: string }[];
  await dashboard.open(page, `/actions/${action?.id}`);
  await expect(page.getByRole("button", { name: "Managed by code: billing" })).toBeVisible();
  await expectAccessible(page);
});
