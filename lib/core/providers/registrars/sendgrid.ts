import { isJsonObject, type JsonObject } from "#lib/schema/field/json-value.ts";
import { readId, readObjects, readText } from "./read-json.ts";
import {
  type Found,
  isRejection,
  type Made,
  type Registrar,
  type Talk,
  unexpected,
  type Wanted,
} from "./registrar.ts";

const path = "/v3/user/webhooks/event/settings";

const types = [
  ...["bounce", "click", "deferred", "delivered", "dropped", "group_resubscribe"],
  ...["group_unsubscribe", "open", "processed", "spam_report", "unsubscribe"],
] as const;

/**
 * The event webhooks of an account. Signing is a second step, after which the key can be read at any time. A call
 * without an id acts on the oldest webhook, so every one has an id.
 */
export const sendgridRegistrar: Registrar = {
  provider: "sendgrid",
  name: "SendGrid",
  // For the paths and fields: sendgrid/sendgrid-oai, spec/paths/event_tracking/webhooks.json.
  source: "https://www.twilio.com/docs/sendgrid/api-reference/webhooks",
  origin: "https://api.sendgrid.com",
  isOrigin: (origin) =>
    origin === "https://api.sendgrid.com" || origin === "https://api.eu.sendgrid.com",
  credentialHelp: "An API key that may read and change Mail Settings, Event Notification.",
  resource: null,
  secret: "theirs",
  whenFailing: null,
  canEnable: true,
  typesHelp: "Such as delivered, bounce, and spamreport.",
  toType: (eventType) => types.find((type) => type === toField(eventType)) ?? null,
  lifeMs: null,
  renewType: null,
  *list() {
    const { json } = yield { method: "GET", path: `${path}/all` };
    const webhooks = isJsonObject(json) ? readObjects(json.webhooks) : null;
    const read = webhooks?.map(readWebhook).filter((webhook) => webhook !== null);
    return read === undefined || read.length !== webhooks?.length ? unexpected : read;
  },
  *create(_, wanted): Talk<Made> {
    const json = { friendly_name: "Catchment", ...toSettings(wanted) };
    const made = yield { method: "POST", path, body: { json } };
    const id = isJsonObject(made.json) ? readId(made.json.id) : null;
    if (id === null) return unexpected;
    const secret = yield* sign(id);
    return isRejection(secret) ? secret : { id, secret };
  },
  *update(_, { id }, wanted): Talk<void> {
    const own = `${path}/${encodeURIComponent(id)}`;
    yield { method: "PATCH", path: own, body: { json: toSettings(wanted) } };
  },
  *remove(_, { id }): Talk<void> {
    yield { method: "DELETE", path: `${path}/${encodeURIComponent(id)}`, mayBeGone: true };
  },
  *readSecret(_, { id }): Talk<string> {
    const { json } = yield { method: "GET", path: toSignedPath(id) };
    const known = isJsonObject(json) ? readText(json.public_key) : null;
    return known !== null && known !== "" ? known : yield* sign(id);
  },
};

/** Switches signing on. */
function* sign(id: string): Talk<string> {
  const body = { json: { enabled: true } };
  const { json } = yield { method: "PATCH", path: toSignedPath(id), body };
  const key = isJsonObject(json) ? readText(json.public_key) : null;
  return key === null || key === "" ? unexpected : key;
}

function toSignedPath(id: string): string {
  return `${path}/signed/${encodeURIComponent(id)}`;
}

/** Events of this type have another name than its setting. */
function toField(eventType: string): string {
  return eventType === "spamreport" ? "spam_report" : eventType;
}

function toSettings({ url, eventTypes }: Wanted) {
  const isOn = Object.fromEntries(types.map((type) => [type, eventTypes.includes(type)]));
  return { enabled: true, url, ...isOn };
}

function readWebhook(json: JsonObject): Found | null {
  const id = readId(json.id);
  const url = readText(json.url);
  if (id === null || url === null) return null;
  const eventTypes = types.filter((type) => json[type] === true);
  return {
    ...{ id, url, eventTypes, isEnabled: json.enabled !== false, whyDisabled: null },
    ...{ mark: null, expiresAtMs: null },
  };
}
