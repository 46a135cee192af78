import { expect, test } from "@playwright/test";
import { Client } from "pg";
import { type Dashboard, expectAccessible, startDashboard } from "./harness/dashboard.ts";

let dashboard: Dashboard;
let hook: { id: string; catchUrl: string };

test.beforeAll(async () => {
  dashboard = await startDashboard("search-on");
  hook = await dashboard.makeHook({ name: "Shop" });
  await fillHistory(dashboard, hook.id);
});
test.afterAll(async () => await dashboard?.stop());

/** More than is searched in a second: large bodies, with a match at either end. */
async function fillHistory({ server }: Dashboard, hookId: string): Promise<void> {
  const client = new Client({ connectionString: server.databaseUrl() });
  await client.connect();
  try {
    await client.query(
      `insert into deliveries (id, account_id, hook_id, status, received_at, method, path, query, headers, content_type,
         body_size, body, event_type, verification_outcome, source_ip)
       select uuid_v7_at(at), account_id, id, 'accepted', at, 'POST', '', '', '[]', 'text/plain', length(body), body,
         case when n in (1, $2::int) then 'needle.found' else 'order.paid' end, 'not_configured', '203.0.113.7'
       from hooks, generate_series(1, $2::int) n,
         lateral (select now() - interval '1 hour' + n * interval '1 ms' as at) times,
         lateral (select convert_to(repeat('hay ', 4000), 'UTF8') as body) bodies
       where id = $1::uuid`,
      [hookId, deliveries],
    );
  } finally {
    await client.end();
  }
}

const deliveries = 40_000;

test("a text search goes on by itself, can be cancelled and continued, and ends with everything searched", {
  tag: "@variant",
}, async ({ page }) => {
  let requests = 0;
  page.on("request", (request) => {
    if (request.url().includes("/api/search-on")) requests += 1;
  });
  await dashboard.open(page, "/deliveries?q=needle");
  const rows = page.locator("tbody tr");
  await expect(rows).toHaveCount(1);
  await expect(page.getByText(/Searched back to \d+ \w+, \d\d:\d\d/)).toBeVisible();

  const cancel = page.getByRole("button", { name: "Cancel" });
  await cancel.focus();
  await page.keyboard.press("Enter");
  const searchOn = page.getByRole("button", { name: "Search on" });
  await expect(searchOn).toBeFocused();
  await expect(page.getByText("Search cancelled, 1 match so far")).toBeAttached();
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
  await page.goto(`${dashboard.server.origin}/deliveries?q=nowhere`);
  await expect(page.getByText("No matches so far")).toBeVisible();
  await page.getByRole("navigation").getByRole("link", { name: "Runs" }).first().click();
  await expect(page.getByRole("heading", { level: 1, name: "Runs" })).toBeVisible();
  const atLeaving = requests;
  await page.goBack();
  await expect(page.getByText("No matching deliveries")).toBeVisible();
  expect(requests).toBeGreaterThan(atLeaving);
});
