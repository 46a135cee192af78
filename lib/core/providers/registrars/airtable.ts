import { isJsonObject, type JsonObject } from "#lib/schema/field/json-value.ts";
import { markUrl, readMarkedUrl } from "./marked-url.ts";
import { isSameTypes } from "./merge-types.ts";
import { readObjects, readText, readTexts } from "./read-json.ts";
import {
  type Found,
  type Made,
  type Place,
  type Registrar,
  type Talk,
  unexpected,
} from "./registrar.ts";

const dayMs = 86_400_000;

/**
 * The webhooks of a base, which end after seven days unless they are refreshed. Neither the URL nor what they tell of
 * can be changed, and only the response to the creation has the secret.
 */
export const airtableRegistrar: Registrar = {
  provider: "airtable",
  name: "Airtable",
  source: "https://airtable.com/developers/web/api/webhooks-overview",
  origin: "https://api.airtable.com",
  isOrigin: (origin) => origin === "https://api.airtable.com",
  credentialHelp:
    "A personal access token with the scope webhook:manage, as a bearer token. It also needs data.records:read for " +
    "tableData, and schema.bases:read for tableFields and tableMetadata.",
  resource: {
    label: "Base",
    help: "Its id, such as appLkNDICXNqxSDhG, or appLkNDICXNqxSDhG/tblfLs71ABxTEoXGu for one table or view of it.",
    isValid: (resource) => /^app[A-Za-z0-9]{14}(\/(tbl|viw)[A-Za-z0-9]{14})?$/.test(resource),
  },
  secret: "theirs",
  // What has ended is gone, or stays without notifications: sources disagree.
  whenFailing: "loses",
  canEnable: true,
  typesHelp: "tableData, tableFields, and tableMetadata.",
  toType: (eventType) => (/^table(Data|Fields|Metadata)$/.test(eventType) ? eventType : null),
  lifeMs: () => 7 * dayMs,
  renewType: null,
  isFixed: (found, { url, eventTypes }) =>
    found.url !== url || !isSameTypes(found.eventTypes, eventTypes),
  *list(at): Talk<readonly Found[]> {
    const { json } = yield { method: "GET", path: toPath(at) };
    const webhooks = isJsonObject(json) ? readObjects(json.webhooks) : null;
    if (webhooks === null) return unexpected;
    return webhooks.map((webhook) => readWebhook(webhook, at)).filter((found) => found !== null);
  },
  *create(at, wanted): Talk<Made> {
    const [, scope] = at.resource.split("/");
    const filters = {
      dataTypes: [...wanted.eventTypes],
      ...(scope === undefined ? {} : { recordChangeScope: scope }),
    };
    const notificationUrl = markUrl(wanted.url, wanted);
    const json = { notificationUrl, specification: { options: { filters } } };
    const made = yield { method: "POST", path: toPath(at), body: { json } };
    if (!isJsonObject(made.json)) return unexpected;
    const id = readText(made.json.id);
    const secret = readText(made.json.macSecretBase64);
    return id === null || secret === null ? unexpected : { id, secret };
  },
  *update(at, found): Talk<void> {
    const path = `${toPath(at)}/${encodeURIComponent(found.id)}`;
    if (!found.isEnabled)
      yield {
        ...{ method: "POST", path: `${path}/enableNotifications` },
        body: { json: { enable: true } },
      };
    yield { method: "POST", path: `${path}/refresh` };
  },
  *remove(at, { id }): Talk<void> {
    yield { method: "DELETE", path: `${toPath(at)}/${encodeURIComponent(id)}`, mayBeGone: true };
  },
};

function toPath({ resource }: Place): string {
  const [base = ""] = resource.split("/");
  return `/v0/bases/${base}/webhooks`;
}

/** Null: it has no URL, or is of another table. */
function readWebhook(json: JsonObject, { resource }: Place): Found | null {
  const id = readText(json.id);
  const notificationUrl = readText(json.notificationUrl);
  const filters = readFilters(json);
  const [, scope = null] = resource.split("/");
  if (id === null || notificationUrl === null || readText(filters.recordChangeScope) !== scope)
    return null;
  const expiresAtMs = Date.parse(readText(json.expirationTime) ?? "");
  return {
    ...{ id, ...readMarkedUrl(notificationUrl), eventTypes: readTexts(filters.dataTypes) },
    isEnabled: json.isHookEnabled !== false && json.areNotificationsEnabled !== false,
    ...{ whyDisabled: null, expiresAtMs: Number.isNaN(expiresAtMs) ? null : expiresAtMs },
  };
}

function readFilters({ specification }: JsonObject): JsonObject {
  const options = isJsonObject(specification) ? specification.options : null;
  const filters = isJsonObject(options) ? options.filters : null;
  return isJsonObject(filters) ? filters : {};
}
