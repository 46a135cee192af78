import type { NextRequest } from "next/server";
import { listReceivedTypes } from "#lib/services/deliveries/read-deliveries.ts";
import { listKnownTypes } from "#lib/services/event-types/read-catalog.ts";
import { pageContext } from "#lib/web/auth/page-context.ts";
import { readSession } from "#lib/web/auth/session.ts";

/**
 * The event types to suggest in a filter. `?hookId=<id>`: those of one hook, or of the account
 * without it. `?of=events`: those that the account publishes.
 */
export async function GET(request: NextRequest): Promise<Response> {
  const session = await readSession();
  if (session === null) return Response.json({ eventTypes: [] }, { status: 401, headers });
  const params = request.nextUrl.searchParams;
  const hookId = params.get("hookId") ?? "";
  const eventTypes =
    params.get("of") === "events"
      ? await listKnownTypes(await pageContext(), {})
      : await listReceivedTypes(await pageContext(), hookId === "" ? {} : { hookId });
  return Response.json({ eventTypes }, { headers });
}

const headers = { "cache-control": "no-store" };
