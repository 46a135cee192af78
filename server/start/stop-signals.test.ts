import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { listenForStop } from "./stop-signals.ts";

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
const listenersBefore = signals.map((name) => process.listeners(name));

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => {
  vi.useRealTimers();
  for (const [index, name] of signals.entries())
    for (const listener of process.listeners(name))
      if (!listenersBefore[index]?.includes(listener)) process.off(name, listener);
});

/**
 * The signal that a terminal or npm would send. It only reaches our own listeners, not others of
 * this process.
 */
function send(name: (typeof signals)[number]): void {
  const before = listenersBefore[signals.indexOf(name)] ?? [];
  for (const listener of process.listeners(name)) if (!before.includes(listener)) listener(name);
}

test.each(signals)("%s stops, and a second signal stops at once", (name) => {
  const onSecondSignal = vi.fn();
  const stop = listenForStop(onSecondSignal);
  expect(stop.aborted).toBe(false);
  send(name);
  expect(stop.aborted).toBe(true);
  vi.advanceTimersByTime(1_001);
  expect(onSecondSignal).not.toHaveBeenCalled();
  send(name);
  expect(onSecondSignal).toHaveBeenCalledOnce();
});

test("one request to stop that arrives several times, from the terminal and from npm, counts once", () => {
  const onSecondSignal = vi.fn();
  listenForStop(onSecondSignal);
  send("SIGINT");
  vi.advanceTimersByTime(900);
  send("SIGTERM");
  send("SIGINT");
  expect(onSecondSignal).not.toHaveBeenCalled();
});
