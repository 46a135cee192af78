import { log } from "#lib/base/log.ts";
import type { FeedUpdates } from "./feed.ts";

type LiveStreamOptions = {
  /** Aborted when the browser disconnects. */
  readonly signal: AbortSignal;
  readonly subscribe: (onUpdates: (updates: FeedUpdates) => void) => () => void;
  /**
   * Checked before every update and every `checkMs`. The stream ends with the session that opened
   * it.
   */
  readonly isSignedIn: () => Promise<boolean>;
  /** Called when the stream has ended. It may be called more than once. */
  readonly onEnd?: () => void;
  readonly checkMs?: number;
  readonly maxMs?: number;
};

/**
 * Sends new items to a browser as server-sent events. Ends after `maxMs`: the browser reconnects by
 * itself and must still be signed in.
 */
export function openLiveStream(options: LiveStreamOptions): ReadableStream<Uint8Array> {
  const { signal, subscribe, isSignedIn, onEnd, checkMs = 5_000, maxMs = 300_000 } = options;
  const encoder = new TextEncoder();
  let end = () => {};
  return new ReadableStream({
    start(controller) {
      let isOpen = true;
      let writing = Promise.resolve();
      const close = () => {
        if (isOpen) controller.close();
        end();
      };
      const write = async (text: string) => {
        const canRead = isOpen && (await isSignedIn());
        if (!isOpen) return;
        if (canRead) controller.enqueue(encoder.encode(text));
        else close();
      };
      // Only one check runs at a time. If the session can't be checked, nothing is sent, and the
      // browser reconnects.
      const enqueue = (text: string) => {
        writing = writing
          .then(() => write(text))
          .catch((error) => {
            log.warn("live.check_failed", { error: String(error) });
            close();
          });
      };
      const stop = subscribe((updates) => enqueue(`data: ${JSON.stringify(updates)}\n\n`));
      const check = setInterval(() => enqueue(":\n\n"), checkMs);
      const timeout = setTimeout(close, maxMs);
      end = () => {
        isOpen = false;
        stop();
        clearInterval(check);
        clearTimeout(timeout);
        onEnd?.();
      };
      controller.enqueue(encoder.encode("retry: 2000\n\n"));
      signal.addEventListener("abort", () => end(), { once: true });
      if (signal.aborted) end();
    },
    cancel: () => end(),
  });
}
