import { type SearchResult, searchAccount } from "#lib/db/overview/search-account.ts";
import { type SearchHit, searchText } from "#lib/schema/search.ts";
import type { ServerContext } from "#lib/web/request/server-context.ts";

/** Search results for the command palette; empty if the text can't be searched for. */
export async function readSearch(
  { db }: ServerContext,
  accountId: string,
  text: string,
): Promise<readonly SearchHit[]> {
  const parsed = searchText.safeParse(text);
  if (!parsed.success) return [];
  const found = await searchAccount(db, accountId, parsed.data);
  return found.map(toHit);
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
  }
}
