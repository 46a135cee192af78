import { isJsonObject, type JsonObject } from "#lib/schema/field/json-value.ts";
import { listByCursor } from "./list-by-cursor.ts";
import { readText, readTexts } from "./read-json.ts";
import {
  type Found,
  isRejection,
  type Made,
  type Pair,
  type Place,
  type Registrar,
  type Talk,
  unexpected,
  type Wanted,
} from "./registrar.ts";

const origin = "https://api.calendly.com";
const path = "/webhook_subscriptions";

/**
 * The subscriptions of an organization, or of one of its users. None can be changed or enabled, so another one is made.
 * Two can't share a URL: with the same URL, the first one goes before the other comes.
 */
export const calendlyRegistrar: Registrar = {
  provider: "calendly",
  name: "Calendly",
  source: "https://developer.calendly.com/docs/webhooks/overview",
  origin,
  isOrigin: (given) => given === origin,
  credentialHelp:
    "A personal access token with the scopes webhooks:write and those of the events, as a bearer token. One of an " +
    "owner or administrator for a whole organization.",
  resource: {
    label: "Organization",
    help: "The end of its URI, such as AAAAAAAAAAAAAAAA, or AAAAAAAAAAAAAAAA/BBBBBBBBBBBBBBBB for one user of it.",
    isValid: (resource) => /^[A-Za-z0-9-]{1,64}(\/[A-Za-z0-9-]{1,64})?$/.test(resource),
  },
  secret: "ours",
  whenFailing: "deletes",
  canEnable: true,
  typesHelp: "Such as invitee.created.",
  toType: (eventType) => (/^[a-z_]+(\.[a-z_]+)+$/.test(eventType) ? eventType : null),
  lifeMs: null,
  renewType: null,
  list: (at) =>
    listByCursor({
      ...{ path, query: [...Object.entries(toScope(at)), ["count", "100"]] as readonly Pair[] },
      ...{ cursor: "page_token", readItem: readSubscription },
      itemsOf: ({ collection }) => collection,
      nextOf: ({ pagination }) =>
        isJsonObject(pagination) ? readText(pagination.next_page_token) : null,
    }),
  create: (at, wanted) => create(at, wanted),
  *update(at, found, wanted): Talk<void> {
    const isMoved = found.url !== wanted.url;
    if (!isMoved) yield* remove(found);
    const made = yield* create(at, wanted);
    if (isRejection(made)) return made;
    if (isMoved) yield* remove(found);
  },
  remove: (_, found) => remove(found),
};

function* create(at: Place, { url, eventTypes, secret }: Wanted): Talk<Made> {
  const json = { url, events: [...eventTypes], ...toScope(at), signing_key: secret };
  const made = yield { method: "POST", path, body: { json } };
  const resource = isJsonObject(made.json) ? made.json.resource : null;
  const id = isJsonObject(resource) ? readUuid(resource) : null;
  return id === null ? unexpected : { id, secret: null };
}

function* remove({ id }: Found): Talk<void> {
  yield { method: "DELETE", path: `${path}/${encodeURIComponent(id)}`, mayBeGone: true };
}

/** Whose events it gets. */
function toScope({ resource }: Place): Readonly<Record<string, string>> {
  const [organization, user] = resource.split("/");
  const owner = { organization: `${origin}/organizations/${organization}` };
  return user === undefined
    ? { ...owner, scope: "organization" }
    : { ...owner, scope: "user", user: `${origin}/users/${user}` };
}

function readSubscription(json: JsonObject): Found | null {
  const id = readUuid(json);
  const url = readText(json.callback_url);
  if (id === null || url === null) return null;
  return {
    ...{ id, url, eventTypes: readTexts(json.events), isEnabled: json.state === "active" },
    ...{ whyDisabled: null, mark: null, expiresAtMs: null },
  };
}

/** The end of its URI. */
function readUuid({ uri }: JsonObject): string | null {
  return readText(uri)?.split("/").at(-1) || null;
}
