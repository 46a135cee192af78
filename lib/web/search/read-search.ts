import { capitalize } from "#lib/base/capitalize.ts";
import { type PaletteCounts, type SearchHit, searchText } from "#lib/schema/account/search.ts";
import { failuresSpanMs, maxFailedRuns } from "#lib/schema/act/run-limits.ts";
import { nameReceiver } from "#lib/schema/send/name-receiver.ts";
import { countFailures } from "#lib/services/failures.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";
import { type SearchResult, searchAccount } from "#lib/services/search.ts";
import { type DocsHit, searchDocs } from "#lib/web/docs/search-docs.ts";

/** Search results for the command palette, the documentation last. Empty if the text can't be searched for. */
export async function readSearch(
  context: ServiceContext,
  text: string,
): Promise<readonly SearchHit[]> {
  const parsed = searchText.safeParse(text);
  if (!parsed.success) return [];
  const [found, docs] = await Promise.all([
    searchAccount(context, { text: parsed.data }),
    searchDocs(parsed.data, maxDocs),
  ]);
  return [...found.map(toHit), ...docs.map(toDocsHit)];
}

const maxDocs = 4;

/** The effects that the palette's commands would have now. */
export async function readPaletteCounts(context: ServiceContext): Promise<PaletteCounts> {
  const from = new Date(context.now().getTime() - failuresSpanMs).toISOString();
  const { failed } = await countFailures(context, { from, targetIds: [] });
  return { failedRuns: { count: failed, isMore: failed >= maxFailedRuns } };
}

function toDocsHit({ href, heading, page }: DocsHit): SearchHit {
  return { kind: "docs", id: href, name: heading, detail: heading === page ? "Docs" : page, href };
}

function toHit(found: SearchResult): SearchHit {
  const { kind, id } = found;
  switch (found.kind) {
    case "hook":
      return { kind, id, name: found.name, detail: "Hook", href: `/hooks/${id}` };
    case "action":
      return {
        kind,
        id,
        name: found.name,
        detail: `Action of ${found.hookName}`,
        href: `/actions/${id}`,
      };
    case "delivery": {
      const name = found.eventType ?? found.eventId ?? "Delivery";
      const event = found.eventType === null || found.eventId === null ? "" : `${found.eventId}, `;
      return {
        kind,
        id,
        name,
        detail: `${event}delivery to ${found.hookName}`,
        href: `/deliveries/${id}`,
      };
    }
    case "run":
      return {
        kind,
        id,
        name: found.actionName,
        detail: "Run, on its delivery",
        href: `/deliveries/${found.deliveryId}`,
      };
    case "event_type":
      return {
        kind,
        id,
        name: id,
        detail: "Event type",
        href: `/event-types/${encodeURIComponent(id)}`,
      };
    case "recipient":
      return {
        kind,
        id,
        name: found.name ?? id,
        detail: found.name === null ? "Recipient" : `Recipient ${id}`,
        href: `/recipients/${encodeURIComponent(id)}`,
      };
    case "subscription":
      return {
        kind,
        id,
        name: nameReceiver(found.receiverUrl),
        detail: describeSubscription(found),
        href: `/subscriptions/${id}`,
      };
  }
}

/** `Billing, subscription of cust_42`. */
function describeSubscription({
  description,
  recipient,
}: Extract<SearchResult, { readonly kind: "subscription" }>): string {
  const what = recipient === null ? "subscription" : `subscription of ${recipient}`;
  return description === null ? capitalize(what) : `${description}, ${what}`;
}
