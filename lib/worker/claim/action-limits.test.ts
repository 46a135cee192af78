import { expect, it } from "vitest";
import type { CallResult } from "#lib/net/call-result.ts";
import { ActionLimits } from "./action-limits.ts";

const noneInFlight = new Map<string, number>();
const respond = (durationMs: number, status = 200): CallResult => {
  const response = { status, headers: [], body: new Uint8Array(), truncated: false };
  return { ok: true, response, durationMs };
};
const fail = (durationMs: number, code: "timeout" | "cancelled" = "timeout"): CallResult => {
  return { ok: false, error: { code, message: "" }, response: null, durationMs };
};

function after(...results: readonly CallResult[]) {
  const actionLimits = new ActionLimits(200);
  for (const result of results) actionLimits.learn("a", result);
  return actionLimits.list(0, noneInFlight)[0];
}

it("an action's limit falls to a few while its calls fail, and recovers soon after they respond", () => {
  const failures = Array.from({ length: 300 }, () => fail(15_000));
  expect(after(...failures)).toMatchObject({ limit: 4 });
  expect(after(...failures, ...Array.from({ length: 50 }, () => respond(5)))).toMatchObject({
    limit: 54,
  });
  expect(after(...failures, ...Array.from({ length: 200 }, () => respond(5)))).toMatchObject({
    limit: null,
  });
});

it.each([
  ["one failed call in three", [fail(5), respond(5), respond(5)], null],
  ["a response, whatever its status", [respond(5, 500), respond(5, 404), respond(5, 302)], null],
  ["a call that we canceled", [respond(5), fail(5, "cancelled")], null],
  ["an overloaded receiver", [respond(5, 429), respond(5, 503)], 198],
])("%s leaves the limit where it belongs", (_what, results, limit) => {
  expect(after(...results)).toMatchObject({ limit });
});

it("an action is fast if its calls usually end within a second and none has been in flight for longer", () => {
  expect(after(respond(200))).toMatchObject({ isQuick: true });
  expect(after(respond(5_000), respond(200))).toMatchObject({ isQuick: false });
  expect(after(respond(5_000), ...Array.from({ length: 30 }, () => respond(200)))).toMatchObject({
    isQuick: true,
  });
  const actionLimits = new ActionLimits(200);
  actionLimits.learn("a", respond(200));
  expect(actionLimits.list(10_000, new Map([["a", 9_500]]))).toMatchObject([{ isQuick: true }]);
  expect(actionLimits.list(10_000, new Map([["a", 8_000]]))).toMatchObject([{ isQuick: false }]);
  expect(actionLimits.list(10_000, new Map([["b", 8_000]]))).toMatchObject([{ isQuick: true }]);
});

it("a subscription's limit is halved by each overloaded respond, down to one, and grows by one", () => {
  const limits = new ActionLimits(200);
  const learn = (status: number) => {
    limits.learn("a", respond(5, status), "halve");
    return limits.list(0, noneInFlight)[0]?.limit;
  };
  expect([learn(429), learn(503), learn(200), learn(502)]).toEqual([100, 50, 51, 25]);
  expect([504, 504, 504, 504, 504].map(learn)).toEqual([12, 6, 3, 1, 1]);
  expect([learn(200), learn(200)]).toEqual([2, 3]);
});
