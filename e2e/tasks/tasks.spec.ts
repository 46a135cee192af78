import { expect, test } from "@playwright/test";
import { type Dashboard, expectAccessible, startDashboard } from "#e2e/harness/dashboard.ts";
import { makeHand, reportTask } from "#e2e/harness/hand.ts";
import { signStripe, stripeSecret } from "#e2e/harness/stripe-delivery.ts";

/**
 * Tasks that people do in the dashboard, by mouse and keyboard only. Each prints its clicks and
 * seconds. The others are where their page is tested: find "reportTask".
 */
let dashboard: Dashboard;

test.beforeAll(async () => {
  dashboard = await startDashboard("tasks");
});
test.afterAll(async () => await dashboard?.stop());

type Run = { readonly id: string; readonly status: string };

async function readRuns(filter: string): Promise<readonly Run[]> {
  return (await dashboard.api("GET", `/runs?${filter}`)).data as readonly Run[];
}

test("a call for each item of a list", { tag: "@variant" }, async ({ page }) => {
  const { receiver } = dashboard;
  const hook = await dashboard.makeHook({ name: "Shop" });
  const send = (id: string, ...skus: readonly string[]) => {
    const items = skus.map((sku) => ({ sku }));
    return dashboard.deliver(hook.catchUrl, JSON.stringify({ id, type: "order", data: { items } }));
  };
  await send("order_1", "A-1");
  await dashboard.open(page, `/hooks/${hook.id}`);
  const hand = makeHand(page);
  await hand.click(page.getByRole("link", { name: "Create action" }));
  await expect(page.getByLabel("Name", { exact: true })).toBeFocused();
  await page.keyboard.insertText("Pick the items");
  await hand.write(page.getByRole("textbox", { name: "URL", exact: true }), receiver.url("/pick"));
  await hand.click(page.getByRole("button", { name: "Step options" }));
  await hand.click(page.getByLabel("Repeat for each item of a list"));
  await expect(page.getByLabel("List", { exact: true })).toHaveText("data.items");
  await hand.write(page.getByLabel("Field 1, name"), "sku");
  await hand.tabAndWrite(1, "{{ item.sku }}");
  await expect(page.getByText("becomes A-1")).toBeVisible();
  await hand.click(page.getByRole("button", { name: "Save action" }));
  await expect(page.getByText("Saved. New deliveries run this action.")).toBeVisible();
  reportTask("a call for each item of a list", hand, 6);

  const id = await send("order_2", "A-1", "B-2", "C-3");
  await expect.poll(async () => (await readRuns(`deliveryId=${id}`))[0]?.status).toBe("succeeded");
  expect(receiver.calls.map(({ body }) => body)).toEqual(
    ["A-1", "B-2", "C-3"].map((sku) => JSON.stringify({ sku })),
  );
});

test("all failed runs of an action are retried, and what became of them is shown", {
  tag: "@variant",
}, async ({ page }) => {
  const { receiver } = dashboard;
  const hook = await dashboard.makeHook({ name: "Invoices" });
  const addAction = (name: string, path: string) =>
    dashboard.api("POST", `/hooks/${hook.id}/actions`, {
      name,
      request: { method: "POST", url: receiver.url(path) },
    });
  receiver.respondWith(404, "not here", "/books");
  receiver.respondWith(404, "not here", "/archive");
  const { id } = await addAction("To the books", "/books");
  await addAction("To the archive", "/archive");
  for (let n = 1; n <= 8; n += 1) await dashboard.deliver(hook.catchUrl, `{"id":"inv_${n}"}`);
  await expect
    .poll(async () => (await readRuns(`hookId=${String(hook.id)}&status=failed`)).length)
    .toBe(16);
  const called = (path: string) => receiver.calls.filter((call) => call.path === path).length;
  receiver.respondWith(200, "{}", "/books");

  await dashboard.open(page, "/");
  const hand = makeHand(page);
  await hand.click(page.getByRole("link", { name: /^Problems/ }));
  await hand.click(page.getByRole("link", { name: /^Failures/ }));
  await hand.click(page.getByRole("button", { name: "Retry all… of To the books" }));
  await hand.click(page.getByRole("button", { name: "Retry 8", exact: true }));
  const jobs = page.getByRole("region", { name: "Jobs" });
  await expect(jobs).toContainText("8 succeeded, 0 failed again");
  reportTask("all failed runs of an action retried, and what became of them", hand, 4);
  expect([called("/books"), called("/archive")]).toEqual([16, 8]);
  expect(await readRuns(`actionId=${String(id)}&status=failed`)).toEqual([]);
  await expectAccessible(page);
});

test("a mapping is changed, its effect on past deliveries seen, and saved", {
  tag: "@variant",
}, async ({ page }) => {
  const { receiver } = dashboard;
  const hook = await dashboard.makeHook({ name: "Sign-ups" });
  const { id } = await dashboard.api("POST", `/hooks/${hook.id}/actions`, {
    name: "To the newsletter",
    request: { method: "POST", url: receiver.url("/list"), body: { mail: "{{ payload.mail }}" } },
  });
  for (const name of ["ada", "bob", "eve"])
    await dashboard.deliver(hook.catchUrl, JSON.stringify({ id: name, mail: `${name}@x.example` }));
  await expect
    .poll(async () => (await readRuns(`actionId=${String(id)}&status=succeeded`)).length)
    .toBe(3);

  await dashboard.open(page, `/hooks/${hook.id}`);
  const hand = makeHand(page);
  await hand.click(page.getByRole("link", { name: "To the newsletter", exact: true }).first());
  await hand.click(page.getByLabel("Field 1, value"));
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.insertText("{{ payload.mail | upcase }}");
  await expect(page.getByRole("region", { name: "Request body" })).toContainText("@X.EXAMPLE");
  await hand.click(page.getByRole("button", { name: "Backtest…" }));
  await hand.click(page.getByRole("button", { name: "Start backtest" }));
  const panel = page.getByRole("region", { name: "Backtest" });
  await expect(panel.getByRole("button", { name: "Changed 3" })).toBeVisible();
  await hand.click(panel.getByRole("button", { name: "Save this draft" }));
  await expect(page.getByText("Saved. New deliveries run this action.")).toBeVisible();
  reportTask("a mapping changed, its effect seen, and saved", hand, 5);
  expect(receiver.calls.filter(({ path }) => path === "/list")).toHaveLength(3);
  const { request } = await dashboard.api("GET", `/actions/${String(id)}`);
  expect(request).toMatchObject({ body: { mail: "{{ payload.mail | upcase }}" } });
});

test("a signing secret is rotated while both secrets verify", { tag: "@variant" }, async ({
  page,
}) => {
  const hook = await dashboard.makeHook({
    name: "Payments",
    provider: "stripe",
    signingSecret: stripeSecret,
  });
  const next = `whsec_${"n".repeat(32)}`;
  await dashboard.open(page, "/hooks");
  const hand = makeHand(page);
  await hand.click(page.getByRole("link", { name: "Payments", exact: true }));
  await hand.click(page.getByRole("link", { name: "Settings", exact: true }));
  await hand.write(page.getByLabel("New secret"), next);
  await hand.click(page.getByRole("button", { name: "Rotate secret" }));
  await expect(page.getByText("The new secret is active.")).toBeVisible();
  reportTask("a secret rotated", hand, 4);
  for (const [id, secret] of [
    ["evt_old", stripeSecret],
    ["evt_new", next],
  ] as const) {
    const body = JSON.stringify({ id, type: "customer.created" });
    const delivery = await dashboard.deliver(hook.catchUrl, body, {
      "content-type": "application/json",
      "stripe-signature": signStripe(Buffer.from(body), Date.now(), secret),
    });
    expect(await dashboard.api("GET", `/deliveries/${delivery}`)).toMatchObject({
      status: "accepted",
    });
  }
});

test("why nothing ran: a filter, a disabled action, and a signature", { tag: "@variant" }, async ({
  page,
}) => {
  const hook = await dashboard.makeHook({
    name: "Orders",
    provider: "stripe",
    signingSecret: stripeSecret,
  });
  const addAction = (fields: object) =>
    dashboard.api("POST", `/hooks/${hook.id}/actions`, {
      request: { method: "POST", url: dashboard.receiver.url("/orders") },
      ...fields,
    });
  const filter = { all: [{ path: "type", op: "equals", value: "order.paid" }] };
  await addAction({ name: "Only paid orders", filter });
  await addAction({ name: "Switched off", enabled: false });
  const send = (id: string, signed: string) => {
    const body = JSON.stringify({ id, type: "order.opened" });
    return dashboard.deliver(hook.catchUrl, body, {
      "content-type": "application/json",
      "stripe-signature": signStripe(Buffer.from(signed === "" ? body : signed), Date.now()),
    });
  };
  await send("evt_quiet", "");
  await send("evt_forged", "another body");

  await dashboard.open(page, "/");
  const hand = makeHand(page);
  await hand.click(page.getByRole("link", { name: "Deliveries", exact: true }));
  const row = (text: string) => page.getByRole("row").filter({ hasText: text });
  await hand.click(row("evt_quiet").getByRole("link").first());
  await expect(page.getByText(/type is "order\.opened"/)).toBeVisible();
  await expect(page.getByText(/disabled when the delivery arrived/)).toBeVisible();
  reportTask("why nothing ran", hand, 2);
  await expectAccessible(page);

  await page.goBack();
  await hand.click(row("Rejected").getByRole("link").first());
  await expect(page.getByRole("heading", { name: "Why was this rejected?" })).toBeVisible();
  await expectAccessible(page);
});
