import { expect, test } from "@playwright/test";
import { type Dashboard, expectAccessible, startDashboard } from "./harness/dashboard.ts";

let dashboard: Dashboard;

test.beforeEach(async () => {
  dashboard = await startDashboard("home-page");
});
test.afterEach(async () => await dashboard?.stop());

/** Sends many at once, as a provider does after an outage. */
async function burst(catchUrl: string, count: number, name: string): Promise<void> {
  const providers = Array.from({ length: 20 }, async (_, provider) => {
    for (let n = provider; n < count; n += 20) {
      const body = JSON.stringify({ id: `${name}_${n}`, type: "burst.sent" });
      const response = await fetch(catchUrl, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body,
      });
      await response.arrayBuffer();
    }
  });
  await Promise.all(providers);
}

test("a new account is guided to its first hook", { tag: "@variant" }, async ({ page }) => {
  await dashboard.open(page, "/");
  await expect(
    page.getByRole("heading", { name: "Where do your webhooks come from?" }),
  ).toBeVisible();
  await expectAccessible(page);
});

test("home shows what arrived, what fails and why, and links to exactly those runs", async ({
  page,
}) => {
  const hook = await dashboard.makeHook({ name: "Shop" });
  const paused = await dashboard.makeHook({ name: "Resting" });
  await dashboard.api("POST", `/hooks/${paused.id}/pause`);
  await dashboard.api("POST", `/hooks/${hook.id}/actions`, {
    name: "Send receipt",
    request: { method: "POST", url: dashboard.receiver.url("/receipt") },
  });
  dashboard.receiver.respondWith(404, "not here");
  await dashboard.deliver(hook.catchUrl, JSON.stringify({ id: "evt_1", type: "order.paid" }));
  await dashboard.deliver(hook.catchUrl, "{nope");
  await dashboard.open(page, "/");
  const figures = page.getByRole("region", { name: /Statistics for the last 24 hours/ });
  const problems = page.getByRole("region", { name: "Problems" });
  const row = problems.getByRole("row").filter({ hasText: "Send receipt fails" });
  await expect(async () => {
    await page.reload();
    await expect(row).toContainText("1 failed");
  }).toPass();
  await expect(row).toContainText("the receiver responds with 404");
  await expect(figures).toContainText("1 rejected");
  await expect(page.getByRole("listitem").filter({ hasText: "Resting" })).toContainText("Paused");
  const chart = page.getByRole("slider", { name: "Runs over time" });
  // If an hour has started since, the run is in the one before.
  await expect(async () => {
    await chart.press("ArrowLeft");
    await expect(chart).toHaveAttribute("aria-valuetext", /: 0 succeeded, 1 failed$/, {
      timeout: 5_000,
    });
  }).toPass();
  await page.getByText("Show as a table: Runs over time").click();
  await expect(
    page.getByRole("region", { name: "Runs over time" }).getByRole("cell", {
      name: "1",
      exact: true,
    }),
  ).toHaveCount(1);
  await expectAccessible(page);
  await page.getByRole("link", { name: "30 days" }).click();
  await expect(page).toHaveURL(/range=30d/);
  await expect(page.getByRole("region", { name: /Statistics for the last 30 days/ })).toContainText(
    "of 1",
  );
  await row.getByRole("link").click();
  await page.getByRole("link", { name: "View failed runs" }).click();
  await expect(page).toHaveURL(/\/runs\?status=failed&since=7d&actionId=.+/);
  await expect(page.getByRole("link", { name: "Send receipt" })).toHaveCount(1);
});

test("an action that fails at every attempt is shown as failing " +
  "after the first, on its hook's page and in the list", { tag: "@variant" }, async ({ page }) => {
  const hook = await dashboard.makeHook({ name: "Flaky" });
  await dashboard.api("POST", `/hooks/${hook.id}/actions`, {
    name: "Book a courier",
    request: { method: "POST", url: dashboard.receiver.url("/courier") },
    // The next attempt doesn't begin by itself.
    retry: { initialDelayMs: 3_000_000 },
  });
  dashboard.receiver.respondWith(500, "no");
  await dashboard.deliver(hook.catchUrl, JSON.stringify({ id: "evt_flaky", type: "order.paid" }));
  const action = page.getByRole("listitem").filter({ hasText: "Book a courier" });
  await expect(async () => {
    await dashboard.open(page, `/hooks/${hook.id}`);
    await expect(action).toContainText("Failing", { timeout: 1_000 });
  }).toPass();
  await expect(action).toContainText(
    "0% of 1 call succeeded. Last error: The receiver responded with 500",
  );
  await expectAccessible(page);
  await dashboard.open(page, "/hooks");
  await expect(page.locator("tbody tr").first()).toContainText("1 retrying");
  dashboard.receiver.respondWith(200, "{}");
});

test("new deliveries appear in the list automatically; a burst neither freezes the page nor moves it", {
  tag: "@variant",
}, async ({ page }) => {
  const hook = await dashboard.makeHook({ name: "Shop" });
  await burst(hook.catchUrl, 60, "before");
  await dashboard.open(page, "/deliveries");
  const rows = page.locator("tbody tr");
  await expect(page.getByRole("button", { name: "Filters", includeHidden: true })).toBeEnabled();
  await dashboard.deliver(hook.catchUrl, JSON.stringify({ id: "evt_live", type: "order.live" }));
  await expect(rows.first()).toContainText("order.live");

  // A row with the focus doesn't move.
  await page.keyboard.press("j");
  const row = page.getByRole("link", { name: "order.live" });
  await expect(row).toBeFocused();
  const before = await row.boundingBox();
  await page.evaluate(() => {
    const seen = { longest: 0, mutations: 0 };
    Object.assign(window, { seen });
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) seen.longest = Math.max(seen.longest, duration);
    }).observe({ type: "longtask" });
  });
  await burst(hook.catchUrl, 1_000, "first");
  await expect(page.getByRole("button", { name: "100+ new" })).toBeVisible();
  expect(await row.boundingBox()).toEqual(before);
  await expect(row).toBeFocused();

  // At the start the list updates, and keeps its number of rows.
  await page.getByRole("button", { name: "100+ new" }).click();
  await expect(rows.first()).toContainText("first_");
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  await burst(hook.catchUrl, 1_000, "second");
  await expect(rows.first()).toContainText("second_");
  await expect(page.getByRole("button", { name: /new$/ })).toHaveCount(0);
  await expect(rows).toHaveCount(50);
  const longest = await page.evaluate(
    () => (window as unknown as { seen: { longest: number } }).seen.longest,
  );
  // A limit for a page that hangs, not a measurement.
  expect(longest).toBeLessThan(5_000);
});

test("the list can be navigated and searched by keyboard, and its filters are in its URL", {
  tag: "@variant",
}, async ({ page }) => {
  const hook = await dashboard.makeHook({ name: "Shop" });
  await dashboard.deliver(hook.catchUrl, "{nope");
  await burst(hook.catchUrl, 60, "many");
  await dashboard.open(page, "/deliveries?status=rejected");
  await expect(page.getByLabel("Status")).toHaveValue("rejected");
  await expect(page.locator("tbody tr")).toHaveCount(1);
  await expect(page.getByRole("button", { name: "Clear filters" })).toBeEnabled();
  await page.keyboard.press("/");
  await expect(page.getByRole("searchbox")).toBeFocused();
  await page.keyboard.type("nope");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/q=nope/);
  await expect(page.locator("tbody tr")).toHaveCount(1);
  await expect(page.getByRole("searchbox")).toBeFocused();
  await page.getByLabel("Status").selectOption("Accepted");
  await expect(page).toHaveURL(/status=accepted/);
  await expect(page.getByText("No matching deliveries")).toBeVisible();
  await page.getByRole("button", { name: "Clear filters" }).click();
  await expect(page).toHaveURL(`${dashboard.server.origin}/deliveries`);
  await expect(page.getByRole("searchbox")).toHaveValue("");
  await expect(page.locator("tbody tr")).toHaveCount(50);
  await page.keyboard.press("Escape");
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/deliveries\/[0-9a-f-]{36}$/);
  await expect(page.getByRole("heading", { name: "burst.sent" })).toBeVisible();
});

test("times are shown in the viewer's zone and are UTC in the URL, the same everywhere", {
  tag: "@variant",
}, async ({ browser }) => {
  const hook = await dashboard.makeHook({ name: "Shop" });
  await burst(hook.catchUrl, 1, "one");
  const context = await browser.newContext({ timezoneId: "Asia/Kolkata" });
  const page = await context.newPage();
  await dashboard.open(page, "/deliveries?since=between&from=2026-01-01T00:00");
  const [from, to] = [page.getByLabel("From (GMT+5:30)"), page.getByLabel("To (GMT+5:30)")];
  await expect(from).toHaveValue("2026-01-01T05:30");
  await to.fill("2026-01-01T07:00");
  await to.press("Enter");
  await expect(page).toHaveURL(/from=2026-01-01T00%3A00&to=2026-01-01T01%3A30$/);
  await expect(page.getByText("No matching deliveries")).toBeVisible();
  await to.fill("2099-01-01T05:30");
  await expect(page).toHaveURL(/to=2099-01-01T00%3A00$/);
  await expect(page.locator("tbody tr")).toHaveCount(1);
  await page.getByRole("button", { name: "Clear filters" }).click();
  await expect(from).toHaveCount(0);
  await expect(page).toHaveURL(/\/deliveries$/);
  await page.goBack();
  await expect(to).toHaveValue("2099-01-01T05:30");

  const early = await dashboard.deliver(hook.catchUrl, '{"id":"evt_early"}');
  const request = { method: "POST", url: dashboard.receiver.url("/later") };
  await dashboard.api("POST", `/hooks/${hook.id}/actions`, { name: "Later", request });
  await dashboard.open(page, `/deliveries/${early}`);
  await expect(page.getByText(/action was created at [-\d]{10} [:\d]{8} GMT\+5:30/)).toBeVisible();
  await dashboard.open(page, "/");
  await page.getByText("Show as a table").first().click();
  await expect(page.getByRole("columnheader", { name: "From (GMT+5:30)" })).toBeVisible();
  await context.close();
});
