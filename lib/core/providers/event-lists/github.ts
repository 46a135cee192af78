import { isJsonObject, type JsonValue } from "#lib/schema/field/json-value.ts";
import type { EventList } from "./event-list.ts";

/**
 * Deliveries of one webhook of a repository or an organization, newest first, for 3 days. There is no filter by
 * time and none for failed ones: every delivery is listed, several with one guid if it was redelivered.
 */
export const githubDeliveries: EventList = {
  provider: "github",
  name: "GitHub",
  // For the paths and the fields: npm @octokit/plugin-rest-endpoint-methods, and the example of the page.
  source:
    "https://docs.github.com/en/webhooks/testing-and-troubleshooting-webhooks/redelivering-webhooks",
  retentionDays: 3,
  origin: "https://api.github.com",
  isOrigin: (origin) => origin === "https://api.github.com",
  credentialHelp:
    "A fine-grained token with write access to Webhooks of the repository, or a classic one with repo, or " +
    "admin:org_hook for an organization, as a bearer token.",
  difference:
    "GitHub sends the missing deliveries again, signed as usual. They arrive within seconds, by the hook's own URL.",
  // 5,000 requests an hour.
  pauseMs: 200,
  redelivers: {
    label: "Webhook at GitHub",
    help: "The address of its settings page, such as https://github.com/acme/shop/settings/hooks/12345",
    readWebhook,
    // About 80 requests a minute that make content.
    perMinute: 30,
  },
  toRequest: ({ webhook, cursor }) => ({
    path: `${webhook}/deliveries`,
    query: [["per_page", "100"], ...(cursor === null ? [] : ([["cursor", cursor]] as const))],
  }),
  readPage(json, { fromMs, webhook }, link) {
    if (!Array.isArray(json)) return null;
    const read = json.map((item) => readDelivery(item, webhook ?? ""));
    const events = read.filter((event) => event !== null);
    if (events.length < read.length) return null;
    const isOver = (events.at(-1)?.occurredAtMs ?? 0) < fromMs;
    return { events, next: isOver ? null : readCursor(link) };
  },
};

/** Only what identifies a delivery is listed. Its body comes with the redelivery. */
function readDelivery(item: JsonValue, webhook: string) {
  if (!isJsonObject(item)) return null;
  const { id, guid, event, delivered_at: deliveredAt } = item;
  const occurredAtMs = Date.parse(String(deliveredAt));
  // Numbers of 64 bits keep their digits.
  const number = id === undefined ? "" : String(id);
  if (typeof guid !== "string" || typeof event !== "string" || !/^\d+$/.test(number)) return null;
  if (Number.isNaN(occurredAtMs)) return null;
  return {
    body: {},
    occurredAtMs,
    headers: [
      ["X-GitHub-Delivery", guid],
      ["X-GitHub-Event", event],
    ] as const,
    redeliverAt: `${webhook}/deliveries/${number}/attempts`,
  };
}

/** The cursor of the page that the `Link` header names as the next one. */
function readCursor(link: string | null): string | null {
  const next = (link ?? "").split(",").find((part) => /;\s*rel="next"/.test(part));
  const url = /<([^>]+)>/.exec(next ?? "")?.[1];
  return url === undefined ? null : (URL.parse(url)?.searchParams.get("cursor") ?? null);
}

const name = "[\\w.-]{1,100}";
const pages: readonly (readonly [RegExp, (...parts: string[]) => string])[] = [
  [
    new RegExp(`^(?:https://github\\.com/)?(${name})/(${name})/settings/hooks/(\\d{1,20})$`),
    (owner, repo, id) => `/repos/${owner}/${repo}/hooks/${id}`,
  ],
  [
    new RegExp(`^(?:https://github\\.com/)?organizations/(${name})/settings/hooks/(\\d{1,20})$`),
    (org, id) => `/orgs/${org}/hooks/${id}`,
  ],
  [
    new RegExp(
      `^(?:https://api\\.github\\.com)?/(repos/${name}/${name}|orgs/${name})/hooks/(\\d{1,20})$`,
    ),
    (place, id) => `/${place}/hooks/${id}`,
  ],
];

/** The path of a webhook in the API, by the address of its page or of the API. */
function readWebhook(text: string): string | null {
  for (const [pattern, toPath] of pages) {
    const found = pattern.exec(
      text
        .trim()
        .replace(/[?#].*$/, "")
        .replace(/\/$/, ""),
    );
    if (found !== null) return toPath(...found.slice(1));
  }
  return null;
}
