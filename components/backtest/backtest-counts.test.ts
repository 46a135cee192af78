import { expect, it } from "vitest";
import type { BacktestState } from "#lib/schema/act/backtest.ts";
import { describeBacktest, describeFailures, listTabs } from "./backtest-counts.ts";

const backtest: BacktestState = {
  ...{ id: "b", status: "finished", total: 1_000, doneCount: 1_000 },
  ...{ runCount: 802, skipCount: 0, failCount: 198, changedCount: 12, stillFailCount: 190 },
  ...{ version: null, against: 7, createdAt: new Date(0) },
};

it.each<[string | null, Partial<BacktestState>]>([
  [null, { failCount: 0, stillFailCount: 0 }],
  ["198 would fail, 190 of them fail today too.", {}],
  ["198 would fail, 1 of them fails today too.", { stillFailCount: 1 }],
  ["198 would fail, none of which fails today.", { stillFailCount: 0 }],
  ["198 would fail, all of which fail today too.", { stillFailCount: 198 }],
  ["1 would fail, as it does today.", { failCount: 1, stillFailCount: 1 }],
  ["198 would fail, 190 of them fail in version 3 too.", { against: 3 }],
  ["198 would fail.", { against: null, stillFailCount: 0 }],
])("failures: %s", (text, fields) => {
  expect(describeFailures({ ...backtest, ...fields }, 7)).toBe(text);
});

it("what fails today too has no part in what newly fails", () => {
  const names = (fields: Partial<BacktestState>) =>
    listTabs({ ...backtest, ...fields }).map(({ name }) => name);
  expect(names({})).toEqual([
    ...["All 1,000", "Would run 802", "Would skip 0", "Would fail 198"],
    ...["Newly fail 8", "Changed 12"],
  ]);
  expect(names({ stillFailCount: 198 })).not.toContain("Newly fail 0");
  expect(names({ against: null, stillFailCount: 0 })).not.toContain("Changed 12");
});

it("a backtest says what it compares", () => {
  expect(describeBacktest(backtest, 7)).toBe(
    "The draft, compared with the saved action (version 7).",
  );
  expect(describeBacktest({ ...backtest, version: 3, against: 5 }, 7)).toBe(
    "Version 3, compared with version 5.",
  );
});
