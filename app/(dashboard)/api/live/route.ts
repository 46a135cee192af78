import type { NextRequest } from "next/server";
import { isId } from "#lib/ids.ts";
import { createDeliveryFeed, type DeliveryFeed } from "#lib/live/delivery-feed.ts";
import { serverContext } from "#lib/web/server-context.ts";
import { readSession } from "#lib/web/session.ts";

/** A stream ends after this long; the browser asks again by itself, and has to be signed in still. */
const longestMs = 300_000;
const aliveMs = 20_000;

let feed: DeliveryFeed | undefined;

/** `?after=<delivery id>&hookId=<id>`: tells the page of a list how much has arrived since. */
export async function GET(request: NextRequest): Promise<Response> {
  const session = await readSession();
  // 204 tells a browser's EventSource not to ask again.
  if (session === null) return new Response(null, { status: 204 });
  const { searchParams } = request.nextUrl;
  const after = searchParams.get("after") ?? "";
  const watched = { hookId: searchParams.get("hookId"), afterId: isId(after) ? after : "" };
  return new Response(openStream(request.signal, session.accountId, watched), { headers });
}

const headers = {
  "content-type": "text/event-stream",
  // Compressed, an event would wait for the next ones.
  "cache-control": "no-store, no-transform",
  "x-accel-buffering": "no",
};

function openStream(
  signal: AbortSignal,
  accountId: string,
  watched: { readonly hookId: string | null; readonly afterId: string },
): ReadableStream<Uint8Array> {
  feed ??= createDeliveryFeed(serverContext().db);
  const source = feed;
  const encoder = new TextEncoder();
  let end = () => {};
  return new ReadableStream({
    start(controller) {
      const write = (text: string) => controller.enqueue(encoder.encode(text));
      const stop = source.watch({
        ...watched,
        accountId,
        tell: (news) => write(`data: ${JSON.stringify(news)}\n\n`),
      });
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
