import { expect, test } from "vitest";
import { Latest } from "./use-latest.ts";

type Answer = { readonly text: string };

test("only the newest question gets its answer, in whatever order they arrive", async () => {
  const latest = new Latest();
  const [first, second] = [Promise.withResolvers<Answer>(), Promise.withResolvers<Answer>()];
  const given = [latest.ask(() => first.promise), latest.ask(() => second.promise)];
  second.resolve({ text: "second" });
  first.resolve({ text: "first" });
  expect(await Promise.all(given)).toEqual([null, { text: "second" }]);
});

test("a newer question aborts the one before", async () => {
  const latest = new Latest();
  const signals: AbortSignal[] = [];
  const question = async (signal: AbortSignal) => ({ count: signals.push(signal) });
  await latest.ask(question);
  expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
  await latest.ask(question);
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
});

test("nothing is answered after a stop, and the next question is", async () => {
  const latest = new Latest();
  const stopped = latest.ask(async () => ({ text: "stopped" }));
  latest.stop();
  expect(await stopped).toBe(null);
  expect(await latest.ask(async () => ({ text: "next" }))).toEqual({ text: "next" });
});
