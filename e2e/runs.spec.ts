import { expect, test } from "@playwright/test";
import { type Dashboard, expectAccessible, startDashboard } from "./harness/dashboard.ts";

let dashboard: Dashboard;
let hook: { id: string; catchUrl: string };

test.beforeAll(async () => {
  dashboard = await startDashboard("runs-page");
  hook = await dashboard.makeHook({ name: "Shop" });
  await dashboard.api("POST", `/hooks/${hook.id}/actions`, {
    name: "Send receipt",
    request: { method: "POST", url: dashboard.receiver.url("/receipt") },
  });
  await dashboard.api("POST", `/hooks/${hook.id}/actions`, {
    name: "Only refunds",
    filter: { all: [{ path: "type", op: "equals", value: "refund.created" }] },
    request: { method: "POST", url: dashboard.receiver.url("/refund") },
  });
});
test.afterAll(async () => await dashboard?.stop());

async function fail(count: number, name: string): Promise<void> {
  dashboard.receiver.answerWith(404, "not here");
  const before = dashboard.receiver.calls.length;
  await Promise.all(
    Array.from({ length: count }, (_, n) =>
      dashboard.deliver(hook.catchUrl, JSON.stringify({ id: `${name}_${n}`, type: "order.paid" })),
    ),
  );
  await expect.poll(() => dashboard.receiver.calls.length).toBe(before + count);
  await expect
    .poll(
      async () =>
        ((await dashboard.api("GET", "/runs?status=failed&limit=200")) as { data: [] }).data.length,
    )
    .toBeGreaterThanOrEqual(count);
}

test("runs across hooks show their status and reason, and can be searched", {
  tag: "@variant",
}, async ({ page }) => {
  await fail(3, "evt");
  await dashboard.open(page, "/runs");
  const rows = page.locator("tbody tr");
  await expect(rows).toHaveCount(6);
  await expect(rows.filter({ hasText: "failed" }).first()).toContainText("HTTP 404");
  await expect(rows.filter({ hasText: "skipped" }).first()).toContainText("Filter didn't match");
  await expectAccessible(page);
  await page.getByRole("combobox", { name: "Action" }).fill("receipt");
  const options = page.getByRole("listbox", { name: "Action" }).getByRole("option");
  await expect(options).toHaveText(["Send receipt (Shop)"]);
  await expectAccessible(page);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/actionId=/);
  await expect(rows).toHaveCount(3);
  await page.getByRole("searchbox").fill("evt_1");
  await expect(rows).toHaveCount(1);
  await rows.first().getByRole("link").click();
  await expect(page).toHaveURL(/\/deliveries\//);
  await page.goBack();
  await expect(page.getByRole("combobox", { name: "Action" })).toHaveValue("Send receipt");
  await expect(rows).toHaveCount(1);
});

test(
  "all runs that match a filter are retried by a job that shows how " +
    "many, continues in the background, and survives a reload",
  async ({ page }) => {
    await fail(60, "many");
    const failed = ((await dashboard.api("GET", "/runs?status=failed&limit=200")) as { data: [] })
      .data.length;
    await dashboard.open(page, "/runs?status=failed");
    dashboard.receiver.answerWith(200, "{}");
    const before = dashboard.receiver.calls.length;
    await page.getByRole("button", { name: "Retry all of these…" }).click();
    await expect(page.getByRole("heading", { name: `Retry ${failed} failed runs?` })).toBeVisible();
    await expectAccessible(page);
    await page.getByRole("button", { name: `Retry ${failed}`, exact: true }).click();
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expect.poll(() => dashboard.receiver.calls.length).toBe(before + failed);
    const job = page.getByRole("region", { name: "Jobs" });
    await expect(job).toContainText(`Retry ${failed} failed runs`);
    await expect(job).toContainText(`${failed} queued again`);
    await expect(page.getByText("No matching runs")).toBeVisible();
    await page.reload();
    await expect(job).toContainText("Done");
    await expectAccessible(page);
    expect(dashboard.receiver.calls.length).toBe(before + failed);
  },
);
