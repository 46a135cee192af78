import { isJsonObject, type JsonObject } from "#lib/schema/field/json-value.ts";
import { readId, readObjects, readText } from "./read-json.ts";
import { type Found, type Made, type Registrar, type Talk, unexpected } from "./registrar.ts";

const path = "/1/webhooks";
const onlyType = "*";

/** The webhooks of a board or card, which get all of its actions. They are listed with the tokens that made them. */
export const trelloRegistrar: Registrar = {
  provider: "trello",
  name: "Trello",
  source: "https://developer.atlassian.com/cloud/trello/guides/rest-api/webhooks/",
  origin: "https://api.trello.com",
  isOrigin: (origin) => origin === "https://api.trello.com",
  credentialHelp:
    'A header Authorization with OAuth oauth_consumer_key="{key}", oauth_token="{token}": the API key of your ' +
    "Power-Up, and a token of it with read, write, and account access.",
  resource: {
    label: "Board, card, list, or member",
    help: "Its id of 24 characters, such as 5abbe4b7ddc1b351ef961414.",
    isValid: (resource) => /^[0-9a-f]{24}$/.test(resource),
  },
  secret: "app",
  whenFailing: "disables",
  canEnable: true,
  typesHelp: "Only *, as Trello sends all actions.",
  toType: (eventType) => (eventType === onlyType ? eventType : null),
  lifeMs: null,
  renewType: null,
  *list({ resource }) {
    const query = [["webhooks", "true"]] as const;
    const { json } = yield { method: "GET", path: "/1/members/me/tokens", query };
    const webhooks = readObjects(json)?.map((token) => readObjects(token.webhooks));
    if (webhooks === undefined || webhooks.includes(null)) return unexpected;
    const ofModel = webhooks.flatMap((each) => each ?? []).filter(isOf(resource));
    const read = ofModel.map(readWebhook).filter((webhook) => webhook !== null);
    return read.length === ofModel.length ? read : unexpected;
  },
  *create({ resource }, { url }): Talk<Made> {
    const json = { callbackURL: url, idModel: resource, description: "Catchment", active: true };
    const made = yield { method: "POST", path, body: { json } };
    const id = isJsonObject(made.json) ? readId(made.json.id) : null;
    return id === null ? unexpected : { id, secret: null };
  },
  *update(_, { id }, { url }): Talk<void> {
    const json = { callbackURL: url, active: true };
    yield { method: "PUT", path: `${path}/${encodeURIComponent(id)}`, body: { json } };
  },
  *remove(_, { id }): Talk<void> {
    yield { method: "DELETE", path: `${path}/${encodeURIComponent(id)}`, mayBeGone: true };
  },
};

function isOf(resource: string): (webhook: JsonObject) => boolean {
  return (webhook) => readText(webhook.idModel) === resource;
}

function readWebhook(json: JsonObject): Found | null {
  const id = readId(json.id);
  const url = readText(json.callbackURL);
  if (id === null || url === null) return null;
  const failures = readId(json.consecutiveFailures);
  return {
    ...{ id, url, eventTypes: [onlyType], isEnabled: json.active !== false },
    whyDisabled: failures === null ? null : `after ${failures} failures in a row`,
    ...{ mark: null, expiresAtMs: null },
  };
}
