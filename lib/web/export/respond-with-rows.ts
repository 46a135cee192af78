import { AppError } from "#lib/base/errors.ts";
import { KeyCounts } from "#lib/base/key-counts.ts";
import type { RowSource } from "#lib/web/route/row-source.ts";
import { mediaTypes } from "./row-format.ts";
import { type StreamOptions, streamRows } from "./stream-rows.ts";

type ResponseOptions = StreamOptions & {
  readonly accountId: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** True for HEAD, whose response has no rows. */
  readonly isHead?: boolean;
};

/** A client that left before its response began reads nothing, and cancels nothing either. */
const maxUnreadMs = 60_000;

/** A response that streams rows, of which an account has few at a time. */
export async function respondWithRows(
  read: () => Promise<RowSource>,
  { accountId, headers, isHead = false, ...options }: ResponseOptions,
): Promise<Response> {
  const giveBack = takeExportSlot(accountId);
  try {
    const stream = streamRows(await read(), {
      ...options,
      onEnd: (end) => {
        giveBack();
        options.onEnd?.(end);
      },
    });
    const cancelUnread = () => (stream.locked ? undefined : stream.cancel());
    if (isHead) await cancelUnread();
    else setTimeout(cancelUnread, maxUnreadMs).unref();
    return new Response(isHead ? null : stream, {
      headers: {
        "content-type": mediaTypes[options.format],
        // Compression would hold rows back, and a proxy must not collect them.
        "cache-control": "no-store, no-transform",
        "x-accel-buffering": "no",
        "x-content-type-options": "nosniff",
        ...headers,
      },
    });
  } catch (error) {
    giveBack();
    throw error;
  }
}

const ofAccount = 4;
const ofAll = 64;
const all = "all";
const running = new KeyCounts();

/**
 * Takes one of the few exports that an account, and this process, may have at a time: they hold no
 * slot of the proxy, and a slow client's lasts for hours. Throws `rate_limited`.
 *
 * @returns a function that gives it back, once
 */
function takeExportSlot(accountId: string): () => void {
  if (!running.add(all, ofAll)) throw tooMany("This server streams as many exports as it can.");
  if (!running.add(accountId, ofAccount)) {
    running.remove(all);
    throw tooMany(`At most ${ofAccount} exports of an account run at a time.`);
  }
  let isHeld = true;
  return () => {
    if (!isHeld) return;
    isHeld = false;
    running.remove(all);
    running.remove(accountId);
  };
}

function tooMany(detail: string): AppError {
  return new AppError("rate_limited", `${detail} Wait for one to end.`);
}
