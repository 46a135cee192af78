import { isJsonObject, type JsonObject } from "#lib/schema/field/json-value.ts";
import { listByCursor } from "./list-by-cursor.ts";
import { readText, readTexts } from "./read-json.ts";
import {
  type Found,
  type Made,
  type Registrar,
  type Talk,
  unexpected,
  type Wanted,
} from "./registrar.ts";

const path = "/v2/webhooks/subscriptions";
const origins = ["https://connect.squareup.com", "https://connect.squareupsandbox.com"];

/**
 * The subscriptions of an application. Only the response to the creation has the key, and another call makes a new one,
 * which ends the one before: the key of a subscription with our URL is of use to no one else.
 */
export const squareRegistrar: Registrar = {
  provider: "square",
  name: "Square",
  source: "https://developer.squareup.com/docs/webhooks/webhook-subscriptions-api",
  origin: "https://connect.squareup.com",
  isOrigin: (origin) => origins.includes(origin),
  credentialHelp: "The application's personal access token, as a bearer token. Not one of OAuth.",
  resource: null,
  secret: "theirs",
  whenFailing: "disables",
  canEnable: true,
  typesHelp: "Such as payment.created.",
  toType: (eventType) => (/^[a-z_0-9]+(\.[a-z_0-9]+)+$/.test(eventType) ? eventType : null),
  lifeMs: null,
  renewType: null,
  list: () =>
    listByCursor({
      ...{ path, cursor: "cursor", readItem: readSubscription },
      query: [
        ["include_disabled", "true"],
        ["limit", "100"],
      ],
      // Without any, there is no list.
      itemsOf: ({ subscriptions = [] }) => subscriptions,
      nextOf: (json) => readText(json.cursor) || null,
    }),
  *create(_, wanted): Talk<Made> {
    const json = { idempotency_key: wanted.newId, subscription: toFields(wanted) };
    const made = yield { method: "POST", path, body: { json } };
    const subscription = isJsonObject(made.json) ? made.json.subscription : null;
    if (!isJsonObject(subscription)) return unexpected;
    const id = readText(subscription.id);
    const secret = readText(subscription.signature_key);
    return id === null || secret === null ? unexpected : { id, secret };
  },
  *update(_, { id }, wanted): Talk<void> {
    const json = { subscription: toFields(wanted) };
    yield { method: "PUT", path: `${path}/${encodeURIComponent(id)}`, body: { json } };
  },
  *remove(_, { id }): Talk<void> {
    yield { method: "DELETE", path: `${path}/${encodeURIComponent(id)}`, mayBeGone: true };
  },
  *readSecret(_, { id }, newId): Talk<string> {
    const { json } = yield {
      method: "POST",
      path: `${path}/${encodeURIComponent(id)}/signature-key`,
      body: { json: { idempotency_key: newId } },
    };
    return (isJsonObject(json) ? readText(json.signature_key) : null) ?? unexpected;
  },
};

function toFields({ url, eventTypes }: Wanted) {
  return { name: "Catchment", enabled: true, event_types: [...eventTypes], notification_url: url };
}

function readSubscription(json: JsonObject): Found | null {
  const id = readText(json.id);
  const url = readText(json.notification_url);
  if (id === null || url === null) return null;
  const isEnabled = json.enabled !== false;
  return {
    ...{ id, url, eventTypes: readTexts(json.event_types), isEnabled, whyDisabled: null },
    ...{ mark: null, expiresAtMs: null },
  };
}
