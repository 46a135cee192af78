import { isJsonObject, type JsonObject, type JsonValue } from "#lib/schema/field/json-value.ts";
import { readObjects, readText } from "./read-json.ts";
import {
  type Ask,
  type Found,
  isRejection,
  type Made,
  maxPages,
  type Registrar,
  type Rejection,
  rejectWith,
  type Talk,
  unexpected,
} from "./registrar.ts";

const path = "/admin/api/2026-07/graphql.json";

/**
 * The subscriptions that an app made in a store, one for each topic: those with one URL are one webhook here, whose id
 * is the URL. The API doesn't have those of the store's settings, nor those of shopify.app.toml. Shopify deletes a
 * subscription whose deliveries fail for long. A changed URL is changed in place: two subscriptions of a topic would
 * give one event two ids.
 */
export const shopifyRegistrar: Registrar = {
  provider: "shopify",
  name: "Shopify",
  source: "https://shopify.dev/docs/api/admin-graphql/latest/objects/WebhookSubscription",
  origin: "https://{store}.myshopify.com",
  isOrigin: (origin) => /^https:\/\/[a-z0-9-]+\.myshopify\.com$/.test(origin),
  credentialHelp:
    "The Admin API access token of your app, in the header X-Shopify-Access-Token. Each topic needs its " +
    "access scope, such as read_orders. The hook's signing secret is the client secret of the same app.",
  resource: null,
  secret: "app",
  whenFailing: "deletes",
  canEnable: true,
  typesHelp: "Topics, such as orders/create. Not those of the store's settings.",
  toType: (eventType) =>
    /^[a-z_]+(\/[a-z_]+)?$/i.test(eventType) ? eventType.replace("/", "_").toUpperCase() : null,
  lifeMs: null,
  renewType: null,
  *list() {
    const subscriptions = yield* listSubscriptions();
    if (isRejection(subscriptions)) return subscriptions;
    const byUrl = Map.groupBy(subscriptions, ({ url }) => url);
    return [...byUrl].map(
      ([url, group]): Found => ({
        ...{ id: url, url, eventTypes: [...new Set(group.map(({ topic }) => topic))] },
        ...{ isEnabled: true, whyDisabled: null, mark: null, expiresAtMs: null },
      }),
    );
  },
  *create(_, { url, eventTypes }): Talk<Made> {
    for (const topic of eventTypes) {
      const rejection = yield* addTopic(topic, url);
      if (rejection !== null) return rejection;
    }
    return { id: url, secret: null };
  },
  *update(_, found, { url, eventTypes }): Talk<void> {
    const subscriptions = yield* listSubscriptions();
    if (isRejection(subscriptions)) return subscriptions;
    const own = subscriptions.filter((each) => each.url === found.url);
    for (const { id, topic } of own) {
      const isWanted = eventTypes.includes(topic);
      if (isWanted && url === found.url) continue;
      const rejection = isWanted ? yield* changeUrl(id, url) : yield* removeTopic(id);
      if (rejection !== null) return rejection;
    }
    const known = new Set(own.map(({ topic }) => topic));
    for (const topic of eventTypes.filter((each) => !known.has(each))) {
      const rejection = yield* addTopic(topic, url);
      if (rejection !== null) return rejection;
    }
  },
  *remove(_, found): Talk<void> {
    const subscriptions = yield* listSubscriptions();
    if (isRejection(subscriptions)) return subscriptions;
    for (const { id } of subscriptions.filter((each) => each.url === found.url)) {
      const rejection = yield* removeTopic(id);
      if (rejection !== null) return rejection;
    }
  },
};

type Subscription = { readonly id: string; readonly topic: string; readonly url: string };

function* listSubscriptions(): Talk<readonly Subscription[]> {
  const query =
    "query ($after: String) { webhookSubscriptions(first: 250, after: $after) " +
    "{ nodes { id topic uri } pageInfo { hasNextPage endCursor } } }";
  const found: Subscription[] = [];
  let after: string | null = null;
  for (let page = 0; page < maxPages; page += 1) {
    const { json } = yield ask(query, { after });
    const read = readField(json, "webhookSubscriptions");
    if (isRejection(read)) return read;
    const nodes = readObjects(read.nodes)?.map(readNode);
    const known = nodes?.filter((node) => node !== null);
    if (known === undefined || known.length !== nodes?.length) return unexpected;
    found.push(...known);
    const info = isJsonObject(read.pageInfo) ? read.pageInfo : {};
    after = readText(info.endCursor);
    if (info.hasNextPage !== true || after === null) break;
  }
  return found;
}

function readNode({ id, topic, uri }: JsonObject): Subscription | null {
  const read = { id: readText(id), topic: readText(topic), url: readText(uri) };
  if (read.id === null || read.topic === null || read.url === null) return null;
  return { id: read.id, topic: read.topic, url: read.url };
}

function addTopic(topic: string, uri: string) {
  return mutate(
    "mutation ($topic: WebhookSubscriptionTopic!, $webhook: WebhookSubscriptionInput!) { webhookSubscriptionCreate" +
      "(topic: $topic, webhookSubscription: $webhook) { webhookSubscription { id } userErrors { message } } }",
    { topic, webhook: { uri, format: "JSON" } },
    "webhookSubscriptionCreate",
  );
}

function changeUrl(id: string, uri: string) {
  return mutate(
    "mutation ($id: ID!, $webhook: WebhookSubscriptionInput!) { webhookSubscriptionUpdate" +
      "(id: $id, webhookSubscription: $webhook) { webhookSubscription { id } userErrors { message } } }",
    { id, webhook: { uri } },
    "webhookSubscriptionUpdate",
  );
}

function removeTopic(id: string) {
  return mutate(
    "mutation ($id: ID!) { webhookSubscriptionDelete(id: $id) " +
      "{ deletedWebhookSubscriptionId userErrors { message } } }",
    { id },
    "webhookSubscriptionDelete",
  );
}

/** Null: it is done. Shopify says what is wrong in a response with 200. */
function* mutate(query: string, variables: JsonObject, field: string): Talk<null> {
  const { json } = yield ask(query, variables);
  const read = readField(json, field);
  if (isRejection(read)) return read;
  const message = readText(readObjects(read.userErrors)?.[0]?.message);
  return message === null ? null : rejectWith(`says: ${message}`);
}

function ask(query: string, variables: JsonObject): Ask {
  return { method: "POST", path, body: { json: { query, variables } } };
}

function readField(json: JsonValue | null, field: string): JsonObject | Rejection {
  if (!isJsonObject(json)) return unexpected;
  const [error] = readObjects(json.errors) ?? [];
  if (error !== undefined) return explainError(error);
  const value = isJsonObject(json.data) ? json.data[field] : undefined;
  return isJsonObject(value) ? value : unexpected;
}

/** A query that costs more than the store has left is worth another try. */
function explainError({ message, extensions }: JsonObject): Rejection {
  const code = isJsonObject(extensions) ? extensions.code : null;
  if (code === "THROTTLED")
    return { rejection: "limits how often it may be asked", isPassing: true };
  return rejectWith(`says: ${readText(message) ?? "something went wrong"}`);
}
