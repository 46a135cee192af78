import type { NextRequest } from "next/server";
import { readSession } from "#lib/web/auth/session.ts";
import { readEventTypes } from "#lib/web/pages/read-event-types.ts";
import { serverContext } from "#lib/web/request/server-context.ts";

/** `?hookId=<id>`: event types to suggest in a filter, of one hook or of the account. */
export async function GET(request: NextRequest): Promise<Response> {
  const session = await readSession();
  if (session === null) return Response.json({ eventTypes: [] }, { status: 401, headers });
  const hookId = request.nextUrl.searchParams.get("hookId") ?? "";
  const eventTypes = await readEventTypes(
    serverContext(),
    session.accountId,
    hookId === "" ? null : hookId,
  );
  return Response.json({ eventTypes }, { headers });
}

const headers = { "cache-control": "no-store" };
