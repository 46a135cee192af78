import type { Dashboard } from "../harness/dashboard.ts";
import { signStripe, stripeSecret } from "../harness/stripe-delivery.ts";
import { waitUntil } from "../harness/wait-until.ts";
import { seedHistory } from "./seed-history.ts";

/** Ids used to build page addresses. */
export type SeededShop = Readonly<
  Record<
    | "hookId"
    | "pausedHookId"
    | "actionId"
    | "stepsActionId"
    | "deliveryId"
    | "duplicateId"
    | "rejectedId"
    | "failingId"
    | "backtestId",
    string
  >
>;

/**
 * Seeds an account like a shop's after two weeks: hooks of every status, deliveries and runs of
 * every outcome.
 */
export async function seedShop(dashboard: Dashboard): Promise<SeededShop> {
  const { api, receiver, makeHook } = dashboard;
  receiver.respondWith(503, '{"error":"Try again later"}', "/chat/sales");
  receiver.respondWith(422, '{"error":"The email is not known"}', "/newsletter/members");
  const stripe = await makeHook({
    name: "Payments",
    provider: "stripe",
    signingSecret: stripeSecret,
  });
  await makeHook({
    name: "Repositories",
    provider: "github",
    signingSecret: "a few words in a row",
  });
  const signUps = await makeHook({ name: "Sign-ups of the landing page" });
  const erp = await makeHook({ name: "Legacy ERP" });
  const old = await makeHook({ name: "Campaign of last year" });
  const addAction = async (hookId: string, action: Record<string, unknown>) =>
    String((await api("POST", `/hooks/${hookId}/actions`, action)).id);

  const email = "{{ data.object.customer_email }}";
  const amount = "{{ data.object.amount_total }}";
  const toCrm = { method: "POST", url: receiver.url("/crm/people"), body: { email, amount } };
  const actionId = await addAction(stripe.id, {
    name: "Add the customer to the CRM",
    request: toCrm,
  });
  const currency = "{{ data.object.currency | upcase }}";
  await api("PATCH", `/actions/${actionId}`, {
    request: { ...toCrm, headers: { "X-Source": "shop" }, body: { ...toCrm.body, currency } },
  });
  await addAction(stripe.id, {
    name: "Tell the sales channel",
    request: {
      method: "POST",
      url: receiver.url("/chat/sales"),
      body: { text: "{{ data.object.customer_email }} paid {{ data.object.amount_total }}" },
    },
  });
  await addAction(stripe.id, {
    name: "Only large orders",
    filter: { all: [{ path: "data.object.amount_total", op: "gte", value: 100_000 }] },
    request: { method: "POST", url: receiver.url("/large"), body: { id: "{{ id }}" } },
  });
  const newsletter = await addAction(signUps.id, {
    name: "Put on the newsletter",
    request: {
      method: "POST",
      url: receiver.url("/newsletter/members"),
      body: { email: "{{ payload.email }}" },
    },
  });
  await addAction(erp.id, {
    name: "Book the invoice",
    request: {
      method: "PUT",
      url: receiver.url("/books/{{ id }}"),
      body: { total: "{{ payload.total }}" },
    },
  });

  await seedHistory(dashboard, [
    { hookId: stripe.id, actionId, isSigned: true, types: paymentTypes, perDay: 60, failing: 0.02 },
    {
      hookId: signUps.id,
      actionId: newsletter,
      isSigned: false,
      types: ["signup.created"],
      perDay: 25,
      failing: 0.12,
    },
  ]);

  const deliveryId = await sendPayment(dashboard, stripe.catchUrl, "evt_1Qx4Lk2eZvKYlo2C", 4200);
  const duplicateId = await sendPayment(dashboard, stripe.catchUrl, "evt_1Qx4Lk2eZvKYlo2C", 4200);
  await sendPayment(dashboard, stripe.catchUrl, "evt_1Qx4Mm2eZvKYlo2D", 12_900);
  const rejectedId = await dashboard.deliver(
    stripe.catchUrl,
    '{"id":"evt_forged","type":"payout.paid"}',
  );
  const failingId = await dashboard.deliver(
    signUps.catchUrl,
    '{"id":"signup_81","type":"signup.created","email":"ada@example.com"}',
  );
  await dashboard.deliver(signUps.catchUrl, '{"id":"signup_82", "email": ');
  await api("POST", `/hooks/${erp.id}/pause`, {});
  await dashboard.deliver(
    erp.catchUrl,
    '{"id":"inv_2026_118","type":"invoice.booked","total":"1190.00"}',
  );
  await api("PATCH", `/hooks/${old.id}`, { status: "disabled" });
  const stepsActionId = await addAction(stripe.id, ordersToAllSystems(receiver.url));
  await waitUntil("the first attempts", 300_000, async () =>
    receiver.calls.length >= 5 ? true : undefined,
  );
  return {
    hookId: stripe.id,
    pausedHookId: erp.id,
    actionId,
    stepsActionId,
    deliveryId,
    duplicateId,
    rejectedId,
    failingId,
    backtestId: await seedBacktest(dashboard, actionId),
  };
}

/** Seeds a backtest of a change to the body that some deliveries notice. */
async function seedBacktest({ api, receiver }: Dashboard, actionId: string): Promise<string> {
  const body = {
    email: "{{ data.object.customer_email | downcase }}",
    amount: "{{ data.object.amount_total }}",
    from: "shop",
  };
  const request = { method: "POST", url: receiver.url("/crm/people"), body };
  const made = await api("POST", `/actions/${actionId}/backtests`, {
    draft: { request },
    last: 40,
  });
  const id = String(made.id);
  await waitUntil("the backtest", 300_000, async () =>
    (await api("GET", `/backtests/${id}`)).status === "finished" ? true : undefined,
  );
  return id;
}

/** Most kinds of steps, with conditions, a list, and a branch. Disabled, so that it adds no runs. */
function ordersToAllSystems(url: (path: string) => string): Record<string, unknown> {
  const post = (path: string, body: object) => ({ method: "POST", url: url(path), body });
  const email = "{{ data.object.customer_email }}";
  return {
    name: "Orders to all systems",
    enabled: false,
    steps: [
      {
        key: "find",
        kind: "call",
        request: { method: "GET", url: url("/crm/people"), query: { email } },
      },
      {
        key: "create",
        kind: "call",
        when: { all: [{ path: "steps.find.body.total", op: "equals", value: 0 }] },
        request: post("/crm/people", { email }),
      },
      {
        key: "pick",
        kind: "call",
        forEach: { path: "data.object.items", parallel: 3 },
        request: post("/warehouse/picks", { sku: "{{ item.sku }}" }),
      },
      {
        key: "ship",
        kind: "call",
        request: post("/shipping/orders", { order: "{{ data.object.id }}" }),
        onFailure: {
          steps: [
            {
              key: "tell_support",
              kind: "call",
              request: post("/chat/sales", { text: "{{ steps.ship.error.message }}" }),
            },
          ],
        },
      },
      { key: "wait", kind: "delay", ms: 3_600_000 },
      {
        key: "publish",
        kind: "publish",
        type: "order.completed",
        data: { id: "{{ data.object.id }}" },
      },
    ],
  };
}

const paymentTypes = [
  "checkout.session.completed",
  "invoice.paid",
  "customer.created",
  "charge.refunded",
];

async function sendPayment(
  dashboard: Dashboard,
  url: string,
  id: string,
  amount: number,
): Promise<string> {
  const object = {
    id: "cs_a1b2c3d4",
    object: "checkout.session",
    amount_total: amount,
    currency: "eur",
    customer_email: "ada@example.com",
    payment_status: "paid",
    items: [
      { sku: "A-1", price: 11.5, quantity: 2 },
      { sku: "B-2", price: 19, quantity: 1 },
    ],
    metadata: { campaign: null, isGift: false },
  };
  const event = {
    id,
    type: "checkout.session.completed",
    created: 1_795_000_000,
    livemode: true,
    data: { object },
  };
  const body = Buffer.from(JSON.stringify(event));
  return await dashboard.deliver(url, new Uint8Array(body), {
    "content-type": "application/json; charset=utf-8",
    "user-agent": "Stripe/1.0 (+https://stripe.com/docs/webhooks)",
    "stripe-signature": signStripe(body, Date.now()),
  });
}
