import { spawnSync } from "node:child_process";
import { expect, type Page, test } from "@playwright/test";
import { type Dashboard, expectAccessible, startDashboard } from "../harness/dashboard.ts";
import { makeHand, reportTask } from "../harness/hand.ts";

let dashboard: Dashboard;

test.beforeAll(async () => {
  dashboard = await startDashboard("send");
});
test.afterAll(async () => await dashboard?.stop());

test("from an empty account to a receiver's answer, with the command that the page offers", {
  tag: "@variant",
}, async ({ page }) => {
  const { receiver } = dashboard;
  receiver.respondWith(202, '{"queued":true}', "/webhooks");
  await dashboard.open(page, "/");
  const clicks = await countClicks(page);
  const startedAt = Date.now();

  await page.getByRole("link", { name: "Send your first event" }).click();
  await page.getByLabel("Receiver URL").click();
  await page.keyboard.type(receiver.url("/webhooks"));
  await page.getByLabel("All events").check();
  await page.getByRole("button", { name: "Create subscription" }).click();
  await expect(page.getByTestId("signing-secret")).toHaveText(/^whsec_/);
  await page.getByRole("button", { name: "Create token" }).click();
  await expect(page.getByText("The command below contains the token.")).toBeVisible();
  await expectAccessible(page);
  const command = (await page.getByRole("region", { name: "Command" }).textContent()) ?? "";

  const curl = spawnSync("sh", ["-c", command], { encoding: "utf8" });
  expect(curl.status, curl.stderr).toBe(0);
  expect(JSON.parse(curl.stdout)).toMatchObject({ type: "invoice.paid", runs: 1 });

  await expect(page.getByText("The receiver responded with HTTP 202.")).toBeVisible();
  await page.getByRole("link", { name: "View event" }).click();
  await expect(page.getByRole("heading", { name: "invoice.paid" })).toBeVisible();
  const seconds = (Date.now() - startedAt) / 1_000;
  await page.getByText("Attempt 1", { exact: true }).click();
  await expect(page.getByText('{"queued":true}')).toBeVisible();
  const [call] = receiver.calls;
  expect(call?.headers["webhook-signature"]).toMatch(/^v1,/);
  expect(JSON.parse(call?.body ?? "")).toMatchObject({
    type: "invoice.paid",
    data: { object: { amount: 4200, currency: "eur" } },
  });
  process.stdout.write(
    `First event: ${await clicks()} clicks, ${seconds.toFixed(1)} s to the receiver's answer\n`,
  );

  await page.getByRole("button", { name: "Resend to" }).click();
  await expect.poll(() => receiver.calls.length).toBe(2);
  expect(receiver.calls[1]?.headers["webhook-id"]).toBe(call?.headers["webhook-id"]);
  await page
    .getByRole("link", { name: /^127\.0\.0\.1/ })
    .first()
    .click();
  await expect(page.getByText(/accepted the last one with HTTP 202/)).toBeVisible();
});

test("an event type, a subscription, a test, an event, and a customer who sends it again, without a terminal", async ({
  page,
}) => {
  const { receiver } = dashboard;
  receiver.respondWith(200, '{"taken":true}', "/shipping");
  const calls = () => receiver.calls.filter(({ path }) => path === "/shipping");
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  const link = (name: string | RegExp) => page.getByRole("link", { name }).first();
  const hand = makeHand(page);
  await dashboard.open(page, "/event-types");

  await hand.click(link("New event type"));
  await page.getByLabel("Name").fill("order.shipped");
  await hand.click(page.getByRole("textbox", { name: "Example" }));
  await page.keyboard.insertText('{"order": 7, "carrier": "DHL"}');
  await hand.click(button("Make a schema from this example"));
  await hand.click(button("Create event type"));
  await expect(page).toHaveURL(/\/event-types\/order\.shipped$/);

  await hand.click(link("Subscriptions"));
  await hand.click(link("New subscription"));
  await page.getByLabel("Receiver URL").fill(receiver.url("/shipping"));
  await hand.click(page.getByRole("combobox", { name: "Event types" }));
  await page.keyboard.type("order");
  await page.keyboard.press("Enter");
  await hand.write(page.getByLabel("Recipient"), "cust_7");
  await hand.click(button("Create subscription"));
  await hand.click(link("View subscription"));
  await hand.click(button("Send test event"));
  await expect(page.getByRole("row").filter({ hasText: "Succeeded" })).toHaveCount(1);
  expect(JSON.parse(calls()[0]?.body ?? "")).toMatchObject({ data: { order: 7, carrier: "DHL" } });

  await hand.click(link("cust_7"));
  await hand.click(link("Send an event"));
  // The form is filled in with an event that reaches the recipient.
  await expect(page.getByLabel("Event type")).toHaveValue("order.shipped");
  await expect(page.getByRole("textbox", { name: "Data" })).toContainText('"DHL"');
  await hand.click(button("Send event"));
  await expect(page.getByText("order.shipped is sent to 1 subscription.")).toBeVisible();
  await expect(page.getByText("The receiver responded with HTTP 200.")).toBeVisible();

  await hand.click(link("Recipients"));
  await hand.click(link("cust_7"));
  await hand.click(button("Create portal link"));
  await hand.click(button("Create link"));
  const portal = (await page.getByTestId("portal-link").textContent()) ?? "";
  await hand.click(page.getByRole("button", { name: "Copy portal link" }));
  await page.goto(portal);
  await hand.click(link(/\/shipping$/));
  await hand.click(link("order.shipped"));
  const resent = page.url();
  await hand.click(button("Send again"));
  await expect.poll(() => calls().length).toBe(3);
  const [, sent, again] = calls().map(({ headers }) => headers["webhook-id"]);
  expect(again).toBe(sent);
  // The page of the new send has no title until its data is there.
  await expect(page).not.toHaveURL(resent);
  await expectAccessible(page);
  reportTask("type, subscription, test, event, portal, resend", hand, 22);
});

test("a subscription is created, changed, rotated, disabled, and deleted", {
  tag: "@variant",
}, async ({ page }) => {
  const url = dashboard.receiver.url("/customer");
  await dashboard.open(page, "/subscriptions/new");
  await page.getByRole("button", { name: "Create subscription" }).click();
  await expect(page.getByLabel("Receiver URL")).toBeFocused();
  await page.getByLabel("Receiver URL").fill(url);
  await page.getByRole("combobox", { name: "Event types" }).fill("invoice.*");
  await page.keyboard.press("Enter");
  await page.keyboard.type("not valid!,");
  await page.getByLabel("Recipient").fill("cust_42");
  await page.getByRole("button", { name: "Create subscription" }).click();
  await expect(page.getByRole("combobox", { name: "Event types" })).toBeFocused();
  await page.getByRole("button", { name: "Remove valid!" }).click();
  await page.getByRole("button", { name: "Create subscription" }).click();
  await expect(page.getByText("You won't see it again.")).toBeVisible();
  const first = (await page.getByTestId("signing-secret").textContent()) ?? "";
  await page.getByRole("link", { name: "View subscription" }).click();
  await expect(page.getByText("no event for cust_42 was published")).toBeVisible();
  expect(await page.content()).not.toContain(first);

  await page.getByRole("link", { name: "Settings", exact: true }).click();
  await page.getByLabel("Description").fill("Acme billing");
  await page.getByRole("button", { name: "Save subscription" }).click();
  await expect(page.getByRole("heading", { name: "Acme billing" })).toBeVisible();
  await expect(page.getByText("Not saved yet")).toHaveCount(0);
  await page.getByRole("button", { name: "Rotate secret" }).click();
  const second = (await page.getByTestId("signing-secret").textContent()) ?? "";
  expect(second).not.toBe(first);
  await page.getByRole("button", { name: "Done" }).click();
  await expect(page.getByText(`whsec_…${second.slice(-4)}`)).toBeVisible();
  await expect(page.getByText(`whsec_…${first.slice(-4)}`)).toBeVisible();

  await page.getByRole("button", { name: "Disable", exact: true }).click();
  await page.getByRole("button", { name: "Disable subscription" }).click();
  await page.getByRole("link", { name: "Overview" }).click();
  await expect(page.getByText("because it was disabled manually")).toBeVisible();
  await page.getByRole("button", { name: "Enable" }).click();
  await expect(page.getByRole("button", { name: "Disable", exact: true })).toBeVisible();

  await page.getByRole("link", { name: "cust_42" }).click();
  await expect(page.getByRole("link", { name: /127\.0\.0\.1/ })).toBeVisible();
  await page.getByRole("button", { name: "Create portal link" }).click();
  await page.getByRole("button", { name: "Create link" }).click();
  await expect(page.getByTestId("portal-link")).toHaveText(/\/portal\/cpl_/);
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByRole("button", { name: "Revoke portal link" }).click();
  await page.getByRole("button", { name: "Revoke link" }).click();
  await expect(page.getByText("Revoked")).toBeVisible();

  await page.getByRole("link", { name: /127\.0\.0\.1/ }).click();
  await page.getByRole("link", { name: "Settings", exact: true }).click();
  await page.getByRole("button", { name: "Delete subscription" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete subscription" }).click();
  await expect(page).toHaveURL(/\/subscriptions$/);
});

/** Counts what a user presses with the mouse, over all pages of the tab. */
async function countClicks(page: Page): Promise<() => Promise<number>> {
  let clicks = 0;
  await page.exposeFunction("countClick", () => {
    clicks += 1;
  });
  const listen = () =>
    document.addEventListener("pointerdown", () => Reflect.get(window, "countClick")(), true);
  await page.addInitScript(listen);
  await page.evaluate(listen);
  return async () => clicks;
}

test("an event type whose schema isn't JSON is rejected at its field, and saved once it is", {
  tag: "@variant",
}, async ({ page }) => {
  await dashboard.open(page, "/event-types/new");
  await page.getByLabel("Name").fill("order.paid");
  const schema = page.getByRole("textbox", { name: "Schema" });
  await schema.click();
  await page.keyboard.insertText('{"type": nonsense');
  await page.getByRole("button", { name: "Create event type" }).click();
  await expect(schema).toHaveAttribute("aria-invalid", "true");
  await schema.click();
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.insertText('{"type": "object", "required": ["amount"]}');
  await page.getByRole("button", { name: "Create event type" }).click();
  await expect(page).toHaveURL(/\/event-types\/order\.paid$/);
});
