import { isJsonObject, type JsonObject } from "#lib/schema/field/json-value.ts";
import { readId, readObjects, readText } from "./read-json.ts";
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
 * The webhooks of a project or a group. A change of the URL resets the token, so every change sends it again. No call
 * of the API is documented to enable one that GitLab has disabled.
 */
export const gitlabRegistrar: Registrar = {
  provider: "gitlab",
  name: "GitLab",
  source: "https://docs.gitlab.com/api/project_webhooks/",
  origin: "https://gitlab.com",
  // Most have their own.
  isOrigin: (origin) => origin.startsWith("https://"),
  credentialHelp:
    "A project, group, or personal access token with the scope api and the role Maintainer, as a bearer " +
    "token or in the header PRIVATE-TOKEN.",
  resource: {
    label: "Project or group",
    help: "Such as acme/shop, the number of a project, or group:acme.",
    isValid: (resource) => /^(group:)?[\w.-]{1,255}(\/[\w.-]{1,255}){0,20}$/.test(resource),
  },
  secret: "ours",
  whenFailing: "disables",
  canEnable: false,
  typesHelp: "The names of its API, such as push_events and merge_requests_events.",
  toType: (eventType) => (/^[a-z_]+_events$/.test(eventType) ? eventType : null),
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
      const read = hooks.map(readHook).filter((hook) => hook !== null);
      if (read.length < hooks.length) return unexpected;
      found.push(...read);
      if (hooks.length < perPage) break;
    }
    return found;
  },
  *create({ resource }, wanted): Talk<Made> {
    // It gets pushes unless it is told not to.
    const json = { push_events: false, ...toSettings(wanted) };
    const made = yield { method: "POST", path: toPath(resource), body: { json } };
    const id = isJsonObject(made.json) ? readId(made.json.id) : null;
    return id === null ? unexpected : { id, secret: null };
  },
  *update({ resource }, { id, eventTypes }, wanted): Talk<void> {
    const path = `${toPath(resource)}/${encodeURIComponent(id)}`;
    const off = Object.fromEntries(eventTypes.map((type) => [type, false]));
    yield { method: "PUT", path, body: { json: { ...off, ...toSettings(wanted) } } };
  },
  *remove({ resource }, { id }): Talk<void> {
    const path = `${toPath(resource)}/${encodeURIComponent(id)}`;
    yield { method: "DELETE", path, mayBeGone: true };
  },
};

const groupPrefix = "group:";

function toPath(resource: string): string {
  return resource.startsWith(groupPrefix)
    ? `/api/v4/groups/${encodeURIComponent(resource.slice(groupPrefix.length))}/hooks`
    : `/api/v4/projects/${encodeURIComponent(resource)}/hooks`;
}

function toSettings({ url, eventTypes, secret }: Wanted) {
  const on = Object.fromEntries(eventTypes.map((type) => [type, true]));
  return { url, token: secret, enable_ssl_verification: true, ...on };
}

function readHook(json: JsonObject): Found | null {
  const id = readId(json.id);
  const url = readText(json.url);
  if (id === null || url === null) return null;
  const eventTypes = Object.entries(json).flatMap(([name, value]) =>
    value === true && name.endsWith("_events") ? [name] : [],
  );
  // Missing in versions that disable none.
  const status = readText(json.alert_status) ?? "executable";
  const until = readText(json.disabled_until);
  const whyDisabled =
    status === "temporarily_disabled" && until !== null
      ? `because it got errors, until ${until}`
      : "because it got errors";
  return {
    id,
    url,
    eventTypes,
    isEnabled: status === "executable",
    whyDisabled,
    mark: null,
    expiresAtMs: null,
  };
}
