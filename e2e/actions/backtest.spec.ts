import { expect, type Page, test } from "@playwright/test";
import { type Dashboard, expectAccessible, startDashboard } from "../harness/dashboard.ts";

let dashboard: Dashboard;
let actionId = "";
let hookId = "";

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
  hookId = hook.id;
  const bodies = [
    { id: "evt_1", type: "paid", email: "ada@example.com", amount: 4200 },
    { id: "evt_2", type: "paid", email: "bob@example.com", amount: 10 },
    { id: "evt_3", type: "refunded", email: "eve@example.com" },
  ];
  for (const body of bodies) await dashboard.deliver(hook.catchUrl, JSON.stringify(body));
});
test.afterAll(async () => await dashboard?.stop());

/** The first value of the request's body. */
const firstValue = (page: Page) => page.getByLabel("Field 1, value");

async function typeValue(page: Page, text: string) {
  await firstValue(page).click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type(text);
}

const isStored = (page: Page) => expect(page.getByText(/^Draft saved \d/)).toBeVisible();

test("a draft survives a reload and going back, is backtested where it is typed, and is saved from there", async ({
  page,
}) => {
  await expect
    .poll(async () => (await dashboard.api("GET", "/runs?status=succeeded")).data)
    .toHaveLength(2);
  await dashboard.open(page, `/hooks/${hookId}`);
  await page.getByRole("link", { name: "To the CRM", exact: true }).first().click();
  await typeValue(page, "{{ payload.email | upcase }}");
  await isStored(page);

  // A reload, going back to a page that was read before, and the list of drafts.
  await page.reload();
  await expect(firstValue(page)).toContainText("upcase");
  await page.getByRole("link", { name: "Shop", exact: true }).first().click();
  await expect(page.getByRole("link", { name: /^Draft · edited/ })).toBeVisible();
  await page.goBack();
  await expect(firstValue(page)).toContainText("upcase");

  await page.getByRole("button", { name: "Backtest…" }).click();
  const dialog = page.getByRole("dialog", { name: "Backtest this draft" });
  await dialog.getByLabel("Last 100 deliveries").check();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Start backtest" }).click();
  const panel = page.getByRole("region", { name: "Backtest" });
  await expect(panel.getByText("3 deliveries. Nothing was sent.")).toBeVisible();
  await expect(panel.getByText("1 would fail, as it does today.")).toBeVisible();
  await expect(panel.getByRole("button", { name: "Would run 2" })).toBeVisible();
  await panel.getByRole("button", { name: "Changed 2" }).click();
  const rows = panel.getByRole("list", { name: "Results" }).locator("summary");
  await expect(rows).toHaveCount(2);
  await rows.first().click();
  const changes = panel.getByRole("region", { name: "Step call" }).first();
  await expect(changes).toContainText("body.email");
  await expect(changes).toContainText('"BOB@EXAMPLE.COM"');
  await expectAccessible(page);
  await panel.getByRole("button", { name: "Would fail 1" }).click();
  await expect(rows).toHaveCount(1);
  await expect(rows.first()).toContainText("amount");
  expect(dashboard.receiver.calls.length).toBe(2);

  // The backtest's own page leads back to the draft, and so does going back.
  await panel.getByRole("link", { name: "Open as a page" }).click();
  await expect(page.getByRole("heading", { name: "Backtest of “To the CRM”" })).toBeVisible();
  await page.getByRole("link", { name: "Changed 2" }).click();
  await expect(page.getByRole("list", { name: "Results" }).locator("summary")).toHaveCount(2);
  await expectAccessible(page);
  await page.getByRole("link", { name: "Open draft" }).click();
  await expect(firstValue(page)).toContainText("upcase");
  await panel.getByRole("button", { name: "Save this draft" }).click();
  await expect(page.getByText("Saved. New deliveries run this action.")).toBeVisible();
  await expect(panel.getByRole("button", { name: "Save this draft" })).toBeHidden();
  const saved = await dashboard.api("GET", `/actions/${actionId}`);
  expect(saved.request).toMatchObject({ body: { email: "{{ payload.email | upcase }}" } });
  await page.reload();
  await expect(firstValue(page)).toContainText("upcase");
  await expect(page.getByText(/^Draft saved/)).toBeHidden();
});

test("a draft of an action that changed meanwhile, and one without a session, are told and kept", {
  tag: "@variant",
}, async ({ page, context }) => {
  await dashboard.open(page, `/actions/${actionId}`);
  await typeValue(page, "{{ payload.email | downcase }}");
  await isStored(page);
  await dashboard.api("PATCH", `/actions/${actionId}`, { timeoutMs: 7_000 });
  await page.reload();
  const notice = page.getByText(/^This action was changed after you started this draft/);
  await expect(notice).toBeVisible();
  await page.getByRole("button", { name: "Show what changed" }).click();
  const changes = page.getByRole("dialog", { name: /^Saved since version/ });
  await expect(changes).toContainText("7000");
  await expectAccessible(page);
  await changes.getByRole("button", { name: "Close" }).click();
  await page.getByRole("button", { name: "Keep my draft" }).click();
  await expect(notice).toBeHidden();
  await isStored(page);

  const cookies = await context.cookies();
  await context.clearCookies();
  await typeValue(page, "{{ payload.email | capitalize }}");
  await expect(page.getByText(/^Your session has ended, so this draft isn't saved/)).toBeVisible();
  await expectAccessible(page);
  await context.addCookies(cookies);
  await isStored(page);
  await page.reload();
  await expect(firstValue(page)).toContainText("capitalize");

  await page.getByRole("button", { name: "Discard draft" }).click();
  const dialog = page.getByRole("dialog", { name: "Discard this draft?" });
  await dialog.getByRole("button", { name: "Discard draft" }).click();
  await expect(firstValue(page)).not.toContainText("capitalize");
  await page.reload();
  await expect(firstValue(page)).not.toContainText("capitalize");
});
