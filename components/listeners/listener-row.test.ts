import { expect, it } from "vitest";
import { type ListenerView, toListenerRows } from "./listener-row.ts";

const at = new Date("2026-11-21T08:00:00Z");
const ada = { id: "c1", host: "ada.local", replies: false, connectedAt: at };
const bob = { ...ada, id: "c2", host: "bob.local" };

function show(fields: Partial<ListenerView>) {
  const listener = { id: "l1", name: "laptop", ownerName: "ada@example.com", connections: [ada] };
  const rows = toListenerRows([{ ...listener, seenAt: at, lag: 0, canEnd: true, ...fields }]);
  return rows.map(({ key, title, detail, lag }) => [key, title, detail, lag].join(" | "));
}

it("a listener has a row for each program that is connected, or one if none is", () => {
  expect(show({})).toEqual(["c1 | laptop | ada.local · ada@example.com | Caught up"]);
  expect(show({ connections: [{ ...ada, replies: true }] })).toEqual([
    "c1 | laptop | ada.local · ada@example.com · answers the provider | Caught up",
  ]);
  expect(show({ connections: [], lag: 1 })).toEqual(["l1 | laptop | ada@example.com | 1 waiting"]);
  expect(show({ name: null })).toEqual(["c1 | ada.local | ada@example.com | Caught up"]);
  expect(show({ name: null, connections: [], lag: 9_999 })).toEqual([
    "l1 | Without a name | ada@example.com | 9,999 waiting",
  ]);
  expect(show({ connections: [ada, bob], lag: 10_000 })).toEqual([
    "c1 | laptop | ada.local · ada@example.com | 10,000+ waiting, shared",
    "c2 | laptop | bob.local · ada@example.com | 10,000+ waiting, shared",
  ]);
});
