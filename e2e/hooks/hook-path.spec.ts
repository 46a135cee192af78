import { expect, test } from "@playwright/test";
import { type Dashboard, expectAccessible, startDashboard } from "../harness/dashboard.ts";

let dashboard: Dashboard;

test.beforeAll(async () => {
  dashboard = await startDashboard("hook-path");
});
test.afterAll(async () => await dashboard?.stop());

const signed = { provider: "stripe", signingSecret: `whsec_${"c".repeat(32)}` };

test("a hook that verifies gets a path of its own, and keeps the URL before it for a day", {
  tag: "@variant",
}, async ({ page }) => {
  await dashboard.makeHook({ name: "Shop", ...signed, path: "shop" });
  await dashboard.open(page, "/hooks/new?from=stripe");
  await page.getByLabel("I don't have it yet").check();
  await page.getByText("Customize the URL").click();
  const path = page.getByLabel("URL path");
  await path.fill("shop");
  await expect(path).toHaveAccessibleDescription(
    new RegExp(`/catch/${dashboard.account.slug}/shop`),
  );
  await expect(page.getByLabel("URL prefix (optional)")).toHaveCount(0);
  await page.getByRole("button", { name: "Create hook" }).click();
  await expect(path).toHaveAccessibleDescription(/belongs to the hook "Shop"/);
  await expectAccessible(page);
  await path.fill("billing");
  await page.getByRole("button", { name: "Create hook" }).click();
  await page.waitForURL(/\/hooks\/[0-9a-f-]{36}$/);
  await expect(page.getByText(`/catch/${dashboard.account.slug}/billing`).first()).toBeVisible();

  await page.goto(`${page.url()}/settings`);
  const part = page.getByRole("region", { name: "Catch URL" });
  await part.getByLabel("URL path").fill("Billing");
  await part.getByRole("button", { name: "Save" }).click();
  await expect(part.getByLabel("URL path")).toHaveAccessibleDescription(/lowercase letters/);
  await part.getByLabel("URL path").fill("payments");
  await part.getByRole("button", { name: "Save" }).click();
  await expect(part.getByText("The previous URL still works")).toBeVisible();
  await expect(part.getByText(/\/payments$/).first()).toBeVisible();
  await expectAccessible(page);
});

test("a hook that verifies nothing says why it can't have a path", { tag: "@variant" }, async ({
  page,
}) => {
  const hook = await dashboard.makeHook({ name: "Open" });
  await dashboard.open(page, `/hooks/${hook.id}/settings`);
  const path = page.getByLabel("URL path");
  await expect(path).toBeDisabled();
  await expect(path).toHaveAccessibleDescription(/this hook verifies nothing/);
});
