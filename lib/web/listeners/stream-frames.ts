import { setTimeout as delay } from "node:timers/promises";
import { oncePerProcess } from "#lib/base/once.ts";
import { processStop } from "#lib/base/stopping.ts";
import { Wakes } from "#lib/live/wakes.ts";
import { heartbeatMs } from "#lib/schema/receive/listener.ts";
import { serverContext } from "#lib/services/frame/server-context.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";
import {
  type EndReason,
  findEnd,
  type NextFrames,
  type Reader,
  readNextFrames,
  readStatus,
} from "#lib/services/listeners/read-frames.ts";
import { readNewest } from "#lib/services/listeners/read-listeners.ts";
import { toJsonText } from "#lib/web/route/api-json.ts";
import type { Call } from "#lib/web/route/route.ts";
import { showFrame } from "./listener-view.ts";
import { takeReaderSlot } from "./reader-slots.ts";

export const listenerWakes = oncePerProcess(
  "catchmentListenerWakes",
  () => new Wakes({ readPositions: (ids) => readNewest(serverContext(), ids) }),
);

/** The time after which a stream looks whether it has to end. */
const checkMs = 5_000;
/**
 * The time after which one that wasn't woken looks for the frames of a program that is gone. Hundreds of
 * streams that look each time cost most of a core.
 */
const lookMs = 15_000;
/** Each acknowledgment wakes a stream, so under load it waits for several before it looks again. */
const paceMs = 50;
/** A program that may come back does so after this time. */
const retryAfterSeconds = 5;

const nothing: NextFrames = { frames: [], isCaughtUp: false };

type Goodbye = {
  readonly reason: EndReason | "unauthenticated" | "forbidden" | "unavailable" | "server_stopping";
  /** Null: it needn't come back. */
  readonly retryAfter: number | null;
};

/**
 * Server-sent events of a listener: its deliveries, its status at the start, whenever it has caught
 * up, and as a heartbeat, and the reason when it ends.
 */
export async function streamFrames(
  context: ServiceContext,
  reader: Reader,
  call: Call,
): Promise<Response> {
  const giveBack = takeReaderSlot(reader.accountId);
  const stop = new AbortController();
  const signal = AbortSignal.any([stop.signal, call.signal]);
  const events = writeEvents(context, reader, { ...call, signal });
  const encoder = new TextEncoder();
  // Also one that waits for the client to read: nothing else would end it.
  const end = () => {
    giveBack();
    void events.return();
  };
  signal.addEventListener("abort", end, { once: true });
  if (signal.aborted) end();
  const body = new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const { value, done } = await events.next();
        if (done === true) {
          giveBack();
          controller.close();
        } else controller.enqueue(encoder.encode(value));
      },
      cancel: async () => {
        stop.abort();
        await events.return();
      },
    },
    { highWaterMark: 1 },
  );
  return new Response(body, { headers: { ...streamHeaders, "content-type": "text/event-stream" } });
}

export const streamHeaders = {
  // Compression would hold an event back until the next ones.
  "cache-control": "no-store, no-transform",
  // Also gives back the slot of the request, which may last for hours.
  "x-accel-buffering": "no",
};

async function* writeEvents(
  context: ServiceContext,
  reader: Reader,
  call: Call,
): AsyncGenerator<string, void> {
  const waiter = listenerWakes().watch(reader.accountId, reader.listenerId);
  const stopping = processStop().signal;
  const woken = AbortSignal.any([call.signal, stopping]);
  let { afterCursor } = reader;
  let checkedAt = performance.now();
  let statusAt = checkedAt;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let isWoken = true;
  let owesStatus = false;
  try {
    yield "retry: 1000\n\n";
    yield writeEvent("status", await readStatus(context, reader));
    while (!call.signal.aborted) {
      if (stopping.aborted) {
        const retryAfter = retryAfterSeconds;
        return yield writeEvent("goodbye", {
          reason: "server_stopping",
          retryAfter,
        } satisfies Goodbye);
      }
      if (performance.now() - checkedAt >= checkMs) {
        const goodbye = await checkEnd(context, reader, call);
        if (goodbye !== null) return yield writeEvent("goodbye", goodbye);
        checkedAt = performance.now();
      }
      const looks: boolean = isWoken || performance.now() - lookedAt >= lookMs;
      const { frames, isCaughtUp }: NextFrames = looks
        ? await readNextFrames(context, { ...reader, afterCursor })
        : nothing;
      if (looks) lookedAt = performance.now();
      for (const frame of frames) {
        const shown = showFrame(frame);
        yield writeEvent("delivery", shown, shown.cursor);
        afterCursor = frame.cursor;
      }
      if (frames.length > 0) owesStatus = true;
      else if ((owesStatus && isCaughtUp) || performance.now() - statusAt >= heartbeatMs) {
        yield writeEvent("status", await readStatus(context, reader));
        statusAt = performance.now();
        owesStatus = false;
      }
      // After some, there may be more.
      isWoken = frames.length > 0 || (await waiter.wait(checkMs, woken));
      const restMs = lookedAt + paceMs - performance.now();
      if (frames.length === 0 && isWoken && restMs > 0) await delay(restMs);
    }
  } catch (error) {
    // It has started, so its status can't say it any more.
    call.explain(error);
    const retryAfter = retryAfterSeconds;
    yield writeEvent("goodbye", { reason: "unavailable", retryAfter } satisfies Goodbye);
  } finally {
    waiter.stop();
  }
}

function writeEvent(name: string, data: unknown, id?: string): string {
  const place = id === undefined ? "" : `id: ${id}\n`;
  return `${place}event: ${name}\ndata: ${toJsonText(data)}\n\n`;
}

async function checkEnd(
  context: ServiceContext,
  reader: Reader,
  { recheck, explain }: Call,
): Promise<Goodbye | null> {
  const reason = await findEnd(context, reader);
  if (reason !== null) return { reason, retryAfter: reason === "no_heartbeat" ? 0 : null };
  try {
    await recheck();
    return null;
  } catch (error) {
    const { code } = explain(error);
    if (code !== "unauthenticated" && code !== "forbidden") throw error;
    return { reason: code, retryAfter: null };
  }
}
