import { expect, test } from "@playwright/test";
import { downloadCsv } from "#e2e/harness/download-csv.ts";
import { type Dashboard, expectAccessible, startDashboard } from "./harness/dashboard.ts";
import { makeHand, reportTask } from "./harness/hand.ts";

let dashboard: Dashboard;
let hook: { id: string; catchUrl: string };

test.beforeAll(async () => {
  dashboard = await startDashboard("runs-page");
  hook = await dashboard.makeHook({ name: "Shop" });
  await dashboard.api("POST", `/hooks/${hook.id}/actions`, {
    name: "Send receipt",
    request: { method: "POST", url: dashboard.receiver.url("/receipt") },
    // The next attempt doesn't begin by itself.
    retry: { initialDelayMs: 3_000_000 },
  });
  await dashboard.api("POST", `/hooks/${hook.id}/actions`, {
    name: "Only refunds",
    filter: { all: [{ path: "type", op: "equals", value: "refund.created" }] },
    request: { method: "POST", url: dashboard.receiver.url("/refund") },
  });
});
test.afterAll(async () => await dashboard?.stop());

async function countFailed(): Promise<number> {
  const { data } = await dashboard.api("GET", "/runs?status=failed&limit=200");
  return (data as unknown[]).length;
}

async function fail(count: number, name: string): Promise<void> {
  dashboard.receiver.respondWith(404, "not here");
  const [before, failedBefore] = [dashboard.receiver.calls.length, await countFailed()];
  await Promise.all(
    Array.from({ length: count }, (_, n) =>
      dashboard.deliver(hook.catchUrl, JSON.stringify({ id: `${name}_${n}`, type: "order.paid" })),
    ),
  );
  await expect.poll(() => dashboard.receiver.calls.length).toBe(before + count);
  await expect.poll(countFailed).toBe(failedBefore + count);
}

test("runs across hooks show their status and reason, and can be searched", {
  tag: "@variant",
}, async ({ page }) => {
  await fail(3, "evt");
  await dashboard.open(page, "/runs");
  const rows = page.locator("tbody tr");
  await expect(rows).toHaveCount(6);
  await expect(rows.filter({ hasText: "failed" }).first()).toContainText("Not found (404)");
  await expect(rows.filter({ hasText: "skipped" }).first()).toContainText("Filter didn't match");
  await expectAccessible(page);
  await page.getByRole("button", { name: "More", exact: true }).click();
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
  await page.getByRole("button", { name: "More (1)" }).click();
  await expect(page.getByRole("combobox", { name: "Action" })).toHaveValue("Send receipt");
  await expect(rows).toHaveCount(1);
});

test("runs are selected by x and Shift, exported, canceled, and retried, and views keep their filters", {
  tag: "@variant",
}, async ({ page }) => {
  await fail(4, "some");
  await page.setViewportSize({ width: 1280, height: 800 });
  await dashboard.open(page, "/runs?status=failed");
  const rows = page.locator("tbody tr");
  await expect(rows.first().getByRole("checkbox")).toBeEnabled();
  await page.keyboard.press("j");
  await page.keyboard.press("x");
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await page.keyboard.press("Shift+X");
  const bar = page.getByRole("region", { name: "Selected runs" });
  await expect(bar).toContainText("3 runs selected");
  await expect(bar.getByRole("button", { name: "Cancel" })).toHaveCount(0);

  const lines = await downloadCsv(page, bar);
  expect(lines).toHaveLength(4);

  // They wait for another attempt, are canceled, and retried at last.
  dashboard.receiver.respondWith(503, "later");
  const { calls } = dashboard.receiver;
  const before = calls.length;
  await bar.getByRole("button", { name: "Retry 3" }).click();
  await expectAccessible(page);
  await page.getByRole("dialog").getByRole("button", { name: "Retry 3 runs" }).click();
  await expect(page.getByText("3 runs queued again.")).toBeVisible();
  await expect(bar).toHaveCount(0);
  await expect.poll(() => calls.length).toBeGreaterThanOrEqual(before + 3);
  await dashboard.open(page, "/runs?status=retrying");
  await expect(rows).toHaveCount(3);
  await rows.first().getByRole("checkbox").check();
  await bar.getByRole("button", { name: "Select all shown" }).click();
  await expect(bar.getByRole("button", { name: "Retry 3" })).toBeVisible();
  await bar.getByRole("button", { name: "Cancel 3" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel 3 runs" }).click();
  await expect(page.getByText("3 runs canceled.")).toBeVisible();

  await page.getByLabel("Status").selectOption("Canceled");
  await expect(page).toHaveURL(/status=cancelled$/);
  await page.getByRole("button", { name: "Views" }).click();
  await page.getByRole("menuitem", { name: "Save this view" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill("What I stopped");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "What I stopped" })).toBeVisible();
  await dashboard.open(page, "/runs");
  await page.getByRole("button", { name: "Views" }).click();
  await page.getByRole("menuitem", { name: "What I stopped" }).click();
  await expect(page).toHaveURL(/status=cancelled$/);
  await expect(rows).toHaveCount(3);
  dashboard.receiver.respondWith(200, "{}");
  const last = calls.length;
  await rows.first().getByRole("checkbox").check();
  await bar.getByRole("button", { name: "Select all shown" }).click();
  await bar.getByRole("button", { name: "Retry 3" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Retry 3 runs" }).click();
  await expect(page.getByText("3 runs queued again.")).toBeVisible();
  await expect.poll(() => calls.length).toBe(last + 3);
});

test("all runs that match a filter are retried by a job that tries five first and says what became of them", {
  tag: "@variant",
}, async ({ page }) => {
  await fail(60, "many");
  const failed = await countFailed();
  const { receiver } = dashboard;
  const jobs = page.getByRole("region", { name: "Jobs" });
  const retryAll = async () => {
    await page.getByRole("button", { name: "Retry all of these…" }).click();
    await expect(page.getByRole("heading", { name: `Retry ${failed} failed runs?` })).toBeVisible();
    await expect(page.getByRole("checkbox", { name: "Try 5 first" })).toBeChecked();
    await expectAccessible(page);
    await page.getByRole("button", { name: `Retry ${failed}`, exact: true }).click();
    await expect(page.getByRole("dialog")).toHaveCount(0);
  };

  // The receiver still has its fault: five runs show that, and the others are left alone.
  await dashboard.open(page, "/runs?status=failed");
  let before = receiver.calls.length;
  await retryAll();
  await expect(jobs).toContainText(`Retry ${failed} failed runs`);
  await expect(jobs).toContainText("5 of the first 5 failed. No others were queued.");
  await expect(jobs).toContainText(`0 succeeded, 5 failed again, ${failed - 5} left alone`);
  expect(receiver.calls.length).toBe(before + 5);
  await expectAccessible(page);

  // Resumed all the same, all of them fail, and nothing is green.
  await page.getByRole("button", { name: "Resume job" }).click();
  await expect(jobs).toContainText(`0 succeeded, ${failed} failed again`);
  await expect(jobs).toContainText("Failed");
  await expect(jobs).not.toContainText("Done");
  expect(receiver.calls.length).toBe(before + failed);

  // The list of exactly those runs can be retried once the fault is gone.
  await page.getByRole("link", { name: `${failed} failed again` }).click();
  await expect(page).toHaveURL(/jobId=/);
  await expect(page.getByText("Only runs of one job")).toBeVisible();
  receiver.respondWith(200, "{}");
  before = receiver.calls.length;
  await retryAll();
  await expect(jobs).toContainText(`${failed} succeeded, 0 failed again`);
  expect(receiver.calls.length).toBe(before + failed);
  await expect(page.getByText("No matching runs")).toBeVisible();
  await page.reload();
  await expect(jobs).toContainText("Done");
  await expectAccessible(page);
});

test("what failed is found from Home by reason, fixed with a failed delivery at hand, retried, and gone", async ({
  page,
}) => {
  const dashboard = await startDashboard("failures");
  const hook = await dashboard.makeHook({ name: "Shop" });
  for (const [name, path, body] of [
    ["To the CRM", "/crm", { mail: "{{ data.email }}" }],
    ["Send receipt", "/gone", {}],
  ] as const)
    await dashboard.api("POST", `/hooks/${hook.id}/actions`, {
      name,
      request: { method: "POST", url: dashboard.receiver.url(path), body },
    });
  dashboard.receiver.respondWith(404, "not here");
  for (const n of [1, 2, 3])
    await dashboard.deliver(
      hook.catchUrl,
      JSON.stringify({ id: `evt_${n}`, type: "order.paid", data: { total: n } }),
    );
  await dashboard.open(page, "/");
  const problem = page.getByRole("link", { name: "To the CRM fails: the request can't be built" });
  await expect(async () => {
    await page.reload();
    await expect(page.getByRole("link", { name: "6 failed in the last 7 days" })).toBeVisible();
    await expect(problem).toBeVisible();
  }).toPass();
  await page.getByRole("link", { name: "6 failed in the last 7 days" }).click();
  const groups = page.getByRole("list", { name: "Failures", exact: true }).getByRole("listitem");
  await expect(groups).toHaveCount(2);
  const crm = groups.filter({ hasText: "To the CRM" });
  await expect(crm).toContainText("Missing field · body.mail: data.email is not in this payload");
  await expect(groups.filter({ hasText: "Send receipt" })).toContainText("Not found (404)");
  await expectAccessible(page);

  // The list has exactly the runs that the group counts, with the events' ids.
  await page.getByRole("link", { name: "3 failed of To the CRM" }).click();
  await expect(page).toHaveURL(/\/runs\?status=failed&actionId=.+&reason=mapping_failed&since=7d/);
  const rows = page.locator("tbody tr");
  await expect(rows).toHaveCount(3);
  await expect(rows.first()).toContainText(/order\.paid ?evt_3/);
  await page.getByRole("button", { name: "Clear filters" }).click();
  await expect(page).toHaveURL(/\/runs$/);
  await expect(rows).toHaveCount(6);
  await page.getByRole("link", { name: "Group by reason" }).click();
  await expect(rows).toHaveCount(2);
  await expect(rows.filter({ hasText: "Not retried" })).toContainText("3");
  await page.getByLabel("Status").selectOption("Failed");
  await expect(page).toHaveURL(/status=failed&group=reason/);
  await expectAccessible(page);
  await page.getByRole("link", { name: "Missing field" }).click();
  await expect(page).toHaveURL(/\/runs\?status=failed&reason=mapping_failed$/);
  await expect(rows).toHaveCount(3);

  // A failure that the receiver has to fix is muted.
  await dashboard.open(page, "/failures");
  await expect(page).toHaveURL(/\/problems\/failures$/);
  await expect(groups).toHaveCount(2);
  await page.getByRole("button", { name: /^Mute: .+ of Send receipt$/ }).click();
  await expect(groups).toHaveCount(1);
  const muted = page.getByRole("list", { name: "Muted failures" });
  await expect(muted).toContainText("Send receipt");

  await dashboard.open(page, "/");
  const hand = makeHand(page);
  await hand.click(problem);
  await hand.click(page.getByRole("link", { name: "Open the action" }));
  await expect(page).toHaveURL(/#body\.mail$/);
  await expect(page.locator("[data-place='body.mail']")).toBeFocused();
  await expect(page.getByRole("combobox", { name: "Delivery" })).toHaveValue(
    /^evt_\d, order\.paid/,
  );
  await page.getByRole("tab", { name: /^Activity/ }).click();
  const plots = page.getByRole("region", { name: "The last 24 hours" });
  await expect(plots).toContainText("Failed");
  await expect(plots.getByRole("link", { name: "3" })).toHaveCount(2);
  const slider = plots.getByRole("slider", { name: "Time" });
  await slider.focus();
  // If an hour has started since, the runs are in the one before.
  await expect(async () => {
    await page.keyboard.press("ArrowLeft");
    await expect(slider).toHaveAttribute("aria-valuetext", /: 3 runs, 3 failed, /, {
      timeout: 5_000,
    });
  }).toPass();
  await expect(plots.getByRole("link")).toHaveCount(0);
  await page.keyboard.press("Home");
  await expect(slider).toHaveAttribute("aria-valuetext", /: 0 runs, 0 failed, –$/);
  await plots.getByRole("button", { name: "30 days" }).click();
  const month = page.getByRole("region", { name: "The last 30 days" });
  await expect(month.getByRole("link", { name: "3" })).toHaveCount(2);
  await expectAccessible(page);
  await page.getByRole("tab", { name: "Editor" }).click();
  await hand.click(page.getByRole("button", { name: "Use a default" }));
  await expect(page.getByText("Ready to send", { exact: true })).toBeVisible();
  await hand.click(page.getByRole("button", { name: "Save action" }));
  await expect(page.getByText("Saved. New deliveries run this action.")).toBeVisible();

  dashboard.receiver.respondWith(200, "{}");
  const before = dashboard.receiver.calls.length;
  await hand.click(page.getByRole("link", { name: /^Problems/ }));
  await hand.click(problem);
  await hand.click(page.getByRole("button", { name: "Retry failed runs…" }));
  await expect(
    page.getByRole("heading", { name: "Retry 3 failed runs of “To the CRM”?" }),
  ).toBeVisible();
  await hand.click(page.getByRole("button", { name: "Retry 3", exact: true }));
  await expect.poll(() => dashboard.receiver.calls.length).toBe(before + 3);
  await expect(page.getByRole("region", { name: "Jobs" })).toContainText("3 succeeded, 0 failed");
  reportTask("from Home to the problem, fixed, and retried", hand, 8);
  await expectAccessible(page);
  await dashboard.open(page, "/problems/failures");
  await expect(page.getByText("Nothing failed in the last 7 days")).toBeVisible();
  await expect(muted).toContainText("Send receipt");
  dashboard.receiver.stop();
});
