import { expect, test } from "@playwright/test";
import { type Dashboard, expectAccessible, startDashboard } from "../harness/dashboard.ts";
import { readLayoutShift } from "../harness/layout-shift.ts";

let dashboard: Dashboard;

test.beforeAll(async () => {
  dashboard = await startDashboard("listeners");
});
test.afterAll(async () => await dashboard?.stop());

test("a hook's page shows who listens and how far behind they are, and ends them", async ({
  page,
}) => {
  const hook = await dashboard.makeHook({ name: "Orders" });
  await dashboard.deliver(hook.catchUrl, '{"id":"evt_1"}');
  await dashboard.open(page, `/hooks/${hook.id}`);
  await expect(page.getByRole("heading", { name: "Deliveries" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Listeners" })).toBeHidden();
  await page.getByText("Receive deliveries on your own machine").click();
  await expect(page.getByText(/catchment\.mjs listen Orders --to/)).toBeVisible();

  const input = { name: "laptop", host: "ada.local", hookIds: [hook.id], from: "now" };
  const { id, connectionId } = await dashboard.api("POST", "/listeners", input);
  // Also its heartbeat: a slow machine may take longer than the 30 s after which it is gone.
  const acknowledge = (acks: readonly object[]) =>
    dashboard.api("POST", `/listeners/${id}/acks`, { connection: connectionId, acks });
  await page.reload();
  const row = page.getByRole("region", { name: "Listeners" }).getByRole("listitem");
  await expect(row).toContainText("laptop");
  await expect(row).toContainText("ada.local · API token of the test");
  await expect(row).toContainText("Caught up");
  await expect(row).toContainText("Connected");
  await dashboard.deliver(hook.catchUrl, '{"id":"evt_2"}');
  await expect(row).toContainText("1 waiting");
  await acknowledge([]);
  await dashboard.deliver(hook.catchUrl, '{"id":"evt_3"}');
  await expect(row).toContainText("2 waiting");
  const heard = await dashboard.api(
    "GET",
    `/listeners/${id}/deliveries?connection=${connectionId}`,
  );
  const acks = (heard.data as { cursor: string }[]).map(({ cursor }) => ({ cursor, status: 200 }));
  await acknowledge(acks);
  await expect(row).toContainText("Caught up");
  expect(await readLayoutShift(page)).toBeLessThan(0.01);
  await expectAccessible(page);
  await acknowledge([]);

  await row.getByRole("button", { name: "More for laptop on ada.local" }).click();
  await page.getByRole("menuitem", { name: "Disconnect…" }).click();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Disconnect", exact: true }).click();
  await expect(page.getByText("ada.local is disconnected.")).toBeVisible();
  await expect(row).toContainText("Away, last seen");
  expect(await dashboard.api("GET", `/listeners/${id}`)).toMatchObject({ connections: [] });

  await row.getByRole("button", { name: "More for laptop" }).click();
  await page.getByRole("menuitem", { name: "Delete…" }).click();
  await page.getByRole("button", { name: "Delete listener" }).click();
  await expect(page.getByText("“laptop” is deleted.")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Listeners" })).toBeHidden();
});

test("a delivery's page shows what the program on a machine responded", async ({ page }) => {
  const hook = await dashboard.makeHook({ name: "Answered" });
  const input = { name: "desk", host: "grace.local", hookIds: [hook.id], from: "now" };
  const { id, connectionId } = await dashboard.api("POST", "/listeners", input);
  const deliveryId = await dashboard.deliver(hook.catchUrl, '{"id":"evt_1"}');
  const heard = await dashboard.api(
    "GET",
    `/listeners/${id}/deliveries?connection=${connectionId}`,
  );
  const [first] = heard.data as { cursor: string }[];
  const bodyBase64 = Buffer.from("no such order").toString("base64");
  await dashboard.api("POST", `/listeners/${id}/acks`, {
    connection: connectionId,
    acks: [
      { cursor: first?.cursor, status: 404, ms: 12, headers: [["x-shop", "desk"]], bodyBase64 },
    ],
  });
  await dashboard.open(page, `/deliveries/${deliveryId}`);
  await expect(page.getByText("Heard by 1 listener")).toBeVisible();
  const shown = page.getByRole("listitem").filter({ hasText: /^desk/ });
  await expect(shown).toContainText("404");
  await shown.locator("summary").press("Enter");
  await expect(shown).toContainText("On grace.local, for API token of the test");
  await expect(shown).toContainText("no such order");
  await expectAccessible(page);
});
