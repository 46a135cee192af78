import type { JsonObject } from "#lib/schema/field/json-value.ts";
import { readId, readObjects, readText } from "./read-json.ts";
import {
  type Found,
  isRejection,
  type Made,
  maxPages,
  type Registrar,
  type Talk,
  unexpected,
  type Wanted,
} from "./registrar.ts";

const path = "/wp-json/wc/v3/webhooks";
const perPage = 100;

/**
 * The webhooks of a store, one for each topic: those with one URL are one webhook here, whose id is the URL. A webhook
 * without a secret gets one that no one knows, so it is always sent. Enabling doesn't set the count of failures back.
 */
export const woocommerceRegistrar: Registrar = {
  provider: "woocommerce",
  name: "WooCommerce",
  source: "https://woocommerce.github.io/woocommerce-rest-api-docs/#webhooks",
  origin: "https://{store}",
  isOrigin: (origin) => origin.startsWith("https://"),
  credentialHelp:
    "A REST API key of the store that may read and write: the consumer key as the user name of Basic, and the " +
    "consumer secret as the password.",
  resource: null,
  secret: "ours",
  whenFailing: "disables",
  canEnable: true,
  typesHelp: "Topics, such as order.created.",
  toType: (eventType) => (/^[a-z_]+\.[a-z0-9_.]+$/.test(eventType) ? eventType : null),
  lifeMs: null,
  renewType: null,
  *list() {
    const webhooks = yield* listWebhooks();
    if (isRejection(webhooks)) return webhooks;
    return [...Map.groupBy(webhooks, ({ url }) => url)].map(
      ([url, group]): Found => ({
        ...{ id: url, url, eventTypes: [...new Set(group.map(({ topic }) => topic))] },
        ...{ isEnabled: group.every(({ isActive }) => isActive), whyDisabled: null, mark: null },
        expiresAtMs: null,
      }),
    );
  },
  *create(_, wanted): Talk<Made> {
    for (const topic of wanted.eventTypes) yield* addTopic(topic, wanted);
    return { id: wanted.url, secret: null };
  },
  *update(_, found, wanted): Talk<void> {
    const webhooks = yield* listWebhooks();
    if (isRejection(webhooks)) return webhooks;
    const own = webhooks.filter(({ url }) => url === found.url);
    for (const { id, topic } of own)
      if (wanted.eventTypes.includes(topic))
        yield { method: "PUT", path: `${path}/${id}`, body: { json: toFields(wanted) } };
      else yield removal(id);
    const known = new Set(own.map(({ topic }) => topic));
    for (const topic of wanted.eventTypes.filter((each) => !known.has(each)))
      yield* addTopic(topic, wanted);
  },
  *remove(_, found): Talk<void> {
    const webhooks = yield* listWebhooks();
    if (isRejection(webhooks)) return webhooks;
    for (const { id } of webhooks.filter(({ url }) => url === found.url)) yield removal(id);
  },
};

type Webhook = {
  readonly id: string;
  readonly topic: string;
  readonly url: string;
  readonly isActive: boolean;
};

function* listWebhooks(): Talk<readonly Webhook[]> {
  const found: Webhook[] = [];
  for (let page = 1; page <= maxPages; page += 1) {
    const { json } = yield {
      method: "GET",
      path,
      query: [
        ["status", "all"],
        ["per_page", String(perPage)],
        ["page", String(page)],
      ],
    };
    const webhooks = readObjects(json);
    const read = webhooks?.map(readWebhook).filter((webhook) => webhook !== null);
    if (read === undefined || read.length !== webhooks?.length) return unexpected;
    found.push(...read);
    if (read.length < perPage) break;
  }
  return found;
}

function readWebhook(json: JsonObject): Webhook | null {
  const id = readId(json.id);
  const topic = readText(json.topic);
  const url = readText(json.delivery_url);
  if (id === null || topic === null || url === null) return null;
  return { id, topic, url, isActive: json.status === "active" };
}

function* addTopic(topic: string, wanted: Wanted): Talk<null> {
  const json = { name: `Catchment: ${topic}`, topic, ...toFields(wanted) };
  yield { method: "POST", path, body: { json } };
  return null;
}

function toFields({ url, secret }: Wanted) {
  return { delivery_url: url, secret, status: "active" };
}

/** Without `force`, it is rejected with 501. */
function removal(id: string) {
  const own = `${path}/${id}`;
  return { method: "DELETE", path: own, query: [["force", "true"]], mayBeGone: true } as const;
}
