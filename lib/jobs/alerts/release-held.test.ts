import { expect, test } from "vitest";
import type { HeldAlert } from "#lib/db/alerts/held-alerts.ts";
import { releaseHeld } from "./release-held.ts";

const held = (part: Partial<HeldAlert>): HeldAlert => ({
  id: "a",
  accountId: "acme",
  channelId: "c",
  channelKind: "pagerduty",
  problemId: "p",
  problemState: "open",
  event: "opened",
  inDigest: false,
  ...part,
});

test.each<[string, Partial<HeldAlert>, object]>([
  ["still open", {}, { send: ["a"] }],
  ["acknowledged meanwhile", { problemState: "acknowledged" }, { drop: ["a"] }],
  ["over meanwhile", { problemState: "resolved" }, { drop: ["a"] }],
])("PagerDuty's message about a problem that is %s", (_state, part, expected) => {
  const nothing = { send: [], digest: [], drop: [] };
  expect(releaseHeld([held(part)])).toEqual({ ...nothing, ...expected });
});

test("other channels hear of a problem that someone has acknowledged meanwhile", () => {
  const alert = held({ channelKind: "email", problemState: "acknowledged" });
  expect(releaseHeld([alert]).send).toEqual(["a"]);
});
