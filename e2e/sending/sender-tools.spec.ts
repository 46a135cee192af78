import { expect, type Page, test } from "@playwright/test";
import { type Dashboard, expectAccessible, startDashboard } from "../harness/dashboard.ts";

/** The commands of the sender besides publishing: test, resend, recover, replay, import, hooks. */
let dashboard: Dashboard;

test.beforeAll(async () => {
  dashboard = await startDashboard("tools");
});
test.afterAll(async () => await dashboard?.stop());

async function subscribe(path: string, fields: object = {}): Promise<string> {
  const { api, receiver } = dashboard;
  const created = await api("POST", "/subscriptions", {
    receiverUrl: receiver.url(path),
    ...fields,
  });
  return String(created.id);
}

const callsTo = (path: string) => dashboard.receiver.calls.filter((call) => call.path === path);
const idsOf = (path: string) => callsTo(path).map(({ headers }) => String(headers["webhook-id"]));

async function publish(ids: readonly string[], fields: object = {}): Promise<void> {
  const events = ids.map((id) => ({ id, type: "invoice.paid", data: { amount: 40 }, ...fields }));
  await dashboard.api("POST", "/events/batch", { events });
}

test("a test event reaches its subscription only; failed sends are recovered, and missed events replayed", async ({
  page,
}) => {
  const { api, receiver } = dashboard;
  receiver.respondWith(503, "Not now", "/crm");
  const retry = { maxAttempts: 1 };
  await subscribe("/other", { recipient: "cust_1" });
  await dashboard.open(page, "/subscriptions");
  await expect(page.getByRole("row").filter({ hasText: "/other" })).toContainText(
    "Nothing sent yet",
  );
  // The list is live.
  const id = await subscribe("/crm", { recipient: "cust_1", eventTypes: ["invoice.*"], retry });
  await page.getByRole("link", { name: /\/crm$/ }).click();

  await publish(["inv_1", "inv_2"], { recipient: "cust_1" });
  await expect(page.getByRole("row").filter({ hasText: "Failed" })).toHaveCount(2);
  receiver.respondWith(200, "ok", "/crm");
  // The page may have been read before a type was published.
  await page.reload();
  await page.getByRole("button", { name: "Send test event" }).click();
  await page.getByRole("link", { name: "View event" }).click();
  await expect(page.getByRole("heading", { name: "invoice.paid" })).toBeVisible();
  await expect(page.getByText("succeeded", { exact: true })).toBeVisible();
  expect(idsOf("/crm").filter((sent) => sent.startsWith("test_"))).toHaveLength(1);
  expect(idsOf("/other").filter((sent) => sent.startsWith("test_"))).toHaveLength(0);

  await page.goBack();
  await page.getByRole("button", { name: "Recover failed…" }).click();
  await page.getByLabel("Since").selectOption("a time");
  await page.getByRole("button", { name: "Recover", exact: true }).click();
  await expect(page.getByText("Choose a time.")).toBeVisible();
  await expect(page.getByLabel(/^Time \(/)).toBeFocused();
  await page.getByLabel(/^Time \(/).fill(await anHourAgo(page));
  await expectAccessible(page);
  await page.getByRole("button", { name: "Recover", exact: true }).click();
  const jobs = page.getByRole("region", { name: "Jobs" });
  await expect(jobs).toContainText("2 succeeded, 0 failed again");
  await expect(jobs).toContainText("Done");
  await expect.poll(() => idsOf("/crm").filter((sent) => sent === "inv_1").length).toBe(2);
  await expect(page.getByRole("row").filter({ hasText: "Failed" })).toHaveCount(0);

  await api("POST", `/subscriptions/${id}/disable`, {});
  await publish(["inv_3", "inv_4", "inv_5"], { recipient: "cust_1" });
  await api("POST", `/subscriptions/${id}/enable`, {});
  await page.reload();
  await page.getByRole("button", { name: "Replay missing…" }).click();
  await page.getByRole("button", { name: "Replay", exact: true }).click();
  await expect(jobs).toContainText("3 succeeded, 0 failed");
  await expect.poll(() => idsOf("/crm")).toEqual(expect.arrayContaining(["inv_3", "inv_5"]));
  await expectAccessible(page);
  await page.getByRole("button", { name: "Replay missing…" }).click();
  await page.getByRole("button", { name: "Replay", exact: true }).click();
  await expect(page.getByText("No event is missing.")).toBeVisible();
});

test("an event is sent again only where it failed, with the same id and body", {
  tag: "@variant",
}, async ({ page }) => {
  const { receiver } = dashboard;
  receiver.respondWith(500, "broken", "/b");
  await subscribe("/a", { recipient: "cust_2" });
  // The page is open before the last attempt fails.
  const retry = { maxAttempts: 2, initialDelayMs: 5_000, maxDelayMs: 5_000 };
  await subscribe("/b", { recipient: "cust_2", retry });
  await publish(["inv_again"], { recipient: "cust_2" });
  await dashboard.open(page, "/events/inv_again");
  await expect(page.getByText("1 failed")).toBeVisible();
  await expect(page.getByText("1 succeeded")).toBeVisible();
  receiver.respondWith(200, "fixed", "/b");
  await page.getByRole("button", { name: "Resend", exact: true }).click();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Resend event" }).click();
  await expect(page.getByText("2 succeeded")).toBeVisible();
  const [first, , resent] = callsTo("/b");
  expect(resent?.headers["webhook-id"]).toBe("inv_again");
  expect(resent?.body).toBe(first?.body);
  expect(callsTo("/a")).toHaveLength(1);
});

test("a filter shows how many of the latest events it matches", { tag: "@variant" }, async ({
  page,
}) => {
  await publish(["small"], { type: "order.paid", data: { amount: 5 } });
  await publish(["large"], { type: "order.paid", data: { amount: 500 } });
  await dashboard.open(page, "/subscriptions/new");
  await page.getByRole("combobox", { name: "Event types" }).fill("order.*,");
  await page.getByText("Filter", { exact: true }).click();
  await page.getByRole("button", { name: "Add condition" }).click();
  await page.getByRole("textbox", { name: "Condition 1, name" }).click();
  await page.keyboard.insertText("data.amount");
  await page.getByLabel("Condition 1, comparison").selectOption("is at least");
  await page.getByLabel("Condition 1, value").fill("100");
  await expect(page.getByText("Matches 1 of the last 2 events of these types.")).toBeVisible();
});

test("without a clipboard API, as over http, a link is copied in its dialog and the focus stays", {
  tag: "@variant",
}, async ({ page }) => {
  await page.addInitScript(() =>
    Object.defineProperty(navigator, "clipboard", { value: undefined }),
  );
  await dashboard.api("PUT", "/recipients/cust_copies", {});
  await dashboard.open(page, "/recipients/cust_copies");
  await page.getByRole("button", { name: "Create portal link" }).click();
  await page.getByRole("button", { name: "Create link" }).click();
  const link = await page.getByTestId("portal-link").textContent();
  const copy = page.getByRole("dialog").getByRole("button", { name: /portal link$/ });
  await copy.click();
  await expect(copy).toBeFocused();
  await page.goto(`${dashboard.server.origin}/recipients`);
  const search = page.getByRole("searchbox", { name: "Search" });
  await search.focus();
  await page.keyboard.press("ControlOrMeta+v");
  await expect(search).toHaveValue(link ?? "");
});

test("webhooks of an OpenAPI document become event types", { tag: "@variant" }, async ({
  page,
}) => {
  await dashboard.open(page, "/event-types/import");
  const field = page.getByRole("textbox", { name: "Document" });
  await expect(field).toBeEditable();
  await page.getByRole("button", { name: "Import event types" }).click();
  await expect(page.getByText("Document must not be empty.")).toBeVisible();
  await expect(field).toBeFocused();

  const buffer = Buffer.from(openApi);
  await page.getByLabel("File").setInputFiles({ name: "api.yaml", mimeType: "text/yaml", buffer });
  // The thread that reads it may be slow to start on a busy machine.
  const imported = page.getByText("2 event types imported.");
  await expect(async () => {
    if (!(await imported.isVisible()))
      await page.getByRole("button", { name: "Import event types" }).click({ timeout: 1_000 });
    await expect(imported).toBeVisible({ timeout: 25_000 });
  }).toPass();
  await expect(page.getByText("Not imported")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("link", { name: "View event types" }).click();
  await page.getByRole("link", { name: "refund.made" }).click();
  await expect(page.getByRole("textbox", { name: "Description" })).toHaveValue("Money went back.");
  await expect(page.getByRole("textbox", { name: "Schema" })).toContainText('"amount"');
});

const openApi = `
openapi: 3.1.0
info: { title: Shop, version: "1" }
webhooks:
  refund.made:
    post:
      summary: Money went back.
      requestBody:
        content:
          application/json:
            schema: { type: object, required: [amount], properties: { amount: { type: number } } }
  refund.failed:
    post: { summary: It did not. }
  "Not A Type":
    post: { summary: No. }
`;

test("a hook publishes what it accepts, to the subscriptions of the recipient that the payload names", {
  tag: "@variant",
}, async ({ page }) => {
  const hook = await dashboard.makeHook({ name: "Shop" });
  await subscribe("/mine", { recipient: "cust_7", eventTypes: ["order.shipped"] });
  await subscribe("/theirs", { recipient: "cust_8" });
  await dashboard.open(page, `/hooks/${hook.id}/settings?tab=behavior`);
  await page.getByLabel("Publish each accepted delivery as an event").check();
  const section = page.getByRole("region", { name: "Publish" });
  await section.getByLabel("Event type").fill("order.shipped");
  await section.getByLabel("Recipient").fill("customer.id");
  await section.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Saved. This applies to new deliveries.")).toBeVisible();

  // Processes that catch read the hook again within moments.
  let orders = 0;
  await expect(async () => {
    orders += 1;
    const body = `{"order":${orders},"customer":{"id":"cust_7"},"total":12.50}`;
    await dashboard.deliver(hook.catchUrl, body);
    await expect.poll(() => callsTo("/mine").length, { timeout: 3_000 }).toBeGreaterThan(0);
  }).toPass();
  const [call] = callsTo("/mine");
  expect(call?.body).toContain('"customer":{"id":"cust_7"},"total":12.50}}');
  expect(callsTo("/theirs")).toHaveLength(0);

  await page.goto(`${dashboard.server.origin}/events?recipient=cust_7`);
  await page.getByRole("link", { name: "order.shipped" }).first().click();
  await expect(page.getByText("succeeded", { exact: true })).toBeVisible();
  await page.getByRole("link", { name: "Published by a hook" }).click();
  await expect(page).toHaveURL(/\/deliveries\//);
});

/** Writes a local time as the browser does. */
async function anHourAgo(page: Page): Promise<string> {
  return await page.evaluate(() => {
    const at = new Date(Date.now() - 3_600_000);
    return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
  });
}
