import { expect, test } from "@playwright/test";
import { connectTo } from "#e2e/harness/connect-to.ts";
import { downloadCsv } from "#e2e/harness/download-csv.ts";
import { type Dashboard, expectAccessible, startDashboard } from "../harness/dashboard.ts";
import { makeHand, reportTask } from "../harness/hand.ts";
import { readLayoutShift } from "../harness/layout-shift.ts";
import { insertHistory } from "../seeds/seed-history.ts";

let dashboard: Dashboard;
let hook: { id: string; catchUrl: string };

test.beforeAll(async () => {
  dashboard = await startDashboard("delivery-list");
  hook = await dashboard.makeHook({ name: "Shop" });
  const action = await dashboard.api("POST", `/hooks/${hook.id}/actions`, {
    name: "Invoice",
    request: { method: "POST", url: dashboard.receiver.url("/invoice") },
  });
  await fillHistory(hook.id, String(action.id));
});
test.afterAll(async () => await dashboard?.stop());

const deliveries = 5_000;

/**
 * Orders of five hours, one every few seconds. Every tenth was rejected, and the run of every seventh
 * of the others failed.
 */
async function fillHistory(hookId: string, actionId: string): Promise<void> {
  await using client = await connectTo(dashboard.server.databaseUrl());
  await insertHistory(client, async () => {
    await client.query(insertOrders, [hookId, deliveries, actionId]);
  });
}

const insertOrders = `
  with stored as (
    insert into deliveries (id, account_id, hook_id, status, reason, received_at, method, path, query, headers,
      content_type, body_size, body, event_type, verification_outcome, source_ip)
    select uuid_v7_at(at), account_id, id, case when n % 10 = 0 then 'rejected' else 'accepted' end,
      case when n % 10 = 0 then 'signature_mismatch' end, at, 'POST', '', '', '[]', 'application/json',
      length(body), body, 'order.paid', case when n % 10 = 0 then 'failed' else 'verified' end, '203.0.113.7'
    from hooks, generate_series(1, $2::int) n,
      lateral (select now() - interval '5 hours' + n * interval '3 s' as at) times,
      lateral (select convert_to(json_build_object('id', 'evt_' || md5(n::text), 'type', 'order.paid',
        'livemode', true, 'data', json_build_object('order', n, 'total', n % 97 + 0.5, 'currency', 'eur',
        'customer', json_build_object('name', 'Customer ' || n,
        'city', (array['Bern', 'Graz', 'Lyon'])[1 + n % 3])))::text, 'UTF8') as body) bodies
    where id = $1::uuid
    returning id, account_id, status, received_at
  )
  insert into runs (id, account_id, target_id, hook_id, delivery_id, state, reason_code, reason_detail,
    attempt_count, finished_at, started_at, duration_ms)
  select run_id(id, 0), account_id, $3::uuid, $1::uuid, id, state,
    case when state = 'failed' then 'not_retried' end,
    case when state = 'failed' then 'The receiver responded with 422; this is not retried' end,
    1, received_at, received_at, 20
  from (select *, case when row_number() over (order by id) % 7 = 0 then 'failed' else 'succeeded' end as state
    from stored where status = 'accepted') run`;

test("a delivery among 5,000 is found by a value of its payload, and its values become columns", {
  tag: "@variant",
}, async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await dashboard.open(page, "/deliveries");
  const rows = page.locator("tbody tr");
  await expect(rows).toHaveCount(50);
  // What all rows share isn't repeated, and the ordinary status is no badge.
  await expect(rows.nth(1)).toContainText("name Customer 4999");
  await expect(rows.nth(1)).not.toContainText("eur");
  await expect(rows.filter({ hasText: "1 succeeded" }).locator(".badge")).toHaveCount(0);
  await expect(rows.first().locator(".badge")).toHaveText("Rejected");

  const hand = makeHand(page);
  await hand.write(page.getByRole("searchbox"), "data.customer.name = Customer 1234");
  await expect(rows).toHaveCount(1);
  await hand.click(rows.getByRole("link"));
  await expect(page.getByRole("heading", { name: "order.paid" })).toBeVisible();
  reportTask("a delivery by a payload value among 5,000", hand, 2);

  await page.goBack();
  await page.getByRole("button", { name: "Clear filters" }).click();
  await expect(rows).toHaveCount(50);
  await page.getByRole("button", { name: "Columns" }).click();
  await page.getByLabel("data.customer.name").check();
  await page.getByLabel("data.total").check();
  await page.getByLabel("Find or type a path").fill("data.customer.city");
  await page.getByLabel("data.customer.city").check();
  await page.getByRole("button", { name: "Show columns" }).click();
  await expect(page).toHaveURL(
    /columns=data\.customer\.name%2Cdata\.total%2Cdata\.customer\.city$/,
  );
  await expect(page.getByRole("columnheader")).toHaveText([
    ...["Status", "Event", "name", "total", "city", "Hook", "Runs", "Received"],
  ]);
  await expect(rows.nth(1)).toContainText("Customer 4999");
  await page.getByRole("button", { name: "total", exact: true }).press("Shift+ArrowLeft");
  const heads = page.getByRole("columnheader");
  const inOrder = ["Status", "Event", "total", "name", "city", "Hook", "Runs", "Received"];
  await expect(heads).toHaveText(inOrder);
  await expect(page.getByRole("button", { name: "total", exact: true })).toBeFocused();
  const edge = page.getByRole("separator", { name: "Width of name" });
  await edge.press("ArrowRight");
  await expect(page).toHaveURL(/widths=%2C\d+%2C$/);
  await edge.hover();
  await page.mouse.down();
  await page.mouse.move(0, 0);
  await page.mouse.up();
  await expect(edge).toHaveAttribute("aria-valuenow", "64");
  await expectAccessible(page);
  await page.getByRole("button", { name: "city", exact: true }).dragTo(heads.nth(2));
  await expect(heads.nth(2)).toHaveText("city");
  await page.getByRole("link", { name: "Older" }).click();
  await expect(rows.first()).toContainText("Customer 4950");
  await page.getByRole("button", { name: "Views" }).click();
  await page.getByRole("menuitem", { name: "Save this view" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill("Customers");
  await page.getByRole("button", { name: "Save view" }).click();
  const views = page.getByRole("button", { name: "Customers" });
  await expect(views).toBeVisible();
  await page.goto(`${dashboard.server.origin}/deliveries`);
  await page.getByRole("button", { name: "Views" }).click();
  await page.getByRole("menuitem", { name: "Customers" }).click();
  await expect(page).toHaveURL(/\?columns=/);
  await views.click();
  await page.getByRole("menuitem", { name: "Manage views" }).click();
  await page.getByLabel("Name of Customers").fill("By customer");
  await page.getByRole("button", { name: "Rename" }).click();
  await expect(page.getByLabel("Name of By customer")).toBeVisible();
  await page.getByRole("button", { name: "Make default" }).click();
  await expect(page.getByRole("button", { name: "Remove default" })).toBeVisible();
  await page.getByRole("button", { name: "Delete" }).click();
  await expect(page.getByText("“By customer” is removed.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Undo" })).toBeFocused();
  await expectAccessible(page);
  await page.keyboard.press("Enter");
  await expect(page.getByLabel("Name of By customer")).toBeVisible();
  await page.keyboard.press("Escape");
  // The menu opens the default view.
  await page.goto(dashboard.server.origin);
  const menu = page.getByRole("navigation", { name: "Main" });
  await menu.getByRole("link", { name: "Deliveries" }).click();
  await expect(page).toHaveURL(/\/deliveries\?columns=/);
  await page.reload();
  await expectAccessible(page);
  expect(await readLayoutShift(page)).toBeLessThan(0.02);
});

test("the bars choose a time, the counts a status, and Runs those that failed", {
  tag: "@variant",
}, async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await dashboard.open(page, `/hooks/${hook.id}`);
  const counts = page.getByRole("navigation", { name: "Counts" });
  await expect(counts.getByRole("link")).toHaveText([
    "All 5,000",
    "Accepted 4,500",
    "Rejected 500",
  ]);
  await counts.getByRole("link", { name: "Rejected" }).click();
  await expect(page).toHaveURL(/status=rejected$/);
  await expect(page.getByLabel("Status")).toHaveValue("rejected");
  await counts.getByRole("link", { name: "All" }).click();
  await expect(page).not.toHaveURL(/status/);

  const box = await page.locator("[data-brush]").boundingBox();
  if (box === null) throw new Error("There are no bars");
  const middle = box.y + box.height / 2;
  await page.mouse.move(box.x + box.width - 40, middle);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width - 2, middle, { steps: 4 });
  await page.mouse.up();
  await expect(page).toHaveURL(/since=between&from=[^&]+&to=/);
  await expect(page.getByLabel("Received")).toHaveValue("between");
  await expect(page.locator("tbody tr")).toHaveCount(50);
  await page.getByRole("button", { name: "Clear filters" }).click();

  await page.getByRole("button", { name: "More", exact: true }).click();
  await page.getByLabel("Runs").selectOption("Failed");
  await expect(page).toHaveURL(/runs=failed$/);
  await expect(counts.getByRole("link")).toHaveText(["All 642", "Accepted 642"]);
  await expect(page.locator("tbody tr")).toHaveCount(50);
  await expect(page.locator("tbody tr").filter({ hasText: "1 failed" })).toHaveCount(50);
  await expectAccessible(page);
});

test("rows are selected by x and Shift, retried, and exported", { tag: "@variant" }, async ({
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await dashboard.open(page, "/deliveries?runs=failed");
  const rows = page.locator("tbody tr");
  await expect(rows).toHaveCount(50);
  await expect(rows.first().getByRole("checkbox")).toBeEnabled();
  await page.keyboard.press("j");
  await page.keyboard.press("x");
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await page.keyboard.press("Shift+X");
  const bar = page.getByRole("region", { name: "Selected deliveries" });
  await expect(bar).toContainText("3 deliveries selected");
  await rows
    .nth(4)
    .getByRole("checkbox")
    .click({ modifiers: ["Shift"] });
  await expect(bar).toContainText("5 deliveries selected");
  await rows.nth(4).getByRole("checkbox").click();
  await expect(bar).toContainText("4 deliveries selected");
  await expectAccessible(page);

  const lines = await downloadCsv(page, bar);
  expect(lines).toHaveLength(5);

  await bar.getByRole("button", { name: "Retry 4" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Retry 4 deliveries" }).click();
  await expect(page.getByText("4 deliveries queued again.")).toBeVisible();
  await expect(bar).toHaveCount(0);
  await expect(rows.filter({ hasText: "1 failed" })).toHaveCount(50);

  await dashboard.open(page, "/deliveries?status=rejected");
  await rows.first().getByRole("checkbox").check();
  await expect(bar.getByRole("button", { name: "Retry" })).toHaveCount(0);
  await bar.getByRole("button", { name: "Accept 1" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Accept 1 delivery" }).click();
  await expect(page.getByText("1 delivery accepted.")).toBeVisible();
  await expect(bar).toHaveCount(0);
});

/** More than is searched in a second: large bodies, with a match at either end. */
async function fillLargeBodies(hookId: string): Promise<void> {
  await using client = await connectTo(dashboard.server.databaseUrl());
  await client.query(insertLargeBodies, [hookId, 40_000]);
}

const insertLargeBodies = `
  insert into deliveries (id, account_id, hook_id, status, received_at, method, path, query, headers, content_type,
    body_size, body, event_type, verification_outcome, source_ip)
  select uuid_v7_at(at), account_id, id, 'accepted', at, 'POST', '', '', '[]', 'text/plain', length(body), body,
    case when n in (1, $2::int) then 'needle.found' else 'order.paid' end, 'not_configured', '203.0.113.7'
  from hooks, generate_series(1, $2::int) n,
    lateral (select now() - interval '1 hour' + n * interval '1 ms' as at) times,
    lateral (select convert_to(repeat('hay ', 4000), 'UTF8') as body) bodies
  where id = $1::uuid`;

test("a text search continues by itself, can be canceled and continued, and ends with everything searched", {
  tag: "@variant",
}, async ({ page }) => {
  let requests = 0;
  page.on("request", (request) => {
    if (request.url().includes("/api/search-on")) requests += 1;
  });
  const haystack = await dashboard.makeHook({ name: "Haystack" });
  await fillLargeBodies(haystack.id);
  await dashboard.open(page, `/deliveries?q=needle&hookId=${haystack.id}`);
  const rows = page.locator("tbody tr");
  await expect(rows).toHaveCount(1);
  await expect(page.getByText(/Searched back to \d+ \w+, \d\d:\d\d/)).toBeVisible();

  const cancel = page.getByRole("button", { name: "Cancel" });
  await cancel.focus();
  await page.keyboard.press("Enter");
  const searchOn = page.getByRole("button", { name: "Search on" });
  await expect(searchOn).toBeFocused();
  await expect(page.getByText("Search canceled, 1 match so far")).toBeAttached();
  await expectAccessible(page);
  const atCancel = requests;
  await expect(rows).toHaveCount(1);
  expect(requests).toBe(atCancel);

  await page.keyboard.press("Enter");
  await expect(rows).toHaveCount(2);
  const end = page.getByText("Searched everything: 2 matches");
  await expect(end).toBeVisible();
  // The button is gone, its focus isn't.
  await expect(end).toBeFocused();
  await expect(page.getByRole("link", { name: "Older" })).toHaveCount(0);
  expect(requests).toBeGreaterThan(1);
  await expectAccessible(page);

  // Leaving ends the search, and coming back shows the list again.
  await page.goto(`${dashboard.server.origin}/deliveries?q=nowhere&hookId=${haystack.id}`);
  await expect(page.getByText("No matches so far")).toBeVisible();
  await page.getByRole("navigation").getByRole("link", { name: "Runs" }).first().click();
  await expect(page.getByRole("heading", { level: 1, name: "Runs" })).toBeVisible();
  const atLeaving = requests;
  await page.goBack();
  await expect(page.getByText("No matching deliveries")).toBeVisible();
  expect(requests).toBeGreaterThan(atLeaving);
});
