import type { RowSource } from "#lib/web/route/row-source.ts";
import { takeExportSlot } from "./export-slots.ts";
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
