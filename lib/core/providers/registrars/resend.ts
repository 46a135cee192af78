import { isJsonObject, type JsonObject } from "#lib/schema/field/json-value.ts";
import { listByCursor } from "./list-by-cursor.ts";
import { readText, readTexts } from "./read-json.ts";
import { type Found, type Made, type Registrar, type Talk, unexpected } from "./registrar.ts";

const path = "/webhooks";

/** The webhooks of an account, each of which says its secret at any time. */
export const resendRegistrar: Registrar = {
  provider: "resend",
  name: "Resend",
  source: "https://resend.com/docs/api-reference/webhooks/create-webhook",
  origin: "https://api.resend.com",
  isOrigin: (origin) => origin === "https://api.resend.com",
  credentialHelp: "An API key with full access, as a bearer token.",
  resource: null,
  secret: "theirs",
  whenFailing: null,
  canEnable: true,
  typesHelp: "Such as email.bounced.",
  toType: (eventType) => (/^[a-z_]+(\.[a-z_]+)+$/.test(eventType) ? eventType : null),
  lifeMs: null,
  renewType: null,
  list: () =>
    listByCursor({
      ...{ path, query: [["limit", "100"]], cursor: "after", readItem: readWebhook },
      itemsOf: ({ data }) => data,
      nextOf: ({ has_more }, items) => (has_more === true ? readText(items.at(-1)?.id) : null),
    }),
  *create(_, { url, eventTypes }): Talk<Made> {
    const body = { json: { endpoint: url, events: [...eventTypes] } };
    const { json } = yield { method: "POST", path, body };
    if (!isJsonObject(json)) return unexpected;
    const id = readText(json.id);
    const secret = readText(json.signing_secret);
    return id === null || secret === null ? unexpected : { id, secret };
  },
  *update(_, { id }, { url, eventTypes }): Talk<void> {
    const json = { endpoint: url, events: [...eventTypes], status: "enabled" };
    yield { method: "PATCH", path: `${path}/${encodeURIComponent(id)}`, body: { json } };
  },
  *remove(_, { id }): Talk<void> {
    yield { method: "DELETE", path: `${path}/${encodeURIComponent(id)}`, mayBeGone: true };
  },
  *readSecret(_, { id }): Talk<string> {
    const { json } = yield { method: "GET", path: `${path}/${encodeURIComponent(id)}` };
    return (isJsonObject(json) ? readText(json.signing_secret) : null) ?? unexpected;
  },
};

function readWebhook(json: JsonObject): Found | null {
  const id = readText(json.id);
  const url = readText(json.endpoint);
  if (id === null || url === null) return null;
  const isEnabled = json.status !== "disabled";
  return {
    ...{ id, url, eventTypes: readTexts(json.events), isEnabled, whyDisabled: null },
    ...{ mark: null, expiresAtMs: null },
  };
}
