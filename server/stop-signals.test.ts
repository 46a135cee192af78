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

/** What a terminal or npm would send us. It reaches our own listeners only: others of this process are not ours to wake. */
function send(name: (typeof signals)[number]): void {
  const before = listenersBefore[signals.indexOf(name)] ?? [];
  for (const listener of process.listeners(name)) if (!before.includes(listener)) listener(name);
}

test.each(signals)("%s stops, and a second wish stops at once", (name) => {
  const onImpatience = vi.fn();
  const stop = listenForStop(onImpatience);
  expect(stop.aborted).toBe(false);
  send(name);
  expect(stop.aborted).toBe(true);
  vi.advanceTimersByTime(1_001);
  expect(onImpatience).not.toHaveBeenCalled();
  send(name);
  expect(onImpatience).toHaveBeenCalledOnce();
});

test("the same wish that arrives several times, by the terminal and by npm, is one", () => {
  const onImpatience = vi.fn();
  listenForStop(onImpatience);
  send("SIGINT");
  vi.advanceTimersByTime(900);
  send("SIGTERM");
  send("SIGINT");
  expect(onImpatience).not.toHaveBeenCalled();
});
