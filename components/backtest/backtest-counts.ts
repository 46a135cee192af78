import type { BacktestShow, BacktestState } from "#lib/schema/act/backtest.ts";

type BacktestTab = { readonly show: BacktestShow; readonly name: string };

/** The results that can be shown, with their number. */
export function listTabs(backtest: BacktestState): readonly BacktestTab[] {
  const { doneCount, runCount, skipCount, failCount, changedCount, stillFailCount } = backtest;
  const all: readonly (readonly [BacktestShow, string, number])[] = [
    ["", "All", doneCount],
    ["run", "Would run", runCount],
    ["skip", "Would skip", skipCount],
    ["fail", "Would fail", failCount],
    ...(stillFailCount > 0 && failCount > stillFailCount
      ? [["new_fail", "Newly fail", failCount - stillFailCount] as const]
      : []),
    ...(backtest.against === null ? [] : [["changed", "Changed", changedCount] as const]),
  ];
  return all.map(([show, name, count]) => ({
    show,
    name: `${name} ${count.toLocaleString("en")}`,
  }));
}

/** Says how much of what fails is no news: "198 would fail, 190 of them fail today too." */
export function describeFailures(
  { failCount, stillFailCount, against }: BacktestState,
  currentVersion: number | null,
): string | null {
  if (failCount === 0) return null;
  const would = `${failCount.toLocaleString("en")} would fail`;
  if (against === null) return `${would}.`;
  const now = against === currentVersion ? "today" : `in version ${against}`;
  if (stillFailCount === 0) return `${would}, none of which ${fails(1)} ${now}.`;
  if (stillFailCount === failCount)
    return failCount === 1
      ? `${would}, as it does ${now}.`
      : `${would}, all of which fail ${now} too.`;
  const still = stillFailCount.toLocaleString("en");
  return `${would}, ${still} of them ${fails(stillFailCount)} ${now} too.`;
}

function fails(count: number): string {
  return count === 1 ? "fails" : "fail";
}

/** Names what was tried, and what it was compared with. */
export function describeBacktest(
  { version, against }: BacktestState,
  currentVersion: number | null,
): string {
  const tried = version === null ? "The draft" : `Version ${version}`;
  if (against === null)
    return `${tried}. The action is new, so there is nothing to compare it with.`;
  const saved =
    against === currentVersion ? `the saved action (version ${against})` : `version ${against}`;
  return `${tried}, compared with ${saved}.`;
}
