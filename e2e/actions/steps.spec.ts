import { expect, type Page, test } from "@playwright/test";
import { type Dashboard, expectAccessible, startDashboard } from "../harness/dashboard.ts";

let dashboard: Dashboard;
let hook: { id: string; catchUrl: string };

test.beforeAll(async () => {
  dashboard = await startDashboard("steps");
  hook = await dashboard.makeHook({ name: "Shop" });
});
test.afterAll(async () => await dashboard?.stop());

/** A customer pays: find the contact, and tell the sales team and the shipping, which is down. */
test("an order goes to three systems, one of which is down, and the page says what each step did", async ({
  page,
}) => {
  const { receiver } = dashboard;
  receiver.respondWith(200, '{"contact":{"id":12345678901234567890123}}', "/contacts");
  receiver.respondWith(400, '{"error":"closed"}', "/shipping");
  const post = (path: string, body: object) => ({ method: "POST", url: receiver.url(path), body });
  const tell = {
    key: "tell_support",
    kind: "call",
    request: post("/support", { why: "{{ steps.ship.error.message }}" }),
  };
  const action = (await dashboard.api("POST", `/hooks/${hook.id}/actions`, {
    name: "Order to all systems",
    steps: [
      { key: "find", kind: "call", request: post("/contacts", { email: "{{ data.email }}" }) },
      {
        key: "shape",
        kind: "transform",
        code:
          "export default (delivery, steps) => ({ contact: steps.find.body.contact.id, total: " +
          "delivery.payload.data.items.reduce((sum, item) => sum + item.price, 0) })",
      },
      { key: "sell", kind: "call", request: post("/sales", { order: "{{ steps.shape.value }}" }) },
      { key: "ship", kind: "call", request: post("/shipping", {}), onFailure: { steps: [tell] } },
      {
        key: "gift",
        kind: "call",
        when: { all: [{ path: "data.gift", op: "equals", value: true }] },
        request: post("/gift", {}),
      },
      {
        key: "pick",
        kind: "call",
        forEach: { path: "data.items", parallel: 3 },
        request: post("/pick", { sku: "{{ item.sku }}" }),
      },
    ],
  })) as { id: string };
  const items = [1, 2, 3].map((n) => ({ sku: `sku_${n}`, price: n * 10 }));
  const data = { email: "a@b.example", items };
  await dashboard.deliver(hook.catchUrl, JSON.stringify({ id: "evt_1", type: "order.paid", data }));
  await expect.poll(() => receiver.calls.length).toBe(7);
  const sent = (path: string) => receiver.calls.filter((call) => call.path === path);
  expect(sent("/sales")[0]?.body).toBe('{"order":{"contact":12345678901234567890123,"total":60}}');
  expect(sent("/support")[0]?.body).toContain("The receiver responded with 400");

  await dashboard.open(page, `/actions/${action.id}`);
  const drawing = page.getByRole("navigation", { name: "Steps at a glance" });
  await expect(drawing.getByRole("link")).toHaveText([
    /^1find/,
    /^2shape/,
    /^3sell/,
    /^4ship/,
    /^4\.1tell_support/,
    /^5gift.*if its condition matches/,
    /^6pick.*each of data\.items/,
  ]);
  await drawing.getByRole("link", { name: "tell_support" }).click();
  await expect(page.getByLabel("Step key")).toHaveValue("tell_support");
  await expect(page.getByLabel("Step key")).toBeInViewport();
  await expectAccessible(page);
  await arrangeInDrawing(page);

  await dashboard.open(page, "/deliveries");
  await page.getByRole("row").filter({ hasText: "evt_1" }).getByRole("link").first().click();
  const step = (name: string) => page.locator("details").filter({ hasText: name });
  await expect(step("find").first()).toContainText(/succeeded.*HTTP 200/);
  await expect(step("ship").first()).toContainText(/failed.*HTTP 400/);
  await expect(step("gift").first()).toContainText("skipped");
  await expect(step("pick · item 3")).toContainText("succeeded");
  await expect(page.getByText("1 step failed and was handled as the action says.")).toBeVisible();
  const drawn = page.getByRole("navigation", { name: "The run at a glance" });
  await expect(drawn.getByRole("link", { name: "ship" })).toContainText("failed");
  await expect(drawn.getByRole("link", { name: "tell_support" })).toContainText("succeeded");
  await expect(drawn.getByRole("link", { name: "gift" })).toContainText("skipped");
  await expect(drawn.getByText("Stopped here")).toHaveCount(0);
  await drawn.getByRole("link", { name: "find" }).click();
  await expect(step("find").first()).toContainText("a@b.example");
  await expectAccessible(page);
});

/** The drawing moves and adds steps, by keyboard and mouse, and the list follows. */
async function arrangeInDrawing(page: Page) {
  const drawing = page.getByRole("navigation", { name: "Steps at a glance" });
  const link = (name: string) => drawing.getByRole("link", { name });
  const heads = page.getByRole("list", { name: "Steps" }).locator("> li > div > div > h4");
  await link("find").focus();
  await page.keyboard.press("Alt+ArrowRight");
  await expect(heads.first()).toContainText("shape");
  await expect(link("find")).toBeFocused();
  await page.keyboard.press("Alt+ArrowLeft");
  await expect(heads.first()).toContainText("find");
  await page.keyboard.press("ArrowRight");
  await expect(drawing.getByRole("button", { name: "Add step after find" })).toBeFocused();
  await page.keyboard.press("Enter");
  await page.getByRole("menuitem", { name: "Delay" }).press("Enter");
  await expect(page.getByLabel("Step key")).toHaveValue("wait");
  await expect(page.getByLabel("Step key")).toBeFocused();
  await expect(heads.nth(1)).toContainText("wait");

  const [from, to] = [await link("wait").boundingBox(), await link("find").boundingBox()];
  if (from === null || to === null) throw new Error("The steps aren't drawn.");
  await page.mouse.move(from.x + 20, from.y + 10);
  await page.mouse.down();
  await page.mouse.move(to.x + 4, to.y + 10, { steps: 5 });
  await page.mouse.up();
  await expect(heads.first()).toContainText("wait");
  await expectAccessible(page);
}

test("a run is done again from a step on", async ({ page }) => {
  const { receiver } = dashboard;
  await dashboard.open(page, "/deliveries");
  await page.getByRole("row").filter({ hasText: "evt_1" }).getByRole("link").first().click();
  await page.getByRole("button", { name: "Retry Order to all systems from a step" }).click();
  await page.getByRole("menuitem", { name: "Retry from pick" }).click();
  await page.getByRole("button", { name: "Retry run" }).click();
  await expect.poll(() => receiver.calls.length).toBe(10);
  expect(receiver.calls.slice(7).map(({ path }) => path)).toEqual(["/pick", "/pick", "/pick"]);
});
