import type { NextRequest } from "next/server";
import { listReceivedTypes } from "#lib/services/deliveries/read-deliveries.ts";
import { listKnownTypes } from "#lib/services/event-types.ts";
import { freshJson, respondToPage } from "#lib/web/auth/respond-to-page.ts";

/**
 * The event types to suggest in a filter. `?hookId=<id>`: those of one hook, or of the account
 * without it. `?of=events`: those that the account publishes.
 */
export async function GET({ nextUrl }: NextRequest): Promise<Response> {
  const hookId = nextUrl.searchParams.get("hookId") ?? "";
  const isOfEvents = nextUrl.searchParams.get("of") === "events";
  return await respondToPage(async (context) => {
    const eventTypes = isOfEvents
      ? await listKnownTypes(context, {})
      : await listReceivedTypes(context, hookId === "" ? {} : { hookId });
    return freshJson({ eventTypes });
  });
}
