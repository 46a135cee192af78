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

test("a draft survives a reload and going back, is backtested where it is typed, and is saved from there", {
  tag: "@variant",
}, async ({ page }) => {
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
  const groups = panel.getByRole("list", { name: "Results" }).locator("> li > details > summary");
  await expect(groups).toHaveCount(1);
  await expect(groups).toContainText(/^2 ×.*body\.email.*bob@example\.com.*BOB@EXAMPLE\.COM/);
  await groups.click();
  const rows = panel.getByRole("list", { name: "Deliveries" }).locator("summary");
  await expect(rows).toContainText([/^evt_2.*BOB@EXAMPLE/, /^evt_1.*ADA@EXAMPLE/]);
  await rows.first().click();
  const changes = panel.getByRole("region", { name: "Step call" }).first();
  await expect(changes).toContainText("body.email");
  await expect(changes).toContainText('"BOB@EXAMPLE.COM"');
  await expectAccessible(page);
  await panel.getByRole("button", { name: "Would fail 1" }).click();
  await expect(groups).toContainText(/^1 ×.*amount/);
  expect(dashboard.receiver.calls.length).toBe(2);

  // The backtest's own page leads back to the draft, and so does going back.
  await panel.getByRole("link", { name: "Open as a page" }).click();
  await expect(page.getByRole("heading", { name: "Backtest of “To the CRM”" })).toBeVisible();
  await page.getByRole("link", { name: "Changed 2" }).click();
  await expect(page.getByRole("list", { name: "Results" })).toContainText("2 ×");
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

test("a new action is saved once: the next new action is empty, and one event is one call", async ({
  page,
}) => {
  const hook = await dashboard.makeHook({ name: "Once" });
  await dashboard.open(page, `/hooks/${hook.id}`);
  const newAction = page.getByRole("link", { name: "New action", exact: true }).first();
  const name = page.getByLabel("Name", { exact: true });
  const save = page.getByRole("button", { name: "Save action" });
  // Saved before it rests, and after.
  for (const path of ["/once-1", "/once-2"]) {
    await dashboard.open(page, `/hooks/${hook.id}/actions/new`);
    await expect(name).toHaveValue("");
    await name.fill(path);
    await page.getByLabel("URL", { exact: true }).fill(dashboard.receiver.url(path));
    if (path === "/once-2") await isStored(page);
    await save.click();
    await expect(page).toHaveURL(/\/actions\/[0-9a-f-]{36}/);
    await page.getByRole("link", { name: "Once", exact: true }).first().click();
    await expect(page.getByRole("link", { name: path, exact: true })).toBeVisible();
    await expect(page.getByText("Not saved")).toHaveCount(0);
    await newAction.click();
    await expect(page.getByRole("heading", { level: 1, name: "New action" })).toBeVisible();
    await expect(name).toHaveValue("");
    await expect(page.getByLabel("URL", { exact: true })).not.toContainText("/once");
  }
  await dashboard.deliver(hook.catchUrl, '{"id":"evt_once","type":"paid","data":{}}');
  const calls = () =>
    dashboard.receiver.calls.map(({ path }) => path).filter((path) => path.startsWith("/once"));
  await expect.poll(() => calls().toSorted()).toEqual(["/once-1", "/once-2"]);
});

test("a draft that a second tab or a lost response saves again is refused, and says why", async ({
  page,
  context,
}) => {
  const hook = await dashboard.makeHook({ name: "Twice" });
  await dashboard.open(page, `/hooks/${hook.id}/actions/new`);
  await page.getByLabel("Name", { exact: true }).fill("Twice");
  await page.getByLabel("URL", { exact: true }).fill(dashboard.receiver.url("/twice"));
  await isStored(page);
  const second = await context.newPage();
  await second.goto(page.url());
  await expect(second.getByLabel("Name", { exact: true })).toHaveValue("Twice");
  // The first tab's response is lost on the way.
  await page.route("**/actions/new*", async (route) => {
    if (route.request().method() !== "POST") return await route.continue();
    await route.fetch();
    await route.abort();
  });
  const save = (tab: Page) => tab.getByRole("button", { name: "Save action" }).click();
  await save(page);
  await expect(page.getByText(/^Not saved\./)).toBeVisible();
  await page.unroute("**/actions/new*");
  for (const tab of [page, second]) {
    await save(tab);
    await expect(tab.getByText("This draft was already saved or discarded.").first()).toBeVisible();
  }
  expect((await dashboard.api("GET", `/hooks/${hook.id}/actions`)).data).toHaveLength(1);
});
