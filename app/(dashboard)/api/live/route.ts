import type { NextRequest } from "next/server";
import { respondToPage } from "#lib/web/auth/respond-to-page.ts";
import { readSession } from "#lib/web/auth/session.ts";
import { serveLiveList } from "#lib/web/live/serve-live-list.ts";

/** Streams newly arrived items to a list: `?list=deliveries&after=<id>&…filters`. */
export async function GET(request: NextRequest): Promise<Response> {
  const session = await readSession();
  // 204 tells EventSource not to reconnect.
  if (session === null) return new Response(null, { status: 204 });
  return await respondToPage(async (context) => serveLiveList(request, context, session));
}
