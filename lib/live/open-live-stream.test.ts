import { expect, test } from "vitest";
import type { FeedUpdates } from "./feed.ts";
import { openLiveStream } from "./open-live-stream.ts";

type Session = { isAlive: boolean };

function open(session: Session, checkMs: number, signal = new AbortController().signal) {
  let send = (_updates: FeedUpdates): void => {};
  let isSubscribed = true;
  let hasEnded = false;
  const stream = openLiveStream({
    signal,
    subscribe: (callback) => {
      send = callback;
      return () => {
        isSubscribed = false;
      };
    },
    isSignedIn: async () => session.isAlive,
    onEnd: () => {
      hasEnded = true;
    },
    checkMs,
  });
  return {
    read: reading(stream),
    send: (id: string) => send({ ids: [id], isMore: false }),
    isSubscribed: () => isSubscribed,
    hasEnded: () => hasEnded,
  };
}

/** The next text of the stream, or null at its end. */
function reading(stream: ReadableStream<Uint8Array>): () => Promise<string | null> {
  const reader = stream.getReader();
  return async () => {
    const { value } = await reader.read();
    return value === undefined ? null : new TextDecoder().decode(value);
  };
}

test("sends nothing after its session has ended, and ends", async () => {
  const session = { isAlive: true };
  const { read, send, isSubscribed } = open(session, 60_000);
  expect(await read()).toBe("retry: 2000\n\n");
  send("first");
  expect(await read()).toContain("first");
  session.isAlive = false;
  send("second");
  expect(await read()).toBeNull();
  expect(isSubscribed()).toBe(false);
});

test("an idle stream ends with its session too", async () => {
  const session = { isAlive: false };
  const { read } = open(session, 5);
  expect(await read()).toBe("retry: 2000\n\n");
  expect(await read()).toBeNull();
});

test("fails closed if the session can't be checked", async () => {
  const stream = openLiveStream({
    signal: new AbortController().signal,
    subscribe: () => () => {},
    isSignedIn: () => Promise.reject(new Error("the database is away")),
    checkMs: 5,
  });
  const read = reading(stream);
  await read();
  expect(await read()).toBeNull();
});

test("tells its end, whether the browser leaves later or had left before it was opened", () => {
  const leaving = new AbortController();
  const { hasEnded } = open({ isAlive: true }, 60_000, leaving.signal);
  expect(hasEnded()).toBe(false);
  leaving.abort();
  expect(hasEnded()).toBe(true);
  const late = open({ isAlive: true }, 60_000, leaving.signal);
  expect([late.hasEnded(), late.isSubscribed()]).toEqual([true, false]);
});
