import { isJsonObject, type JsonObject } from "#lib/schema/field/json-value.ts";
import { readObjects, readText } from "./read-json.ts";
import {
  type Found,
  isRejection,
  type Made,
  maxPages,
  type Pair,
  type Place,
  type Registrar,
  type Talk,
  unexpected,
  type Wanted,
} from "./registrar.ts";

const path = "/v1.0/subscriptions";
const minuteMs = 60_000;

/**
 * A subscription of one resource, which expires and is renewed by a later expiry. Neither its change types nor its
 * `clientState` can be changed: another one is made, and then the first one is removed. Lifecycle notifications go to
 * the same URL, which can't be set later.
 */
export const microsoftGraphRegistrar: Registrar = {
  provider: "microsoft-graph",
  name: "Microsoft Graph",
  source: "https://learn.microsoft.com/en-us/graph/api/resources/subscription",
  origin: "https://graph.microsoft.com",
  isOrigin: (origin) => origin === "https://graph.microsoft.com",
  credentialHelp:
    "OAuth 2.0 client credentials of your app, with the scope https://graph.microsoft.com/.default. The app needs " +
    "the permission that reads the resource, such as Mail.Read.",
  resource: {
    label: "Resource",
    help: "Such as users/jo@example.com/messages, or groups.",
    isValid: (resource) => /^[^\s/?#][^\s?#]{0,499}$/.test(resource),
  },
  secret: "ours",
  whenFailing: "loses",
  canEnable: true,
  typesHelp: "created, updated, and deleted.",
  toType: (eventType) => (/^(created|updated|deleted)$/.test(eventType) ? eventType : null),
  lifeMs: ({ resource }) => findLife(resource) * minuteMs,
  renewType: "reauthorizationRequired",
  missedType: "missed",
  list: (at) => listSubscriptions(at),
  create: (at, wanted) => create(at, wanted),
  *update(at, found, wanted): Talk<void> {
    const mayKeep = !wanted.isNewSecret && isSame(found.eventTypes, wanted.eventTypes);
    if (mayKeep) {
      const json = { notificationUrl: wanted.url, expirationDateTime: toTime(wanted.expiresAtMs) };
      yield { method: "PATCH", path: `${path}/${encodeURIComponent(found.id)}`, body: { json } };
      return;
    }
    // Those that a killed process has made too.
    const before = yield* listSubscriptions(at);
    if (isRejection(before)) return before;
    const made = yield* create(at, wanted);
    if (isRejection(made)) return made;
    for (const each of before.filter(({ url }) => url === found.url || url === wanted.url))
      yield* remove(each.id);
  },
  remove: (_, { id }) => remove(id),
};

function* remove(id: string): Talk<void> {
  yield { method: "DELETE", path: `${path}/${encodeURIComponent(id)}`, mayBeGone: true };
}

function* listSubscriptions(at: Place): Talk<readonly Found[]> {
  const found: Found[] = [];
  let query: readonly Pair[] = [];
  for (let page = 0; page < maxPages; page += 1) {
    const { json } = yield { method: "GET", path, query };
    const subscriptions = isJsonObject(json) ? readObjects(json.value) : null;
    if (!isJsonObject(json) || subscriptions === null) return unexpected;
    const read = subscriptions.map((each) => readSubscription(each, at));
    found.push(...read.filter((each) => each !== null));
    const next = URL.parse(readText(json["@odata.nextLink"]) ?? "");
    if (next === null) break;
    query = [...next.searchParams];
  }
  return found;
}

function* create({ resource }: Place, wanted: Wanted): Talk<Made> {
  const { url, eventTypes, secret, expiresAtMs } = wanted;
  const json = {
    ...{ changeType: eventTypes.join(","), notificationUrl: url, lifecycleNotificationUrl: url },
    ...{ resource, expirationDateTime: toTime(expiresAtMs), clientState: secret },
  };
  const made = yield { method: "POST", path, body: { json } };
  const id = isJsonObject(made.json) ? readText(made.json.id) : null;
  return id === null ? unexpected : { id, secret: null };
}

/** Null: it is of another resource. */
function readSubscription(json: JsonObject, { resource }: Place): Found | null {
  const id = readText(json.id);
  const url = readText(json.notificationUrl);
  if (id === null || url === null || readText(json.resource) !== resource) return null;
  const eventTypes = (readText(json.changeType) ?? "").split(",").filter((type) => type !== "");
  const expiresAtMs = Date.parse(readText(json.expirationDateTime) ?? "");
  return {
    ...{ id, url, eventTypes, isEnabled: true, whyDisabled: null, mark: null },
    expiresAtMs: Number.isNaN(expiresAtMs) ? null : expiresAtMs,
  };
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((type) => other.includes(type));
}

function toTime(ms: number | null): string {
  return new Date(ms ?? 0).toISOString();
}

/**
 * In minutes, a little less than the maximum of a resource, because its clock isn't ours. What isn't listed has the
 * shortest one of those that aren't minutes. Graph says in its response what it grants.
 */
function findLife(resource: string): number {
  const [, life = 4_200] = lives.find(([pattern]) => pattern.test(resource)) ?? [];
  return life;
}

const lives: readonly (readonly [RegExp, number])[] = [
  [/presences?\b/i, 55],
  [/\b(chats|teams|channels|chatMessages|callRecords|members)\b/i, 4_290],
  [/\b(messages|events|contacts)\b/i, 10_050],
  [/\b(drive|drives|lists)\b/i, 42_200],
  [/^(users|groups)(\/[^/]+)?$/i, 41_700],
];
