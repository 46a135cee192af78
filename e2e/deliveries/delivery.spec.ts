import { expect, type Page, test } from "@playwright/test";
import { type Dashboard, expectAccessible, startDashboard } from "../harness/dashboard.ts";
import { deliveryShapes } from "../harness/delivery-shapes.ts";
import { chooseInMenu } from "../harness/hand.ts";

let dashboard: Dashboard;
let hook: { id: string; catchUrl: string };

const event = {
  id: "evt_page_1",
  type: "checkout.session.completed",
  data: { object: { customer_email: "ada@example.com", amount_total: 4200 } },
};

test.beforeAll(async () => {
  dashboard = await startDashboard("delivery-page");
  hook = await dashboard.makeHook({ name: "Shop" });
  await dashboard.api("POST", `/hooks/${hook.id}/actions`, {
    name: "To the CRM",
    request: {
      method: "POST",
      url: dashboard.receiver.url("/crm"),
      body: { email: "{{ data.object.customer_email }}" },
    },
    // The next attempt doesn't begin by itself.
    retry: { initialDelayMs: 3_000_000 },
  });
});
test.afterAll(async () => await dashboard?.stop());

/** The size of a page's HTML, in bytes. */
async function pageSize(page: Page): Promise<number> {
  const response = await page.request.get(page.url());
  expect(response.status()).toBe(200);
  return (await response.body()).byteLength;
}

test("a delivery shows what happened: verification, storage, and each call with its response", async ({
  page,
}) => {
  const id = await dashboard.deliver(hook.catchUrl, JSON.stringify(event));
  await dashboard.open(page, `/deliveries/${id}`);
  await expect(page.getByRole("heading", { name: event.type })).toBeVisible();
  await expect(page.getByText("Signature not checked")).toBeVisible();
  await expect(page.getByText("A new event")).toBeVisible();
  await expect(page.getByText("Stored", { exact: true })).toBeVisible();
  await expect(page.getByText("succeeded")).toBeVisible();
  await page.getByText("Attempt 1", { exact: true }).click();
  await expect(page.getByText('{"email":"ada@example.com"}')).toBeVisible();
  await expect(page.getByText('{"saved":true}')).toBeVisible();
  await expectAccessible(page);
});

test("a payload field is copied as its template name", { tag: "@variant" }, async ({
  page,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const id = await dashboard.deliver(hook.catchUrl, JSON.stringify({ ...event, id: "evt_copy" }));
  await dashboard.open(page, `/deliveries/${id}`);
  await page.getByRole("button", { name: "Copy {{ data.object.amount_total }}" }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    "{{ data.object.amount_total }}",
  );
  await page.getByRole("button", { name: "Copy as curl" }).click();
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toContain(hook.catchUrl);
  await page.getByRole("tab", { name: "Payload" }).press("ArrowRight");
  await expect(page.getByRole("region", { name: "Raw body" })).toContainText('"evt_copy"');
  await page.getByRole("tab", { name: "Raw body" }).press("ArrowRight");
  await expect(page.getByRole("tabpanel").getByText("application/json")).toBeVisible();
  await expectAccessible(page);
});

test("a duplicate links to its original delivery", { tag: "@variant" }, async ({ page }) => {
  const original = await dashboard.deliver(
    hook.catchUrl,
    JSON.stringify({ ...event, id: "evt_twice" }),
  );
  const repeated = await dashboard.deliver(
    hook.catchUrl,
    JSON.stringify({ ...event, id: "evt_twice" }),
  );
  await dashboard.open(page, `/deliveries/${repeated}`);
  await expect(page.getByText("Repeats an earlier delivery")).toBeVisible();
  await page.getByRole("link", { name: "View the original delivery" }).click();
  await expect(page).toHaveURL(new RegExp(`${original}$`));
  await expect(page.getByText("Repeated once since")).toBeVisible();
  await page.getByRole("list", { name: "Duplicates" }).getByRole("link").click();
  await expect(page).toHaveURL(new RegExp(`${repeated}$`));
  // In lists the duplicate is above its original: j goes down, k comes back.
  await expect(page.getByRole("link", { name: "Older delivery (j)" })).toBeVisible();
  await page.keyboard.press("j");
  await expect(page).toHaveURL(new RegExp(`${original}$`));
  await expect(page.getByText("Repeated once since")).toBeVisible();
  await page.keyboard.press("k");
  await expect(page).toHaveURL(new RegExp(`${repeated}$`));
});

test("a replay runs only the chosen actions, after a confirmation, and the page follows it to its end", {
  tag: "@variant",
}, async ({ page }) => {
  const other = await dashboard.makeHook({ name: "Two actions" });
  for (const name of ["First", "Second"]) {
    await dashboard.api("POST", `/hooks/${other.id}/actions`, {
      name,
      request: { method: "POST", url: dashboard.receiver.url(`/replay/${name}`) },
    });
  }
  const id = await dashboard.deliver(
    other.catchUrl,
    JSON.stringify({ ...event, id: "evt_replay" }),
  );
  await dashboard.open(page, `/deliveries/${id}`);
  await expect(page.getByText("succeeded")).toHaveCount(2);
  await page.getByRole("button", { name: "Replay", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Run actions again on this delivery?" });
  await expect(dialog.getByText(/new Idempotency-Key/)).toBeVisible();
  await expectAccessible(page);
  await dialog.getByLabel(/First/).uncheck();
  await dialog.getByRole("button", { name: "Replay 1 action" }).click();
  const calls = () => dashboard.receiver.calls.filter(({ path }) => path.startsWith("/replay/"));
  await expect.poll(() => calls().map(({ path }) => path)).toHaveLength(3);
  expect(calls().at(-1)?.path).toBe("/replay/Second");
  await expect(page.getByText("succeeded")).toHaveCount(3);
  await expect(page.getByText("replay", { exact: true })).toHaveCount(1);
});

test("the tree can be searched and navigated by keyboard; Enter copies a name, Ctrl+C a value", {
  tag: "@variant",
}, async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const id = await dashboard.deliver(hook.catchUrl, JSON.stringify({ ...event, id: "evt_keys" }));
  await dashboard.open(page, `/deliveries/${id}`);
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
  await page.getByRole("searchbox", { name: "Search in payload" }).fill("ADA@");
  await expect(page.getByText("1 match.")).toBeVisible();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("End");
  await expect(page.getByRole("treeitem", { name: /customer_email/ })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect.poll(clipboard).toBe("{{ data.object.customer_email }}");
  await page.keyboard.press("ControlOrMeta+c");
  await expect.poll(clipboard).toBe("ada@example.com");
  await page.getByRole("searchbox").fill("");
  await page.getByRole("button", { name: "Collapse all" }).click();
  await expect(page.getByRole("treeitem", { name: /customer_email/ })).toHaveCount(0);
  await page.getByRole("button", { name: "Expand all" }).click();
  await expect(page.getByRole("treeitem", { name: /customer_email/ })).toBeVisible();
});

test("a failed call shows its next attempt, can be retried at once, or canceled", async ({
  page,
}) => {
  dashboard.receiver.respondWith(503, "<script>document.title='run'</script>");
  const id = await dashboard.deliver(hook.catchUrl, JSON.stringify({ ...event, id: "evt_fails" }));
  await dashboard.open(page, `/deliveries/${id}`);
  await expect(page.getByText(/Attempt 2 in \d+:\d\d/)).toBeVisible();
  await page.getByText("Attempt 1", { exact: true }).click();
  await expect(page.getByText("<script>document.title='run'</script>")).toBeVisible();
  await expect(page).toHaveTitle("checkout.session.completed · Delivery · Catchment");
  const before = dashboard.receiver.calls.length;
  await page.getByRole("button", { name: "Try now To the CRM" }).click();
  await expect.poll(() => dashboard.receiver.calls.length).toBe(before + 1);
  await expect(page.getByText(/Attempt 3 in \d+:\d\d/)).toBeVisible();
  await page.getByRole("button", { name: "Cancel To the CRM" }).click();
  await expect(page.getByText("canceled", { exact: true })).toBeVisible();
  await expectAccessible(page);
  dashboard.receiver.respondWith(200, '{"saved":true}');
});

test("a rejected delivery shows why and what to do", { tag: "@variant" }, async ({ page }) => {
  const signed = await dashboard.makeHook({
    name: "Signed",
    provider: "stripe",
    signingSecret: `whsec_${"a".repeat(32)}`,
  });
  const id = await dashboard.deliver(signed.catchUrl, JSON.stringify(event));
  await dashboard.open(page, `/deliveries/${id}`);
  await expect(page.getByText("Signature not accepted")).toBeVisible();
  await expect(
    page.getByRole("paragraph").filter({ hasText: /with the signature is missing/ }),
  ).toBeVisible();
  await expect(page.getByRole("button", { name: "Replay", exact: true })).toHaveCount(0);
  await expectAccessible(page);
});

const hostile = `"><img src=x onerror="document.title='run'"><script>document.title='run'</script></script><!--{{7*7}}\u202e\u0000`;

test("foreign text is shown as text", { tag: "@variant" }, async ({ page }) => {
  const own = await dashboard.makeHook({ name: `${hostile.replace(/[^\x20-\x7e]/g, "")}` });
  const body = JSON.stringify({ id: hostile, type: hostile, [hostile]: { [hostile]: hostile } });
  const id = await dashboard.deliver(own.catchUrl, body, {
    "content-type": "application/json",
    "x-hostile": "<img src=x onerror=\"document.title='run'\">",
  });
  const problems: string[] = [];
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  await dashboard.open(page, `/deliveries/${id}`);
  for (const tab of ["Payload", "Raw body", "Headers"]) {
    await page.getByRole("tab", { name: tab }).click();
    await expect(page.getByRole("tabpanel")).toContainText("<img src=x onerror=");
    await expectAccessible(page);
  }
  await expect(page).toHaveTitle(/^"><img src=x .* · Delivery · Catchment$/);
  expect(await page.locator("img").count()).toBe(0);
  expect(problems).toEqual([]);
});

for (const { name, body, type, shows } of deliveryShapes) {
  test(`${name}: the page loads, shows what it leaves out, and stays under a megabyte`, {
    tag: "@variant",
  }, async ({ page }) => {
    const id = await dashboard.deliver(hook.catchUrl, body, { "content-type": type });
    await dashboard.open(page, `/deliveries/${id}`);
    await page.getByRole("tab", { name: "Payload", exact: true }).click();
    await expect(page.getByRole("main")).toContainText(shows);
    expect(await pageSize(page)).toBeLessThan(1_000_000);
    await page.getByRole("tab", { name: "Raw body" }).click();
    await expect(page.getByRole("tabpanel")).toBeVisible();
    await expectAccessible(page);
  });
}

test("the raw body is downloaded byte for byte, and never opened as a page", async ({
  page,
  browser,
}) => {
  const body = "<script>document.title='run'</script>";
  const id = await dashboard.deliver(hook.catchUrl, body, { "content-type": "text/html" });
  await dashboard.open(page, `/deliveries/${id}`);
  const raw = await page.request.get(`${dashboard.server.origin}/api/deliveries/${id}/raw`);
  expect(await raw.text()).toBe(body);
  expect(raw.headers()).toMatchObject({
    "content-type": "application/octet-stream",
    "content-disposition": `attachment; filename="delivery-${id}.bin"`,
    "x-content-type-options": "nosniff",
  });
  expect(raw.headers()["content-security-policy"]).toContain("sandbox");
  await page.getByRole("button", { name: "More for this delivery" }).click();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("menuitem", { name: "Download raw" }).click(),
  ]);
  expect(download.suggestedFilename()).toBe(`delivery-${id}.bin`);
  const signedOut = await browser.newContext();
  const rejected = await signedOut.request.get(
    `${dashboard.server.origin}/api/deliveries/${id}/raw`,
  );
  expect(rejected.status()).toBe(401);
  await signedOut.close();

  await chooseInMenu(page, "this delivery", "Delete…");
  await page.getByRole("dialog").getByRole("button", { name: "Delete delivery" }).click();
  await expect(page).toHaveURL(`${dashboard.server.origin}/hooks/${hook.id}`);
  await dashboard.open(page, `/deliveries/${id}`);
  await expect(page.getByRole("heading", { name: "Page not found" })).toBeVisible();
});

test("a missing delivery shows a page that says so", { tag: "@variant" }, async ({ page }) => {
  await dashboard.open(page, "/deliveries/nothing");
  await expect(page.getByRole("heading", { name: "Page not found" })).toBeVisible();
});
