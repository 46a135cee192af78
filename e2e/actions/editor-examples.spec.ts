import { createHmac, randomUUID } from "node:crypto";
import { sign } from "@octokit/webhooks-methods";
import { expect, type Page, test } from "@playwright/test";
import Stripe from "stripe";
import { type Dashboard, startDashboard } from "../harness/dashboard.ts";
import { type Hand, makeHand, reportTask } from "../harness/hand.ts";

/**
 * Three actions made in the editor by mouse and keyboard, then run by a delivery that is signed as
 * the provider signs it. Printed: clicks and seconds from the hook's page to the saved action.
 *
 * The same with other tools, estimated from their documentation (a list is two clicks, typing none).
 * n8n: a webhook trigger is 5; an HTTP Request node 6 (add, choose, method, URL, back), 9 with one
 * field of a body; an IF node 5; an error output 3; a merge of two branches 4; activating 2.
 * Zapier: a trigger is 6; a webhook action 10 (add, app, event, continue, URL, name, value, continue,
 * test); a path with its condition 8; publishing 2.
 *
 *                     here  n8n                         Zapier
 * find, create, update  20  5+6+1+5+9+1+4+9+2 = 42      6+10+8+10+10+2 = 46
 * message to Slack       5  5+9+2 = 16                  6+10+2 = 18
 * three systems         11  5+27+3+9+2 = 46             6+30+8+10+2 = 56
 */
const limits = { contact: 20, slack: 5, order: 11 };

const secrets = {
  stripe: "whsec_of_the_test",
  github: "a few words",
  shopify: "shpss_of_the_test",
};

let dashboard: Dashboard;

test.beforeAll(async () => {
  dashboard = await startDashboard("examples");
});
test.afterAll(async () => await dashboard?.stop());

test("Stripe: a checkout finds or creates the contact, and updates it with the id of the response", {
  tag: "@variant",
}, async ({ page }) => {
  const { receiver } = dashboard;
  const hook = await makeHook("stripe");
  const email = "jane@example.com";
  const contacts = receiver.url("/contacts");
  receiver.respondWith(
    200,
    '{"total":0,"results":[]}',
    `/contacts?email=${encodeURIComponent(email)}`,
  );
  receiver.respondWith(201, '{"id":"c_17"}', "/contacts");
  await deliverCheckout(hook.catchUrl, "evt_example_1");

  const hand = await openEditor(page, hook.id);
  await hand.write(page.getByLabel("Name", { exact: true }), "Contact of the checkout");
  await hand.choose(page.getByLabel("Method", { exact: true }), "GET");
  await hand.write(url(page), `${contacts}?email={{ data.object.customer_email }}`);
  await hand.click(page.getByRole("button", { name: "Step options" }));
  await hand.write(page.getByLabel("Step key"), "find");
  await hand.click(page.getByRole("button", { name: "Run this step" }));
  await expect(page.getByText("HTTP 200").first()).toBeVisible();

  await addCall(page, hand, "create", contacts);
  await hand.write(page.getByLabel("Field 1, name"), "email");
  await hand.tabAndWrite(1, "{{ data.object.customer_email }}");
  await hand.click(page.getByText("Step options"));
  await hand.click(page.getByRole("button", { name: "Add condition" }).first());
  const own = page.getByRole("list", { name: "Steps" });
  await hand.write(own.getByLabel("Condition 1, name"), "steps.find.body.total");
  // By its label: while names are suggested, Tab takes one instead of leaving the field.
  await own.getByLabel("Condition 1, value").focus();
  await page.keyboard.insertText("0");
  await hand.click(page.getByRole("button", { name: "Run this step" }));
  await hand.click(page.getByRole("button", { name: "Send POST request" }));
  await expect(page.getByText("HTTP 201").first()).toBeVisible();

  const found = "{{ steps.find.body.results[0].id }}";
  const id = `{% if steps.create.body %}{{ steps.create.body.id }}{% else %}${found}{% endif %}`;
  await addCall(page, hand, "update", `${contacts}/${id}`);
  await hand.choose(page.getByLabel("Method", { exact: true }), "PATCH");
  await hand.write(page.getByLabel("Field 1, name"), "last_order");
  await hand.tabAndWrite(1, "{{ data.object.id }}");
  // What a step sends is known before the action ever ran, from the responses above.
  await expect(page.getByText(`${contacts}/c_17`).first()).toBeVisible();
  await save(page, hand);
  reportTask("three steps with a branch: find, create, update", hand, limits.contact);

  const before = receiver.calls.length;
  const deliveryId = await deliverCheckout(hook.catchUrl, "evt_example_2");
  await expectSteps(deliveryId, { find: "succeeded", create: "succeeded", update: "succeeded" });
  expect(
    receiver.calls.slice(before).map(({ method, path, body }) => [method, path, body]),
  ).toEqual([
    ["GET", "/contacts?email=jane%40example.com", ""],
    ["POST", "/contacts", '{"email":"jane@example.com"}'],
    ["PATCH", "/contacts/c_17", '{"last_order":"cs_evt_example_2"}'],
  ]);
  await page.goto(`${dashboard.server.origin}/deliveries/${deliveryId}`);
  for (const key of ["find", "create", "update"])
    await expect(page.locator("details").filter({ hasText: key }).first()).toContainText(
      "succeeded",
    );

  receiver.respondWith(
    200,
    '{"total":1,"results":[{"id":"c_5"}]}',
    `/contacts?email=${encodeURIComponent(email)}`,
  );
  const known = await deliverCheckout(hook.catchUrl, "evt_example_3");
  await expectSteps(known, { find: "succeeded", create: "skipped", update: "succeeded" });
  expect(receiver.calls.at(-1)).toMatchObject({ method: "PATCH", path: "/contacts/c_5" });
});

test("GitHub: a push becomes a message in Slack", { tag: "@variant" }, async ({ page }) => {
  const { receiver } = dashboard;
  const hook = await makeHook("github");
  await deliverPush(hook.catchUrl);

  const hand = await openEditor(page, hook.id);
  await hand.click(page.getByRole("button", { name: "Slack message" }));
  await hand.write(url(page), receiver.url("/slack"));
  await hand.write(
    page.getByLabel("Field 1, value"),
    "{{ payload.pusher.name }} pushed to {{ payload.repository.full_name }}",
  );
  await expect(page.getByText("becomes ada pushed to acme/shop")).toBeVisible();
  await save(page, hand);
  reportTask("a message to Slack", hand, limits.slack);

  const before = receiver.calls.length;
  await deliverPush(hook.catchUrl);
  await expect.poll(() => receiver.calls.length).toBe(before + 1);
  expect(receiver.calls.at(-1)?.body).toBe('{"text":"ada pushed to acme/shop"}');
  // It is still an action with one call.
  const { data } = (await dashboard.api("GET", `/hooks/${hook.id}/actions`)) as { data: object[] };
  expect(data[0]).toMatchObject({ steps: null, request: { method: "POST" } });
});

test("Shopify: an order goes to three systems, and support hears of the one that fails", {
  tag: "@variant",
}, async ({ page }) => {
  const { receiver } = dashboard;
  const hook = await makeHook("shopify");
  receiver.respondWith(422, '{"error":"no such address"}', "/shipping");
  await deliverOrder(hook.catchUrl, 1);
  const order = "{{ payload.name }}";

  const hand = await openEditor(page, hook.id);
  await hand.write(page.getByLabel("Name", { exact: true }), "Order to all systems");
  await hand.write(url(page), receiver.url("/books"));
  await hand.write(page.getByLabel("Field 1, name"), "order");
  await hand.tabAndWrite(1, order);
  await addCall(page, hand, "ship", receiver.url("/shipping"));
  await hand.write(page.getByLabel("Field 1, name"), "order");
  await hand.tabAndWrite(1, order);
  await addCall(page, hand, "tell", receiver.url("/support"), "If ship fails");
  await hand.write(page.getByLabel("Field 1, name"), "why");
  await hand.tabAndWrite(1, `${order}: {{ steps.ship.error.message }}`);
  await addCall(page, hand, "mail", receiver.url("/mail"));
  await hand.write(page.getByLabel("Field 1, name"), "order");
  await hand.tabAndWrite(1, order);
  await save(page, hand);
  reportTask("three systems", hand, limits.order);

  const before = receiver.calls.length;
  const deliveryId = await deliverOrder(hook.catchUrl, 2);
  await expectSteps(deliveryId, {
    post_books: "succeeded",
    ship: "failed",
    tell: "succeeded",
    mail: "succeeded",
  });
  const calls = receiver.calls.slice(before).map(({ path, body }) => [path, JSON.parse(body)]);
  expect(calls).toEqual([
    ["/books", { order: "#1002" }],
    ["/shipping", { order: "#1002" }],
    ["/support", { why: expect.stringContaining("#1002: The receiver responded with 422") }],
    ["/mail", { order: "#1002" }],
  ]);
});

async function makeHook(provider: keyof typeof secrets) {
  const signingSecret = secrets[provider];
  return dashboard.makeHook({ name: `Hook of ${provider}`, provider, signingSecret });
}

async function openEditor(page: Page, hookId: string): Promise<Hand> {
  await dashboard.open(page, `/hooks/${hookId}`);
  const hand = makeHand(page);
  await hand.click(page.getByRole("link", { name: /^(New|Create) action$/ }).first());
  await expect(page.getByLabel("Name", { exact: true })).toBeEditable();
  return hand;
}

function url(page: Page) {
  return page.getByRole("textbox", { name: "URL", exact: true });
}

/** Its key has the focus at once. Two tabs further is the URL. */
async function addCall(page: Page, hand: Hand, key: string, to: string, what = "Call") {
  await hand.click(page.getByRole("button", { name: `Add step: ${what}`, exact: true }));
  await expect(page.getByLabel("Step key")).toBeFocused();
  await page.keyboard.insertText(key);
  await expect(url(page)).toBeEditable();
  await hand.tabAndWrite(2, to);
  await expect(url(page)).toHaveText(to);
}

async function save(page: Page, hand: Hand) {
  await hand.click(page.getByRole("button", { name: "Save action" }));
  await expect(page.getByText("Saved. New deliveries run this action.")).toBeVisible();
}

async function expectSteps(deliveryId: string, wanted: Record<string, string>) {
  const read = async () => {
    const { data } = (await dashboard.api("GET", `/runs?deliveryId=${deliveryId}`)) as {
      data: { id: string }[];
    };
    const run = await dashboard.api("GET", `/runs/${data[0]?.id}`);
    const steps = (run.steps ?? []) as { key: string; state: string }[];
    return Object.fromEntries(steps.map(({ key, state }) => [key, state]));
  };
  await expect.poll(read).toEqual(wanted);
}

const stripe = new Stripe("sk_test_none");

async function deliverCheckout(catchUrl: string, id: string): Promise<string> {
  const object = { id: `cs_${id}`, customer_email: "jane@example.com", amount_total: 4200 };
  const payload = JSON.stringify({ id, type: "checkout.session.completed", data: { object } });
  const signature = stripe.webhooks.generateTestHeaderString({ payload, secret: secrets.stripe });
  return deliver(catchUrl, payload, { "stripe-signature": signature });
}

async function deliverPush(catchUrl: string): Promise<string> {
  const repository = { full_name: "acme/shop" };
  const body = JSON.stringify({ ref: "refs/heads/main", pusher: { name: "ada" }, repository });
  return deliver(catchUrl, body, {
    "x-github-event": "push",
    "x-github-delivery": randomUUID(),
    "x-hub-signature-256": await sign(secrets.github, body),
  });
}

async function deliverOrder(catchUrl: string, number: number): Promise<string> {
  const body = JSON.stringify({ id: number, name: `#${1000 + number}`, total_price: "19.90" });
  return deliver(catchUrl, body, {
    "x-shopify-topic": "orders/create",
    "x-shopify-webhook-id": randomUUID(),
    "x-shopify-hmac-sha256": createHmac("sha256", secrets.shopify).update(body).digest("base64"),
  });
}

async function deliver(catchUrl: string, body: string, headers: Record<string, string>) {
  return dashboard.deliver(catchUrl, body, { "content-type": "application/json", ...headers });
}
