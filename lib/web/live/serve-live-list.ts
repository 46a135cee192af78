import { isId } from "#lib/base/ids.ts";
import { problemResponse, toResponse } from "#lib/core/api/api-response.ts";
import { LiveLimits, maxLiveLists } from "#lib/live/live-limits.ts";
import { openLiveStream } from "#lib/live/open-live-stream.ts";
import { isSessionAlive } from "#lib/services/account/profile.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";
import type { Session } from "#lib/web/auth/session.ts";
import { watchList } from "./watch-list.ts";

const limits = new LiveLimits();

/** Streams newly arrived items to a list: `?list=deliveries&after=<id>&…filters`. */
export function serveLiveList(
  request: Request,
  context: ServiceContext,
  session: Session,
): Response {
  const params = Object.fromEntries(new URL(request.url).searchParams);
  const { list = "deliveries", after = "", ...filter } = params;
  const afterId = isId(after) ? after : "";
  const subscribe = watchList(context, { list, filter, afterId });
  // Status 204 tells EventSource not to reconnect.
  if (subscribe === null) return new Response(null, { status: 204 });
  const close = limits.open(session);
  if (typeof close === "string") return rejectMore(close);
  const isSignedIn = () => isSessionAlive(context, {});
  const { signal } = request;
  const stream = openLiveStream({ signal, subscribe, isSignedIn, onEnd: close });
  return new Response(stream, { headers });
}

/** Rejects one list too many. The browser shows its list without updates and tries again later. */
function rejectMore(whose: keyof typeof maxLiveLists): Response {
  const detail =
    `This ${whose} already has ${maxLiveLists[whose]} lists open that ` +
    "update themselves. Close one, then reload the page.";
  return toResponse(problemResponse("rate_limited", detail, { headers: { "retry-after": "30" } }));
}

const headers = {
  "content-type": "text/event-stream",
  // Compression would hold an event back until the next ones.
  "cache-control": "no-store, no-transform",
  "x-accel-buffering": "no",
};
