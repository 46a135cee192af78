import { connectTo } from "#e2e/harness/connect-to.ts";
import type { Dashboard } from "../harness/dashboard.ts";
import { waitUntil } from "../harness/wait-until.ts";

/** Ids used to build page addresses. */
export type SeededSending = Readonly<
  Record<
    | "eventId"
    | "activeId"
    | "failingSubscriptionId"
    | "goneId"
    | "pausedId"
    | "portal"
    | "sendId"
    | "catalog",
    string
  >
>;

/**
 * Seeds an account that publishes too: subscriptions of every status for two customers, event types
 * of every kind, and events that were sent, retried, given up, held, and matched by nothing.
 */
export async function seedSending(dashboard: Dashboard): Promise<SeededSending> {
  const { api, receiver } = dashboard;
  receiver.respondWith(202, '{"queued":true}', "/globex/billing");
  receiver.respondWith(503, '{"error":"Try again later"}', "/globex/search");
  receiver.respondWith(503, "Not yet", "/initech/new");
  receiver.respondWith(410, "", "/initech/old");
  await describeTypes(dashboard);
  await api("PUT", "/recipients/cust_42", {
    name: "Globex Corporation",
    metadata: { plan: "enterprise", region: "eu-central" },
  });
  await api("PUT", "/recipients/cust_7", { name: "Initech" });
  const subscribe = async (path: string, fields: object) =>
    String(
      (await api("POST", "/subscriptions", { receiverUrl: receiver.url(path), ...fields })).id,
    );

  await subscribe("/warehouse", { description: "Own data warehouse" });
  const activeId = await subscribe("/globex/billing", {
    recipient: "cust_42",
    description: "Globex billing",
    eventTypes: ["invoice.*", "customer.created"],
    rateLimit: { count: 100, perSeconds: 60 },
    keyPair: true,
    headers: { "x-tenant": "globex" },
    version: "first",
  });
  const failingSubscriptionId = await subscribe("/globex/search", {
    recipient: "cust_42",
    eventTypes: ["invoice.paid", "invoice.voided", "customer.created", "customer.deleted"],
    filter: { all: [{ path: "data.amount", op: "gte", value: 100 }] },
    ordered: true,
  });
  const goneId = await subscribe("/initech/old", { recipient: "cust_7" });
  const pausedId = await subscribe("/initech/new", { recipient: "cust_7" });
  await api("PUT", "/recipients/cust_99", {});
  const publish = (events: readonly object[]) => api("POST", "/events/batch", { events });
  await api("POST", `/subscriptions/${activeId}/disable`, {});
  await publish(makeEvents().slice(0, 2));
  await api("POST", `/subscriptions/${activeId}/enable`, {});

  await publish(makeEvents().slice(2));
  await waitUntil("the events to be sent", 300_000, async () => {
    const { status } = await api("GET", `/subscriptions/${goneId}`);
    const sent = receiver.calls.filter(({ path }) => path === "/globex/billing");
    return status === "disabled" && sent.length >= 8 ? true : undefined;
  });
  await api("POST", `/subscriptions/${activeId}/test`, {});
  await api("POST", `/events/${eventId}/resend`, { subscriptionIds: [activeId] });
  await api("POST", `/subscriptions/${pausedId}/disable`, {});
  await api("POST", `/subscriptions/${activeId}/replay-missing`, { since: yesterday });
  const links = [3_600, 604_800];
  const urls = await Promise.all(
    links.map((expiresInSeconds) =>
      api("POST", "/recipients/cust_42/portal-links", { expiresInSeconds }),
    ),
  );
  return {
    eventId,
    activeId,
    failingSubscriptionId,
    goneId,
    pausedId,
    portal: new URL(String(urls[0]?.url)).pathname,
    sendId: String(
      ((await api("GET", `/runs?subscriptionId=${activeId}&limit=1`)).data as { id: string }[])[0]
        ?.id,
    ),
    catalog: `/catalog/${dashboard.account.slug}`,
  };
}

/**
 * Writes event types straight into the database: the API compiles schemas in a thread, whose start
 * takes seconds.
 */
async function describeTypes({ server, account }: Dashboard): Promise<void> {
  await using client = await connectTo(server.databaseUrl());
  await client.query(
    `insert into event_types (account_id, name, description, schema, example, deprecated, on_mismatch)
    select account.id, given.name, type ->> 'description', type -> 'schema', type -> 'example',
      coalesce((type -> 'deprecated')::text::boolean, false), coalesce(type ->> 'onMismatch', 'warn')
    from accounts account, json_each($2) as given(name, type) where slug = $1`,
    [account.slug, JSON.stringify(eventTypes)],
  );
  await client.query(
    `insert into event_type_versions (account_id, name, version, schema, example, transform, note, created_at)
    select id, 'invoice.paid', 'first', $2, $3, null, null, '2025-06-01' from accounts where slug = $1`,
    [account.slug, JSON.stringify(former), JSON.stringify({ number: "2026-0042", amount: "1200" })],
  );
  await client.query(
    `update event_types set version = '2026-02-01', version_at = '2026-02-01', transform = $2, note = $3
    from accounts where accounts.id = account_id and slug = $1 and event_types.name = 'invoice.paid'`,
    [account.slug, transform, "`amount` is a number, and was text."],
  );
  await client.query(
    `insert into sender_settings (account_id, portal_origins, is_catalog_public)
    select id, '{}', true from accounts where slug = $1`,
    [account.slug],
  );
}

const eventId = "inv_2026_0042_paid";
const yesterday = new Date(Date.now() - 86_400_000).toISOString();

const amount = { type: "object", required: ["amount"], properties: { amount: { type: "number" } } };

/** `invoice.paid` in its first version. */
const former = {
  ...amount,
  properties: { amount: { type: "string" }, number: { type: "string" } },
};
const transform =
  "export default ({ payload }) => ({ ...payload.data, amount: String(payload.data.amount) })";

const eventTypes = {
  "invoice.paid": {
    description: "A customer has paid an invoice. Sent once for each invoice.",
    schema: amount,
    example: { number: "2026-0042", amount: 1200, currency: "EUR" },
    onMismatch: "reject",
  },
  "invoice.voided": { description: "An invoice was voided before it was paid.", schema: amount },
  "invoice.payment.failed": { description: "A card was declined. It is tried again for a week." },
  "customer.created": { description: "A customer has signed up.", example: { plan: "team" } },
  "customer.deleted": {},
  "customer.moved": { description: "Use customer.created instead.", deprecated: true },
};

function makeEvents(): readonly object[] {
  const types = ["invoice.paid", "customer.created", "invoice.payment.failed", "invoice.voided"];
  const recipients = [
    ...["cust_42", "cust_42", "cust_7", "cust_42", "cust_99"].map((recipient) => ({ recipient })),
    {},
  ];
  return Array.from({ length: 30 }, (_, n) => ({
    ...(n === 12 && { id: eventId }),
    type: types[n % types.length],
    ...recipients[n % recipients.length],
    data:
      n % 4 === 3
        ? { number: `2026-${1000 + n}`, reason: "duplicate" }
        : {
            number: `2026-${1000 + n}`,
            amount: 40 * n + 1200.5,
            currency: "EUR",
            customer: { email: "ada@example.com", plan: "team" },
          },
  }));
}
