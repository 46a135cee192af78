import type { NextRequest } from "next/server";
import { isSessionAlive } from "#lib/db/accounts/sessions.ts";
import { isId } from "#lib/ids.ts";
import { openLiveStream } from "#lib/live/open-live-stream.ts";
import { readSession } from "#lib/web/auth/session.ts";
import { watchList } from "#lib/web/pages/watch-list.ts";
import { serverContext } from "#lib/web/request/server-context.ts";

/** `?list=deliveries&after=<id>&…filters`: streams to a list what arrived since. */
export async function GET(request: NextRequest): Promise<Response> {
  const session = await readSession();
  const context = serverContext();
  // 204 tells EventSource not to reconnect.
  if (session === null) return new Response(null, { status: 204 });
  const {
    list = "deliveries",
    after = "",
    ...filter
  } = Object.fromEntries(request.nextUrl.searchParams);
  const subscribe = watchList(context, session.accountId, {
    list,
    filter,
    afterId: isId(after) ? after : "",
  });
  if (subscribe === null) return new Response(null, { status: 204 });
  const isSignedIn = () => isSessionAlive(context.db, session, session.accountId);
  return new Response(openLiveStream({ signal: request.signal, subscribe, isSignedIn }), {
    headers,
  });
}

const headers = {
  "content-type": "text/event-stream",
  // Compression would hold an event back until the next ones.
  "cache-control": "no-store, no-transform",
  "x-accel-buffering": "no",
};
