import { expect, test } from "vitest";
import type { Frame } from "../../../clients/typescript/src/index.ts";
import { type Ack, HandOver } from "./hand-over.ts";

function frame(cursor: string, hookId = "a"): Frame {
  const empty = { eventType: null, receivedAt: "", headers: [], bodyBytes: 0 };
  const body = { bodyBase64: "", bodyUrl: null };
  return { cursor, hookId, deliveryId: cursor, method: "POST", path: "", ...empty, ...body };
}

/** Hands over when the test says so. */
function startHandOver(parallel: number | null = null) {
  const sending = new Map<string, { done: () => void; fail: (error: Error) => void }>();
  const done: string[] = [];
  const failures: unknown[] = [];
  const handOver = new HandOver({
    parallel,
    send: ({ cursor }) =>
      new Promise<Ack>((resolve, reject) => {
        const ack = { cursor, status: 200, headers: [], bodyBase64: "", bodyBytes: 0, ms: 1 };
        sending.set(cursor, { done: () => resolve(ack), fail: reject });
      }),
    onDone: ({ cursor }) => done.push(cursor),
    onFailure: (error) => failures.push(error),
  });
  const end = async (cursor: string) => {
    sending.get(cursor)?.done();
    sending.delete(cursor);
    await new Promise(setImmediate);
  };
  const fail = async (cursor: string) => {
    sending.get(cursor)?.fail(new Error(cursor));
    await new Promise(setImmediate);
  };
  return { handOver, done, failures, end, fail, sending: () => [...sending.keys()] };
}

test("a hook's next delivery waits for the one before, and other hooks don't", async () => {
  const { handOver, done, end, sending } = startHandOver();
  for (const one of [frame("a1"), frame("a2"), frame("b1", "b")]) handOver.add(one);
  expect(sending()).toEqual(["a1", "b1"]);
  await end("b1");
  expect(sending()).toEqual(["a1"]);
  await end("a1");
  expect(sending()).toEqual(["a2"]);
  await end("a2");
  expect(done).toEqual(["b1", "a1", "a2"]);
});

test("with parallel, so many are handed over at a time, whatever their hook", async () => {
  const { handOver, end, sending } = startHandOver(2);
  for (const cursor of ["1", "2", "3", "4"]) handOver.add(frame(cursor));
  expect(sending()).toEqual(["1", "2"]);
  await end("1");
  expect(sending()).toEqual(["2", "3"]);
});

test("one that comes again isn't handed over again, but acknowledged until the server has that", async () => {
  const { handOver, done, end, sending } = startHandOver();
  handOver.add(frame("1"));
  handOver.add(frame("1"));
  expect(sending()).toEqual(["1"]);
  await end("1");
  handOver.add(frame("1"));
  expect(sending()).toEqual([]);
  expect(done).toEqual(["1", "1"]);
  handOver.forget([{ cursor: "1", status: 200, headers: [], bodyBase64: "", bodyBytes: 0, ms: 1 }]);
  handOver.add(frame("1"));
  expect(sending()).toEqual(["1"]);
});

test("after a failure nothing more is handed over", async () => {
  const { handOver, done, failures, fail, sending } = startHandOver();
  handOver.add(frame("1"));
  handOver.add(frame("2"));
  await fail("1");
  handOver.add(frame("3", "b"));
  expect([done, failures, sending()]).toEqual([[], [new Error("1")], ["1"]]);
});
