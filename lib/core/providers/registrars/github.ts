import { isJsonObject, type JsonObject } from "#lib/schema/field/json-value.ts";
import { readId, readObjects, readText, readTexts } from "./read-json.ts";
import {
  type Found,
  type Made,
  maxPages,
  type Registrar,
  type Talk,
  unexpected,
  type Wanted,
} from "./registrar.ts";

const perPage = 100;

/**
 * The webhooks of a repository or an organization. A `PATCH` without `config.secret` removes the secret, and the
 * content type is a form unless it is set, so every change sends the whole `config`.
 */
export const githubRegistrar: Registrar = {
  provider: "github",
  name: "GitHub",
  // For the paths: npm @octokit/plugin-rest-endpoint-methods.
  source: "https://docs.github.com/en/rest/repos/webhooks",
  origin: "https://api.github.com",
  isOrigin: (origin) => origin === "https://api.github.com",
  credentialHelp:
    "A fine-grained token with write access to Webhooks of the repository, or a classic one with admin:repo_hook, " +
    "or admin:org_hook for an organization, as a bearer token.",
  resource: {
    label: "Repository or organization",
    help: "Such as acme/shop, or acme for the organization.",
    isValid: (resource) => /^[\w.-]{1,100}(\/[\w.-]{1,100})?$/.test(resource),
  },
  secret: "ours",
  whenFailing: null,
  canEnable: true,
  typesHelp: "Such as push and pull_request, or * for all.",
  toType: (eventType) => (/^(\*|[a-z_]+)$/.test(eventType) ? eventType : null),
  lifeMs: null,
  renewType: null,
  *list({ resource }) {
    const found: Found[] = [];
    for (let page = 1; page <= maxPages; page += 1) {
      const { json } = yield {
        method: "GET",
        path: toPath(resource),
        query: [
          ["per_page", String(perPage)],
          ["page", String(page)],
        ],
      };
      const hooks = readObjects(json);
      if (hooks === null) return unexpected;
      found.push(...hooks.map(readHook).filter((hook) => hook !== null));
      if (hooks.length < perPage) break;
    }
    return found;
  },
  *create({ resource }, wanted): Talk<Made> {
    const json = { name: "web", ...toSettings(wanted) };
    const made = yield { method: "POST", path: toPath(resource), body: { json } };
    const id = isJsonObject(made.json) ? readId(made.json.id) : null;
    return id === null ? unexpected : { id, secret: null };
  },
  *update({ resource }, { id }, wanted): Talk<void> {
    const path = `${toPath(resource)}/${encodeURIComponent(id)}`;
    yield { method: "PATCH", path, body: { json: toSettings(wanted) } };
  },
  *remove({ resource }, { id }): Talk<void> {
    const path = `${toPath(resource)}/${encodeURIComponent(id)}`;
    yield { method: "DELETE", path, mayBeGone: true };
  },
};

function toPath(resource: string): string {
  return resource.includes("/") ? `/repos/${resource}/hooks` : `/orgs/${resource}/hooks`;
}

function toSettings({ url, eventTypes, secret }: Wanted) {
  const config = { url, content_type: "json", insecure_ssl: "0", secret };
  return { active: true, events: [...eventTypes], config };
}

/** Null: a service of GitHub's past, which has no URL. */
function readHook(json: JsonObject): Found | null {
  const id = readId(json.id);
  const url = isJsonObject(json.config) ? readText(json.config.url) : null;
  if (id === null || url === null) return null;
  const isEnabled = json.active !== false;
  return {
    id,
    url,
    eventTypes: readTexts(json.events),
    isEnabled,
    whyDisabled: null,
    mark: null,
    expiresAtMs: null,
  };
}
