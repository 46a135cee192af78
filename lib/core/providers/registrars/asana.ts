import { isJsonObject, type JsonObject } from "#lib/schema/field/json-value.ts";
import { listByCursor } from "./list-by-cursor.ts";
import { markUrl, readMarkedUrl } from "./marked-url.ts";
import { readId, readObjects, readText } from "./read-json.ts";
import {
  type Found,
  type Made,
  type Pair,
  type Place,
  type Registrar,
  type Talk,
  unexpected,
  type Wanted,
} from "./registrar.ts";

const path = "/api/1.0/webhooks";
const allTypes = "*";

/**
 * The webhooks of an app on one resource. Only their filters can be changed. While one is being created, Asana sends
 * the secret to its URL, where catch returns it, and says it again in the response to the creation.
 */
export const asanaRegistrar: Registrar = {
  provider: "asana",
  name: "Asana",
  source: "https://developers.asana.com/reference/createwebhook",
  origin: "https://app.asana.com",
  isOrigin: (origin) => origin === "https://app.asana.com",
  credentialHelp:
    "A personal access token, or a token of your app with the scopes webhooks:read, webhooks:write, and " +
    "webhooks:delete, as a bearer token.",
  resource: {
    label: "Workspace and resource",
    help: "Their ids, such as 12001/34002: the workspace, and a project, portfolio, or task of it.",
    isValid: (resource) => /^\d{1,24}\/\d{1,24}$/.test(resource),
  },
  secret: "theirs",
  whenFailing: "deletes",
  canEnable: true,
  typesHelp: "Such as task.added, story, or * for all.",
  toType: (eventType) =>
    /^([a-z_]+(\.(added|changed|deleted|removed|undeleted))?|\*)$/.test(eventType)
      ? eventType
      : null,
  lifeMs: null,
  renewType: null,
  isFixed: (found, { url }) => found.url !== url || !found.isEnabled,
  list: (at) =>
    listByCursor({
      ...{ path, query: toQuery(at), cursor: "offset", readItem: readWebhook },
      itemsOf: ({ data }) => data,
      nextOf: ({ next_page: next }) => (isJsonObject(next) ? readText(next.offset) : null),
    }),
  *create({ resource }, wanted): Talk<Made> {
    const [, id = ""] = resource.split("/");
    const target = markUrl(wanted.url, wanted);
    const data = { resource: id, target, filters: toFilters(wanted.eventTypes) };
    const { json } = yield { method: "POST", path, body: { json: { data } } };
    const made = isJsonObject(json) && isJsonObject(json.data) ? readId(json.data.gid) : null;
    const secret = isJsonObject(json) ? readText(json["X-Hook-Secret"]) : null;
    return made === null || secret === null ? unexpected : { id: made, secret };
  },
  *update(_, found, { eventTypes }: Wanted): Talk<void> {
    const json = { data: { filters: toFilters(eventTypes) } };
    yield { method: "PUT", path: toPath(found), body: { json } };
  },
  *remove(_, found): Talk<void> {
    yield { method: "DELETE", path: toPath(found), mayBeGone: true };
  },
};

function toPath({ id }: Found): string {
  return `${path}/${encodeURIComponent(id)}`;
}

function toQuery({ resource }: Place): readonly Pair[] {
  const [workspace = "", id = ""] = resource.split("/");
  const fields = "active,target,last_failure_content";
  const filters = "filters.resource_type,filters.resource_subtype,filters.action,filters.fields";
  return [
    ["workspace", workspace],
    ["resource", id],
    ["limit", "100"],
    ["opt_fields", `${fields},${filters}`],
  ];
}

function readWebhook(json: JsonObject): Found | null {
  const id = readId(json.gid);
  const target = readText(json.target);
  const filters = json.filters === undefined ? [] : readObjects(json.filters);
  if (id === null || target === null || filters === null) return null;
  const eventTypes = filters.length === 0 ? [allTypes] : filters.map(readFilter);
  const failure = readText(json.last_failure_content) || null;
  return {
    ...{ id, ...readMarkedUrl(target), eventTypes, isEnabled: json.active !== false },
    ...{ whyDisabled: failure && `after “${failure.slice(0, 200)}”`, expiresAtMs: null },
  };
}

/** `task.changed`, and for a narrower filter that someone made, `task.changed?fields=due_on,name`. */
function readFilter(filter: JsonObject): string {
  const action = readText(filter.action);
  const type = `${readText(filter.resource_type)}${action === null ? "" : `.${action}`}`;
  const subtype = readText(filter.resource_subtype);
  const { fields } = filter;
  const narrower = new URLSearchParams({
    ...(subtype === null ? {} : { resource_subtype: subtype }),
    ...(Array.isArray(fields) && fields.length > 0 ? { fields: fields.join(",") } : {}),
  });
  return narrower.size === 0 ? type : `${type}?${narrower}`;
}

function toFilters(eventTypes: readonly string[]) {
  return eventTypes.filter((type) => type !== allTypes).map(toFilter);
}

function toFilter(eventType: string): JsonObject {
  const [type = "", narrower] = eventType.split("?");
  const [resource_type = "", action] = type.split(".");
  const params = new URLSearchParams(narrower);
  const subtype = params.get("resource_subtype");
  const fields = params.get("fields");
  return {
    resource_type,
    ...(action === undefined ? {} : { action }),
    ...(subtype === null ? {} : { resource_subtype: subtype }),
    ...(fields === null ? {} : { fields: fields.split(",") }),
  };
}
