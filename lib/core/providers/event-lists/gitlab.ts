import { isJsonObject, type JsonValue } from "#lib/schema/field/json-value.ts";
import type { EventList } from "./event-list.ts";

const perPage = 100;

/**
 * Requests of one webhook of a project, for 7 days. A list has no times that are documented, so a search is
 * always of all 7 days. What identifies an event is among the headers that it lists.
 */
export const gitlabRequests: EventList = {
  provider: "gitlab",
  name: "GitLab",
  source: "https://docs.gitlab.com/api/project_webhooks/",
  retentionDays: 7,
  origin: "https://gitlab.com",
  // Most are their users' own.
  isOrigin: (origin) => origin.startsWith("https://"),
  credentialHelp:
    "A token with the scope api of a Maintainer, as a bearer token or in the header PRIVATE-TOKEN.",
  difference:
    "GitLab sends the missing requests again, at most 5 a minute. They arrive by the hook's own URL.",
  pauseMs: 500,
  redelivers: {
    label: "Webhook at GitLab",
    help: "The address of its settings page, such as https://gitlab.com/acme/shop/-/hooks/12345/edit",
    readWebhook,
    // docs.gitlab.com/administration/settings/rate-limit-on-webhook-operations
    perMinute: 5,
  },
  toRequest: ({ webhook, cursor }) => ({
    path: `${webhook}/events`,
    query: [
      ["per_page", String(perPage)],
      ["page", cursor ?? "1"],
    ],
  }),
  readPage(json, { webhook, toMs, cursor }) {
    if (!Array.isArray(json)) return null;
    const read = json.map((item) => readRequest(item, webhook ?? "", toMs));
    const events = read.filter((event) => event !== null);
    if (events.length < read.length) return null;
    const isFull = read.length === perPage;
    return { events, next: isFull ? String(Number(cursor ?? "1") + 1) : null };
  },
};

const known = ["Idempotency-Key", "X-Gitlab-Event", "X-Gitlab-Event-UUID"];

function readRequest(item: JsonValue, webhook: string, toMs: number) {
  if (!isJsonObject(item) || !isJsonObject(item.request_headers)) return null;
  const id = item.id === undefined ? "" : String(item.id);
  const listed = Object.entries(item.request_headers);
  const headers = known.flatMap((wanted): (readonly [string, string])[] => {
    const found = listed.find(([name]) => name.toLowerCase() === wanted.toLowerCase());
    return typeof found?.[1] === "string" ? [[wanted, found[1]]] : [];
  });
  // Older versions have only a UUID, which the body's bytes would have to tell apart. They aren't listed.
  const isIdentified = headers.some(([name]) => name === "Idempotency-Key");
  if (!/^\d+$/.test(id) || !isIdentified) return null;
  return { body: {}, occurredAtMs: toMs, headers, redeliverAt: `${webhook}/events/${id}/resend` };
}

/** The path of a webhook in the API, by the address of its page or of the API. */
function readWebhook(text: string): string | null {
  const path = text
    .trim()
    .replace(/^https?:\/\/[^/]+/, "")
    .replace(/[?#].*$/, "");
  const page =
    /^\/((?:[\w.-]{1,100}\/){1,10}[\w.-]{1,100})\/-\/hooks\/(\d{1,20})(?:\/edit)?\/?$/.exec(path);
  if (page !== null && page[1] !== undefined && !page[1].startsWith("groups/"))
    return `/api/v4/projects/${encodeURIComponent(page[1])}/hooks/${page[2]}`;
  const api = /^\/api\/v4\/projects\/([\w.%-]{1,500})\/hooks\/(\d{1,20})\/?$/.exec(path);
  return api === null ? null : `/api/v4/projects/${api[1]}/hooks/${api[2]}`;
}
