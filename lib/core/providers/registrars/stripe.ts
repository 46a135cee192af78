import { isJsonObject, type JsonObject } from "#lib/schema/field/json-value.ts";
import { listByCursor } from "./list-by-cursor.ts";
import { readText, readTexts } from "./read-json.ts";
import {
  type Found,
  type Made,
  type Pair,
  type Registrar,
  type Talk,
  unexpected,
  type Wanted,
} from "./registrar.ts";

const path = "/v1/webhook_endpoints";

/**
 * The endpoints of an account. Only the response to their creation has the secret, so our mark is in their metadata:
 * by it, one whose secret was lost is told from one that a person made.
 */
export const stripeRegistrar: Registrar = {
  provider: "stripe",
  name: "Stripe",
  // For the parameters: npm stripe, src/resources/WebhookEndpoints.ts.
  source: "https://docs.stripe.com/api/webhook_endpoints",
  origin: "https://api.stripe.com",
  isOrigin: (origin) => origin === "https://api.stripe.com",
  credentialHelp:
    "A restricted key (rk_…) with write access to Webhook Endpoints, as a bearer token or as the user name of Basic.",
  resource: null,
  secret: "theirs",
  whenFailing: "disables",
  canEnable: true,
  typesHelp: "Such as invoice.paid, or * for all.",
  toType: (eventType) => (/^(\*|[a-z0-9_.]+)$/.test(eventType) ? eventType : null),
  lifeMs: null,
  renewType: null,
  list: () =>
    listByCursor({
      ...{ path, query: [["limit", "100"]], cursor: "starting_after", readItem: readEndpoint },
      itemsOf: ({ data }) => data,
      nextOf: ({ has_more }, items) => (has_more === true ? readText(items.at(-1)?.id) : null),
    }),
  *create(_, wanted): Talk<Made> {
    const form: readonly Pair[] = [...toForm(wanted), ["metadata[catchment]", wanted.mark]];
    const { json } = yield { method: "POST", path, body: { form } };
    if (!isJsonObject(json)) return unexpected;
    const id = readText(json.id);
    const secret = readText(json.secret);
    return id === null || secret === null ? unexpected : { id, secret };
  },
  *update(_, { id }, wanted): Talk<void> {
    const form: readonly Pair[] = [...toForm(wanted), ["disabled", "false"]];
    yield { method: "POST", path: `${path}/${encodeURIComponent(id)}`, body: { form } };
  },
  *remove(_, { id }): Talk<void> {
    yield { method: "DELETE", path: `${path}/${encodeURIComponent(id)}`, mayBeGone: true };
  },
};

function toForm({ url, eventTypes }: Wanted): readonly Pair[] {
  return [["url", url], ...eventTypes.map((type) => ["enabled_events[]", type] as const)];
}

function readEndpoint(json: JsonObject): Found | null {
  const id = readText(json.id);
  const url = readText(json.url);
  if (id === null || url === null) return null;
  const mark = isJsonObject(json.metadata) ? readText(json.metadata.catchment) : null;
  const isEnabled = json.status !== "disabled";
  return {
    id,
    url,
    eventTypes: readTexts(json.enabled_events),
    isEnabled,
    whyDisabled: null,
    mark,
    expiresAtMs: null,
  };
}
