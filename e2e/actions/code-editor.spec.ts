import { expect, test } from "@playwright/test";
import { type Dashboard, startDashboard } from "../harness/dashboard.ts";

let dashboard: Dashboard;
let hook: { id: string; catchUrl: string };

test.beforeAll(async () => {
  dashboard = await startDashboard("code-editor");
  hook = await dashboard.makeHook({ name: "Shop" });
  const event = { id: "evt_1", data: { email: "ada@example.com" } };
  await dashboard.deliver(hook.catchUrl, JSON.stringify(event));
});
test.afterAll(async () => await dashboard?.stop());

test("the keyboard gets in and out, undoes what was inserted, and never breaks a single line", {
  tag: "@variant",
}, async ({ page }) => {
  await dashboard.openNewAction(page, hook.id);
  const url = page.getByRole("textbox", { name: "URL", exact: true });
  await url.fill("https://example.com/");
  await page.getByText("URL", { exact: true }).click();
  await expect(url).toBeFocused();
  await page.keyboard.press("Enter");
  await page.keyboard.press("End");
  await page.keyboard.insertText("a\nb");
  await expect(url).toHaveText("https://example.com/ab");
  await page.keyboard.insertText("{{");
  await page.getByRole("button", { name: "Insert {{ id }}" }).click();
  await expect(url).toHaveText("https://example.com/ab{{ id }}");
  await page.keyboard.press("ControlOrMeta+z");
  await expect(url).toHaveText("https://example.com/ab{{");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: "Templates help" })).toBeFocused();
  await page.keyboard.press("Shift+Tab");
  await expect(url).toBeFocused();
});

test("suggestions are taken by Tab, closed by Escape, and read out", { tag: "@variant" }, async ({
  page,
}) => {
  await dashboard.openNewAction(page, hook.id);
  const value = page.getByRole("textbox", { name: "Field 1, value" });
  await value.click();
  await page.keyboard.type("{{ ema");
  const list = page.getByRole("listbox", { name: "Suggestions" });
  await expect(list.getByRole("option")).toHaveText([/data\.email.*ada@example\.com.*text/]);
  await expect(
    page.getByText("1 suggestions, arrow keys to choose, Enter to insert"),
  ).toBeAttached();
  await page.keyboard.press("Escape");
  await expect(list).toHaveCount(0);
  await expect(value).toBeFocused();
  await page.keyboard.press("Control+Space");
  await expect(list).toBeVisible();
  await page.keyboard.press("Tab");
  await expect(value).toHaveText("{{ data.email }}");
  await expect(value).toBeFocused();
});

test("a condition's name is suggested at once, and JSON keeps its lines and indents", {
  tag: "@variant",
}, async ({ page }) => {
  await dashboard.openNewAction(page, hook.id);
  await page.getByRole("button", { name: "Add condition" }).click();
  const name = page.getByLabel("Condition 1, name");
  // A person holds the button down for about this long.
  await name.click({ delay: 150 });
  await page.getByRole("option", { name: /^data\.email/ }).click();
  await expect(name).toHaveText("data.email");
  await page.getByRole("button", { name: "Edit as JSON" }).click();
  const json = page.getByLabel("Filter as JSON");
  await expect(json).toHaveText(/"path": "data\.email"/);
  await json.fill("{");
  await page.keyboard.press("Enter");
  await page.keyboard.type('"all": []');
  await expect.poll(() => json.locator(".cm-line").allTextContents()).toEqual(["{", '  "all": []']);
});
