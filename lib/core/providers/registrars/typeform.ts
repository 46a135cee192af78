import { isJsonObject, type JsonObject } from "#lib/schema/field/json-value.ts";
import { readObjects, readText } from "./read-json.ts";
import {
  type Found,
  type Made,
  type Registrar,
  type Talk,
  unexpected,
  type Wanted,
} from "./registrar.ts";

const origins = ["https://api.typeform.com", "https://api.eu.typeform.com"];
const onlyType = "form_response";

/**
 * The webhooks of a form. Creating and changing are the same call, by a tag that is ours to choose. It disables a
 * webhook unless it is told to enable it, and nothing says that it keeps a secret that isn't in it, so both always are.
 */
export const typeformRegistrar: Registrar = {
  provider: "typeform",
  name: "Typeform",
  // For the fields: npm @typeform/api-client, src/webhooks.ts.
  source: "https://www.typeform.com/developers/webhooks/reference/create-or-update-webhook/",
  origin: "https://api.typeform.com",
  isOrigin: (origin) => origins.includes(origin),
  credentialHelp: "A personal access token that may read and write webhooks, as a bearer token.",
  resource: {
    label: "Form",
    help: "The id in the URL of the form, such as lT4Z3j.",
    isValid: (resource) => /^[A-Za-z0-9_-]{1,64}$/.test(resource),
  },
  secret: "ours",
  whenFailing: null,
  canEnable: true,
  typesHelp: "Only form_response.",
  toType: (eventType) => (eventType === onlyType ? eventType : null),
  lifeMs: null,
  renewType: null,
  *list({ resource }) {
    const { json } = yield { method: "GET", path: toPath(resource) };
    const webhooks = isJsonObject(json) ? readObjects(json.items) : null;
    const read = webhooks?.map(readWebhook).filter((webhook) => webhook !== null);
    return read === undefined || read.length !== webhooks?.length ? unexpected : read;
  },
  *create({ resource }, wanted): Talk<Made> {
    const id = `catchment-${wanted.mark}`;
    yield* put(resource, id, wanted);
    return { id, secret: null };
  },
  *update({ resource }, { id }, wanted): Talk<void> {
    yield* put(resource, id, wanted);
  },
  *remove({ resource }, { id }): Talk<void> {
    const path = `${toPath(resource)}/${encodeURIComponent(id)}`;
    yield { method: "DELETE", path, mayBeGone: true };
  },
};

function* put(resource: string, tag: string, { url, secret }: Wanted): Talk<null> {
  const path = `${toPath(resource)}/${encodeURIComponent(tag)}`;
  const json = { url, enabled: true, secret, verify_ssl: true };
  yield { method: "PUT", path, body: { json } };
  return null;
}

function toPath(resource: string): string {
  return `/forms/${encodeURIComponent(resource)}/webhooks`;
}

function readWebhook(json: JsonObject): Found | null {
  const id = readText(json.tag);
  const url = readText(json.url);
  if (id === null || url === null) return null;
  const isEnabled = json.enabled !== false;
  return {
    ...{ id, url, eventTypes: [onlyType], isEnabled, whyDisabled: null },
    ...{ mark: null, expiresAtMs: null },
  };
}
