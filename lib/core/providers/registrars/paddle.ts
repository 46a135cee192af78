import { isJsonObject, type JsonObject } from "#lib/schema/field/json-value.ts";
import { listByCursor } from "./list-by-cursor.ts";
import { readObjects, readText } from "./read-json.ts";
import {
  type Found,
  type Made,
  type Registrar,
  type Talk,
  unexpected,
  type Wanted,
} from "./registrar.ts";

const path = "/notification-settings";
const origins = ["https://api.paddle.com", "https://sandbox-api.paddle.com"];

/** The notification destinations of an account, each of which says its secret at any time. */
export const paddleRegistrar: Registrar = {
  provider: "paddle",
  name: "Paddle",
  // For the fields: npm @paddle/paddle-node-sdk, src/resources/notification-settings.
  source: "https://developer.paddle.com/api-reference/notification-settings/overview",
  origin: "https://api.paddle.com",
  isOrigin: (origin) => origins.includes(origin),
  credentialHelp: "An API key that may read and write notification settings, as a bearer token.",
  resource: null,
  secret: "theirs",
  whenFailing: null,
  canEnable: true,
  typesHelp: "Such as transaction.completed.",
  toType: (eventType) => (/^[a-z_]+(\.[a-z_]+)+$/.test(eventType) ? eventType : null),
  lifeMs: null,
  renewType: null,
  list: () =>
    listByCursor({
      ...{ path, query: [["per_page", "200"]], cursor: "after", readItem: readSetting },
      itemsOf: ({ data }) => data,
      hasOthers: true,
      nextOf: ({ meta }, items) => {
        const pagination = isJsonObject(meta) ? meta.pagination : null;
        const hasMore = isJsonObject(pagination) && pagination.has_more === true;
        return hasMore ? readText(items.at(-1)?.id) : null;
      },
    }),
  *create(_, wanted): Talk<Made> {
    const json = { description: "Catchment", type: "url", ...toFields(wanted) };
    const made = yield { method: "POST", path, body: { json } };
    return readMade(isJsonObject(made.json) ? made.json.data : null) ?? unexpected;
  },
  *update(_, { id }, wanted): Talk<void> {
    const json = { active: true, ...toFields(wanted) };
    yield { method: "PATCH", path: `${path}/${encodeURIComponent(id)}`, body: { json } };
  },
  *remove(_, { id }): Talk<void> {
    yield { method: "DELETE", path: `${path}/${encodeURIComponent(id)}`, mayBeGone: true };
  },
  *readSecret(_, { id }): Talk<string> {
    const { json } = yield { method: "GET", path: `${path}/${encodeURIComponent(id)}` };
    return readMade(isJsonObject(json) ? json.data : null)?.secret ?? unexpected;
  },
};

function toFields({ url, eventTypes }: Wanted) {
  return { destination: url, subscribed_events: [...eventTypes], traffic_source: "platform" };
}

/** Null: its destination is an email address, or nothing that is known. */
function readSetting(json: JsonObject): Found | null {
  const id = readText(json.id);
  const url = readText(json.destination);
  if (id === null || url === null || json.type !== "url") return null;
  const eventTypes = (readObjects(json.subscribed_events) ?? []).flatMap(
    ({ name }) => readText(name) ?? [],
  );
  const isEnabled = json.active !== false;
  return {
    ...{ id, url, eventTypes, isEnabled, whyDisabled: null },
    ...{ mark: null, expiresAtMs: null },
  };
}

function readMade(json: unknown): (Made & { readonly secret: string }) | null {
  if (!isJsonObject(json)) return null;
  const id = readText(json.id);
  const secret = readText(json.endpoint_secret_key);
  return id === null || secret === null ? null : { id, secret };
}
