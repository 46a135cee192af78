import { expect, test } from "@playwright/test";
import { type Dashboard, expectAccessible, startDashboard } from "../harness/dashboard.ts";

let dashboard: Dashboard;
test.beforeAll(async () => {
  dashboard = await startDashboard("forget");
});
test.afterAll(async () => await dashboard?.stop());

test("an owner counts what is about a person, confirms, and finds nothing of them afterwards", async ({
  page,
}) => {
  const email = "jo.doe@example.com";
  const { catchUrl } = await dashboard.makeHook({ name: "Sign-ups" });
  const id = await dashboard.deliver(catchUrl, JSON.stringify({ email: "JO.DOE@example.com" }));
  const other = await dashboard.deliver(catchUrl, JSON.stringify({ email: "else@example.com" }));

  await dashboard.open(page, "/account/data");
  const form = page.getByRole("region", { name: "Forget a person" });
  await form.getByLabel("Values").fill(email);
  await form.getByRole("button", { name: "Count rows" }).click();
  const list = page.getByRole("region", { name: "Erasures" });
  const counted = list.getByRole("listitem").filter({ hasText: "Count" });
  await expect(counted.getByText("Done")).toBeVisible();
  await expect(counted.getByRole("row", { name: "Deliveries 1" })).toBeVisible();
  await expectAccessible(page);

  await form.getByRole("button", { name: "Forget this person" }).click();
  const dialog = page.getByRole("dialog", { name: `Forget ${email}?` });
  await dialog.getByRole("textbox").fill(email);
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Redact" }).click();
  const done = list.getByRole("listitem").filter({ hasText: "Redact" });
  await expect(done.getByText("Done")).toBeVisible();
  await expect(done.getByRole("row", { name: "Deliveries 1 1" })).toBeVisible();

  const bodyOf = async (delivery: string) =>
    JSON.stringify(await dashboard.api("GET", `/deliveries/${delivery}`));
  expect(await bodyOf(id)).toContain("[erased]");
  expect(await bodyOf(other)).toContain("else@example.com");
});

test("an owner has later arrivals found, and removes the rule", async ({ page }) => {
  const email = "kim.roe@example.com";
  const { catchUrl } = await dashboard.makeHook({ name: "Newsletter" });
  await dashboard.open(page, "/account/data");
  const form = page.getByRole("region", { name: "Forget a person" });
  await form.getByLabel("Values").fill(email);
  await form.getByLabel("Find later arrivals too").check();
  await form.getByRole("button", { name: "Forget this person" }).click();
  const dialog = page.getByRole("dialog", { name: `Forget ${email}?` });
  await expect(dialog.getByText("when a value arrives again")).toBeVisible();
  await dialog.getByRole("textbox").fill(email);
  await dialog.getByRole("button", { name: "Redact" }).click();
  const rules = page.getByRole("region", { name: "Later arrivals" });
  await expect(rules.getByText("No match yet")).toBeVisible({ timeout: 60_000 });
  await expectAccessible(page);

  const text = JSON.stringify({ text: "Kim.Roe@example.com has signed up." });
  const id = await dashboard.deliver(catchUrl, text);
  await expect
    .poll(async () => JSON.stringify(await dashboard.api("GET", `/deliveries/${id}`)), {
      timeout: 90_000,
    })
    .toContain("[erased] has signed up.");
  await page.reload();
  await expect(rules.getByText("1 match")).toBeVisible();
  const list = page.getByRole("region", { name: "Erasures" });
  await expect(list.getByText("Later arrival")).toBeVisible();

  await rules.getByRole("button", { name: /^Remove the rule/ }).click();
  await page.getByRole("button", { name: "Remove rule", exact: true }).click();
  await expect(rules.getByText("No rules.")).toBeVisible();
});
