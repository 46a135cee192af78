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

const path = "/api/v2/webhook_endpoints";

/** The webhooks of a site, at most five. They aren't signed, but call with a user name and a password of ours. */
export const chargebeeRegistrar: Registrar = {
  provider: "chargebee",
  name: "Chargebee",
  // For the parameters: npm chargebee, types/resources/WebhookEndpoint.d.ts.
  source: "https://apidocs.chargebee.com/docs/api/webhook_endpoints",
  origin: "https://{site}.chargebee.com",
  isOrigin: (origin) => /^https:\/\/[a-z0-9-]+\.chargebee\.com$/.test(origin),
  credentialHelp: "A full-access API key, as the user name of Basic with an empty password.",
  resource: null,
  secret: "ours",
  makeSecret: (random) => `catchment:${random}`,
  whenFailing: null,
  canEnable: true,
  typesHelp: "Such as invoice_generated.",
  toType: (eventType) => (/^[a-z_0-9]+$/.test(eventType) ? eventType : null),
  lifeMs: null,
  renewType: null,
  list: () =>
    listByCursor({
      ...{ path, query: [["limit", "100"]], cursor: "offset", readItem: readEndpoint },
      itemsOf: ({ list }) => list,
      nextOf: ({ next_offset }) => readText(next_offset),
    }),
  *create(_, wanted): Talk<Made> {
    const form: readonly Pair[] = [["name", "Catchment"], ["api_version", "v2"], ...toForm(wanted)];
    const { json } = yield { method: "POST", path, body: { form } };
    const endpoint = isJsonObject(json) ? json.webhook_endpoint : null;
    const id = isJsonObject(endpoint) ? readText(endpoint.id) : null;
    return id === null ? unexpected : { id, secret: null };
  },
  *update(_, { id }, wanted): Talk<void> {
    const form: readonly Pair[] = [["disabled", "false"], ...toForm(wanted)];
    yield { method: "POST", path: `${path}/${encodeURIComponent(id)}`, body: { form } };
  },
  *remove(_, { id }): Talk<void> {
    const own = `${path}/${encodeURIComponent(id)}/delete`;
    yield { method: "POST", path: own, mayBeGone: true };
  },
};

function toForm({ url, eventTypes, secret }: Wanted): readonly Pair[] {
  const [, username = "", password = ""] = /^([^:]*):(.*)$/s.exec(secret) ?? [];
  return [
    ["url", url],
    ["basic_auth_username", username],
    ["basic_auth_password", password],
    ...eventTypes.map((type, at) => [`enabled_events[${at}]`, type] as const),
  ];
}

function readEndpoint({ webhook_endpoint: json }: JsonObject): Found | null {
  if (!isJsonObject(json)) return null;
  const id = readText(json.id);
  const url = readText(json.url);
  if (id === null || url === null) return null;
  const isEnabled = json.disabled !== true;
  return {
    ...{ id, url, eventTypes: readTexts(json.enabled_events), isEnabled, whyDisabled: null },
    ...{ mark: null, expiresAtMs: null },
  };
}
