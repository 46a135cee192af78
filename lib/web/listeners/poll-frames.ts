import { processStop } from "#lib/base/stopping.ts";
import { heartbeatMs } from "#lib/schema/receive/listener.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";
import {
  type FrameRecord,
  findEnd,
  type Reader,
  readNextFrames,
  readStatus,
} from "#lib/services/listeners/read-frames.ts";
import { toJsonText } from "#lib/web/route/api-json.ts";
import type { Call } from "#lib/web/route/route.ts";
import { showFrame } from "./listener-view.ts";
import { takeReaderSlot } from "./reader-slots.ts";
import { listenerWakes, streamHeaders } from "./stream-frames.ts";

type Poll = { readonly reader: Reader; readonly limit: number; readonly waitMs: number };

/**
 * The next frames as JSON, once there are some or the time is over. A response that has to wait begins
 * at once, so that it holds no slot of the web process, and its body comes later.
 */
export async function pollFrames(
  context: ServiceContext,
  { reader, limit, waitMs }: Poll,
  { signal, explain }: Call,
): Promise<Response> {
  const headers = { "content-type": "application/json" };
  const { frames: first } = await readNextFrames(context, reader, limit);
  if (first.length > 0 || waitMs === 0)
    return new Response(await writeFrames(context, reader, first), {
      headers: { ...headers, "cache-control": "no-store" },
    });
  const giveBack = takeReaderSlot(reader.accountId);
  let isCanceled = false;
  const body = new ReadableStream<Uint8Array>({
    // Its program has gone: nothing can be written any more.
    cancel: () => {
      isCanceled = true;
    },
    start: async (controller) => {
      try {
        const frames = await waitForFrames(context, { reader, limit, waitMs }, signal);
        const text = await writeFrames(context, reader, frames);
        if (isCanceled || signal.aborted) return;
        controller.enqueue(new TextEncoder().encode(text));
        controller.close();
      } catch (error) {
        explain(error);
        controller.error(error);
      } finally {
        giveBack();
      }
    },
  });
  return new Response(body, { headers: { ...headers, ...streamHeaders } });
}

async function waitForFrames(
  context: ServiceContext,
  { reader, limit, waitMs }: Poll,
  signal: AbortSignal,
): Promise<readonly FrameRecord[]> {
  const waiter = listenerWakes().watch(reader.accountId, reader.listenerId);
  const stopping = processStop().signal;
  const woken = AbortSignal.any([signal, stopping]);
  const endsAt = performance.now() + waitMs;
  try {
    for (;;) {
      const leftMs = endsAt - performance.now();
      if (leftMs > 0) await waiter.wait(Math.min(leftMs, heartbeatMs / 3), woken);
      if (woken.aborted || (await findEnd(context, reader)) !== null) return [];
      const { frames } = await readNextFrames(context, reader, limit);
      if (frames.length > 0 || leftMs <= 0) return frames;
    }
  } finally {
    waiter.stop();
  }
}

async function writeFrames(
  context: ServiceContext,
  reader: Reader,
  frames: readonly FrameRecord[],
): Promise<string> {
  const data = frames.map(showFrame);
  const nextCursor = data.at(-1)?.cursor ?? null;
  return toJsonText({ data, nextCursor, status: await readStatus(context, reader) });
}
