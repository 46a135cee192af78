import type { NextRequest } from "next/server";
import { isId } from "#lib/ids.ts";
import type { News } from "#lib/live/feed.ts";
import { readSession } from "#lib/web/session.ts";
import { type LiveList, watchList } from "#lib/web/watch-list.ts";

/** A stream ends after this long; the browser asks again by itself, and has to be signed in still. */
const longestMs = 300_000;
const aliveMs = 20_000;

/** `?list=deliveries|runs&after=<id>&…filters`: tells the page of a list what has come since. */
export async function GET(request: NextRequest): Promise<Response> {
  const session = await readSession();
  // 204 tells a browser's EventSource not to ask again.
  if (session === null) return new Response(null, { status: 204 });
  const { list = "deliveries", after = "", ...filter } = Object.fromEntries(request.nextUrl.searchParams);
  const follow = watchList(session.accountId, {
    list: list === "runs" ? "runs" : "deliveries",
    filter,
    afterId: isId(after) ? after : "",
  } satisfies LiveList);
  if (follow === null) return new Response(null, { status: 204 });
  return new Response(openStream(request.signal, follow), { headers });
}

const headers = {
  "content-type": "text/event-stream",
  // Compressed, an event would wait for the next ones.
  "cache-control": "no-store, no-transform",
  "x-accel-buffering": "no",
};

type Follow = (tell: (news: News) => void) => () => void;

function openStream(signal: AbortSignal, follow: Follow): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let end = () => {};
  return new ReadableStream({
    start(controller) {
      const write = (text: string) => controller.enqueue(encoder.encode(text));
      const stop = follow((news) => write(`data: ${JSON.stringify(news)}\n\n`));
      const alive = setInterval(() => write(":\n\n"), aliveMs);
      const timeout = setTimeout(() => close(), longestMs);
      end = () => {
        stop();
        clearInterval(alive);
        clearTimeout(timeout);
      };
      const close = () => {
        end();
        controller.close();
      };
      write("retry: 2000\n\n");
      signal.addEventListener("abort", () => end(), { once: true });
    },
    cancel: () => end(),
  });
}
