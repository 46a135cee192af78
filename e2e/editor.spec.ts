import { expect, type Page, test } from "@playwright/test";
import { type Dashboard, expectAccessible, startDashboard } from "./harness/dashboard.ts";

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

test("steps are rearranged by keyboard and mouse, renamed with what refers to them, copied, and removed", async ({
  page,
}) => {
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

function head(page: Page, key: string) {
  return page
    .getByRole("listitem")
    .getByRole("button", { name: new RegExp(` ${key}\\b`) })
    .first();
}

async function expectOrder(page: Page, keys: readonly string[]) {
  const heads = page.getByRole("list", { name: "Steps" }).locator("h4");
  await expect(heads).toHaveText(keys.map((key) => new RegExp(`(Call|Transform) ${key}`)));
}
