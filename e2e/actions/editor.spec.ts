import { expect, type Page, test } from "@playwright/test";
import { type Dashboard, expectAccessible, startDashboard } from "../harness/dashboard.ts";
import { makeHand, reportTask } from "../harness/hand.ts";
import { signStripe, stripeSecret } from "../harness/stripe-delivery.ts";

let dashboard: Dashboard;
let hook: { id: string; catchUrl: string };

const order = {
  id: "evt_1",
  type: "order.paid",
  data: {
    email: "ada@example.com",
    items: [
      { sku: "a", price: 10 },
      { sku: "b", price: 5.5 },
    ],
  },
};

test.beforeAll(async () => {
  dashboard = await startDashboard("editor");
  hook = await dashboard.makeHook({ name: "Shop" });
  await dashboard.deliver(hook.catchUrl, JSON.stringify(order));
});
test.afterAll(async () => await dashboard?.stop());

/** Presses of the mouse from the list of providers to the first mapped call. */
const maxClicks = 7;

test("the first mapped call runs only for its event type after seven clicks, and others are skipped", async ({
  page,
}) => {
  const { receiver } = dashboard;
  await dashboard.open(page, "/hooks/new");
  const hand = makeHand(page);
  await hand.click(page.getByRole("link", { name: "Stripe", exact: true }));
  await hand.click(page.getByLabel("Yes, I have it"));
  await hand.write(page.getByLabel("Signing secret", { exact: true }), stripeSecret);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Waiting for the first delivery" })).toBeVisible();
  const { data } = (await dashboard.api("GET", "/hooks?limit=1")) as { data: Found[] };
  const url = String(data[0]?.catchUrl);
  const mail = { customer_email: "ada@example.com" };
  const first = await deliver(url, "evt_paid_1", "checkout.session.completed", mail);
  await expect(page.getByText("checkout.session.completed").first()).toBeVisible();
  await deliver(url, "evt_other", "customer.created", { object: "customer" });
  await hand.click(page.getByRole("link", { name: "Create action" }));
  const name = page.getByLabel("Name", { exact: true });
  await expect(name).toBeFocused();
  await name.fill("To the CRM");
  await hand.write(page.getByRole("textbox", { name: "URL", exact: true }), receiver.url("/crm"));
  await hand.click(page.getByRole("treeitem", { name: /^customer_email/ }));
  await expect(page.getByLabel("Only for checkout.session.completed")).toBeChecked();
  await expectAccessible(page);
  await expect(page.getByText("Ready to send", { exact: true })).toBeVisible();
  await hand.click(page.getByRole("button", { name: "Save action" }));
  await expect(page.getByText("Saved. New deliveries run this action.")).toBeVisible();
  reportTask("the first mapped call", hand, maxClicks);

  const before = receiver.calls.length;
  const other = await deliver(url, "evt_other_2", "customer.created", { object: "customer" });
  const paid = await deliver(url, "evt_paid_2", "checkout.session.completed", mail);
  await expect.poll(() => readStatus(paid)).toBe("succeeded");
  await expect.poll(() => readStatus(other)).toBe("skipped");
  expect(receiver.calls.slice(before).map(({ path, body }) => [path, body])).toEqual([
    ["/crm", '{"customer_email":"ada@example.com"}'],
  ]);

  // What the filter does is also offered where a mapped field is missing.
  await page.getByLabel("Only for checkout.session.completed").click();
  const picker = page.getByRole("combobox", { name: "Delivery" });
  await expect(picker).toHaveValue(/^evt_paid_1, checkout\.session\.completed/);
  await picker.fill("evt_other_2");
  await page.getByRole("option", { name: /evt_other_2/ }).click();
  await expect(picker).toHaveValue(/^evt_other_2, customer\.created/);
  await expect(page.getByText("Can't be sent", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Run only for checkout.session.completed" }).click();
  await expect(page.getByText("Skipped by the filter", { exact: true })).toBeVisible();
  await expect(page.getByLabel("Also for customer.created")).not.toBeChecked();
  await expectAccessible(page);
  expect(page.url()).toContain(`delivery=${first}`);
});

test("a second action on the same hook is made from a delivery", { tag: "@variant" }, async ({
  page,
}) => {
  const { receiver } = dashboard;
  const shop = await dashboard.makeHook({ name: "Second" });
  const request = { method: "POST", url: receiver.url("/books") };
  await dashboard.api("POST", `/hooks/${shop.id}/actions`, { name: "To the books", request });
  await dashboard.deliver(shop.catchUrl, JSON.stringify({ ...order, id: "evt_second" }));
  await dashboard.open(page, "/deliveries");
  const hand = makeHand(page);
  await hand.click(page.getByRole("link", { name: "order.paid" }).first());
  await hand.click(page.getByRole("link", { name: "Open in the editor" }));
  await expect(page.getByLabel("Name", { exact: true })).toBeFocused();
  await page.keyboard.insertText("To the warehouse");
  await hand.write(page.getByRole("textbox", { name: "URL", exact: true }), receiver.url("/pick"));
  await hand.click(page.getByRole("treeitem", { name: /^email/ }));
  await expect(page.getByText("Ready to send", { exact: true })).toBeVisible();
  await hand.click(page.getByRole("button", { name: "Save action" }));
  await expect(page.getByText("Saved. New deliveries run this action.")).toBeVisible();
  reportTask("second action on the same hook", hand, 5);
  const { data } = (await dashboard.api("GET", `/hooks/${shop.id}/actions`)) as { data: object[] };
  expect(data[0]).toMatchObject({
    name: "To the warehouse",
    filter: { all: [{ path: "delivery.eventType", op: "equals", value: "order.paid" }] },
  });
});

test("nothing can be typed between the save of a new action and its own page, which would lose it", async ({
  page,
}) => {
  await dashboard.openNewAction(page, hook.id);
  const name = page.getByLabel("Name", { exact: true });
  await name.fill("Slow to open");
  const url = page.getByRole("textbox", { name: "URL", exact: true });
  await url.fill(dashboard.receiver.url("/slow"));
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  await page.route(/\/actions\/[0-9a-f-]{36}\?/, async (route) => {
    ask();
    await opened;
    await route.continue();
  });
  await page.getByRole("button", { name: "Save action" }).click();
  await asked;
  await name.focus();
  await expect(name).not.toBeFocused();
  open();
  await expect(page).toHaveURL(/\/actions\/[0-9a-f-]{36}\?/);
  await expect(page.getByText("Saved. New deliveries run this action.")).toBeVisible();
  await expect(name).toHaveValue("Slow to open");
  await name.fill("Renamed at once");
  await expect(name).toHaveValue("Renamed at once");
});

test("the payload's column has room at 1280 pixels, and is resized by keyboard and mouse", {
  tag: "@variant",
}, async ({ page }) => {
  await dashboard.open(page, `/hooks/${hook.id}/actions/new`);
  const width = async () =>
    (await page.getByRole("tree", { name: "Fields of the delivery" }).boundingBox())?.width ?? 0;
  const handle = page.getByRole("separator", { name: "Width of the payload" });
  const wide = (await handle.locator("..").boundingBox())?.width;
  expect(wide).toBeGreaterThanOrEqual(320);
  const before = await width();
  await handle.press("ArrowRight");
  await expect.poll(width).toBeGreaterThan(before);
  await page.reload();
  await expect.poll(width).toBeGreaterThan(before);
  await handle.dblclick();
  await expect.poll(width).toBe(before);
});

test("steps are rearranged by keyboard and mouse, renamed with what refers to them, copied, and removed", {
  tag: "@variant",
}, async ({ page }) => {
  const call = (key: string, more: object = {}) => ({
    key,
    kind: "call",
    request: { method: "POST", url: dashboard.receiver.url(`/${key}`), body: {}, ...more },
  });
  const auth = { type: "bearer", token: "secret_of_the_receiver" };
  const { id } = await dashboard.api("POST", `/hooks/${hook.id}/actions`, {
    name: "Three calls",
    enabled: false,
    steps: [
      call("find", { auth }),
      call("send", { body: { of: "{{ steps.find.body.id }}" } }),
      call("last"),
    ],
  });
  await dashboard.open(page, `/actions/${id}`);
  const down = page.getByRole("button", { name: "Move find down" });
  await down.click();
  await expectOrder(page, ["send", "find", "last"]);
  await expect(down).toBeFocused();
  await page.keyboard.press("Alt+ArrowDown");
  await expectOrder(page, ["send", "last", "find"]);
  await expect(down).toBeFocused();
  await expect(page.getByText("find is now step 3 of 3.")).toBeAttached();
  await page.keyboard.press("Alt+ArrowUp");
  await page.keyboard.press("Alt+ArrowUp");
  await expectOrder(page, ["find", "send", "last"]);

  await head(page, "find").click();
  const handle = page.locator("[data-drag-handle]");
  await handle.nth(2).scrollIntoViewIfNeeded();
  const from = await handle.nth(2).boundingBox();
  const to = await handle.nth(0).boundingBox();
  if (from === null || to === null) throw new Error("no handles");
  await page.mouse.move(from.x + 5, from.y + 5);
  await page.mouse.down();
  await page.mouse.move(to.x + 5, to.y - 10, { steps: 5 });
  await page.mouse.up();
  await expectOrder(page, ["last", "find", "send"]);

  await head(page, "find").click();
  await page.getByLabel("Step key").fill("lookup");
  await head(page, "send").click();
  await expect(page.getByLabel("Field 1, value")).toHaveText("{{ steps.lookup.body.id }}");
  await page.getByRole("button", { name: "More for send" }).click();
  await page.getByRole("menuitem", { name: "Duplicate step" }).click();
  await expect(page.getByLabel("Step key")).toBeFocused();
  await expect(page.getByLabel("Step key")).toHaveValue("send_2");
  await expectAccessible(page);
  await page.getByLabel("Step key").fill("Not a key");
  await head(page, "last").click();
  await page.getByRole("button", { name: "Save action" }).click();
  await expect(page.getByLabel("Step key")).toBeFocused();
  await expect(page.getByLabel("Step key")).toHaveAccessibleDescription(/must start with a letter/);
  await page.getByRole("button", { name: "More for Not a key" }).click();
  await page.getByRole("menuitem", { name: "Remove step" }).click();
  await expect(head(page, "send")).toBeFocused();
  await page.getByRole("button", { name: "Save action" }).click();
  await expect(page.getByText("Saved. The action is disabled.")).toBeVisible();
  expect(await dashboard.api("GET", `/actions/${id}`)).toMatchObject({
    steps: [
      { key: "last" },
      { key: "lookup", request: { auth: { type: "bearer" } } },
      { key: "send", request: { body: { of: "{{ steps.lookup.body.id }}" } } },
    ],
  });
});

test("a transform shows its output while it is typed, completes names, and marks its errors", async ({
  page,
}) => {
  await dashboard.open(page, `/hooks/${hook.id}/actions/new`);
  await page.getByRole("button", { name: "Add step: Transform" }).click();
  const code = page.getByRole("textbox", { name: "Code" });
  await code.fill(
    "export default (delivery) => ({ total: delivery.payload.data.items.length, mail: ema",
  );
  await code.press("End");
  await page.keyboard.type("i");
  await expect(page.getByRole("option", { name: /payload\.data\.email/ })).toBeVisible();
  await page.keyboard.press("Enter");
  await page.keyboard.type(" })");
  const output = page.getByRole("region", { name: "Output for this delivery" });
  await expect(output).toHaveText(/"total": 2,\s+"mail": "ada@example\.com"/);
  await expectAccessible(page);
  await code.fill("export default (delivery) =>\n  delivery.nothing.total");
  await expect(code).toHaveAccessibleDescription(/line 2, column \d+: TypeError/);
  await expectAccessible(page);
});

type Found = { readonly id: string; readonly catchUrl: string; readonly status: string };

async function deliver(url: string, id: string, type: string, object: object): Promise<string> {
  const body = JSON.stringify({ id, type, data: { object } });
  return await dashboard.deliver(url, body, {
    "content-type": "application/json",
    "stripe-signature": signStripe(Buffer.from(body), Date.now()),
  });
}

async function readStatus(deliveryId: string): Promise<string | undefined> {
  const { data } = await dashboard.api("GET", `/runs?deliveryId=${deliveryId}`);
  return (data as Found[])[0]?.status;
}

function head(page: Page, key: string) {
  return page
    .getByRole("list", { name: "Steps" })
    .getByRole("button", { name: new RegExp(` ${key}\\b`) })
    .first();
}

async function expectOrder(page: Page, keys: readonly string[]) {
  const heads = page.getByRole("list", { name: "Steps" }).locator("h4");
  await expect(heads).toHaveText(keys.map((key) => new RegExp(`(Call|Transform) ${key}`)));
}
