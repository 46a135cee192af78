import { expect, it } from "vitest";
import { Credits, Taken } from "./credits.ts";

const tell = (credits: Credits, rooms: Record<string, number>, more = {}) =>
  credits.update({
    say: "rooms",
    arrived: 0,
    all: 100,
    rooms: Object.entries(rooms).map(([key, room]) =>
      key.startsWith("account") ? { key, room } : { key, room, hookId: "hook" },
    ),
    ...more,
  });

const takeAll = (credits: Credits, taken = new Taken()) => {
  let count = 0;
  while (count < 1_000 && credits.take("hook", "account", taken)) count += 1;
  return count;
};

it("nothing is taken before the worker has said that it has room", () => {
  const credits = new Credits();
  expect(takeAll(credits)).toBe(0);
  tell(credits, { account: 5 });
  expect(takeAll(credits)).toBe(0);
  tell(credits, { action: 5 });
  expect(takeAll(credits)).toBe(5);
});

it.each([
  ["an action", { account: 50, action: 3 }, {}, 3],
  [
    "an account, which each action of a delivery counts for",
    { account: 7, one: 50, two: 50 },
    {},
    3,
  ],
  ["a worker", { account: 50, action: 50 }, { all: 4 }, 4],
  ["the least of several actions", { account: 50, one: 9, two: 2 }, {}, 2],
])("no more is taken than the room of %s", (_, rooms, more, expected) => {
  const credits = new Credits();
  tell(credits, rooms, more);
  expect(takeAll(credits)).toBe(expected);
});

it("what is on its way counts until it has arrived, whatever the worker says meanwhile", () => {
  const credits = new Credits();
  tell(credits, { account: 50, action: 3 });
  const first = new Taken();
  expect(takeAll(credits, first)).toBe(3);
  credits.send(first);
  tell(credits, { action: 4 });
  const second = new Taken();
  expect(takeAll(credits, second)).toBe(1);
  credits.send(second);
  tell(credits, {}, { arrived: 1 });
  expect(takeAll(credits)).toBe(3);
});

it("what isn't sent is given back", () => {
  const credits = new Credits();
  tell(credits, { account: 50, action: 3 });
  const taken = new Taken();
  expect(takeAll(credits, taken)).toBe(3);
  credits.giveBack(taken);
  expect(takeAll(credits)).toBe(3);
});

it("an action without room doesn't keep the others of its hook from being handed over, once a batch is over", () => {
  const credits = new Credits();
  tell(credits, { account: 50, one: 5, two: 1 });
  const taken = new Taken();
  expect(takeAll(credits, taken)).toBe(1);
  expect(taken.targetIds).toEqual(["one", "two"]);
  credits.send(taken);
  const next = new Taken();
  expect(takeAll(credits, next)).toBe(4);
  expect(next.targetIds).toEqual(["one"]);
});

it("an action that lost its room is never taken", () => {
  const credits = new Credits();
  tell(credits, { account: 50, action: 5 });
  tell(credits, { action: 0 });
  expect(takeAll(credits)).toBe(0);
});
