import { createHash } from "node:crypto";
import type { BacktestOutcome, BacktestRequest } from "#lib/schema/act/backtest.ts";

type Result = {
  readonly outcome: BacktestOutcome;
  readonly currentOutcome: BacktestOutcome | null;
  /** The code of the reason for which it is skipped or fails. */
  readonly code: string | null;
  /** The requests of a result that differs. Empty: it doesn't. */
  readonly requests: readonly Pick<BacktestRequest, "step" | "change" | "changes">[];
};

/**
 * The same text for all results that differ in the same way: the same outcomes, and other values at
 * the same places. The items of a list are one place, because lists differ in length.
 */
export function toChangeKey({ outcome, currentOutcome, code, requests }: Result): string {
  const places = requests.flatMap(({ step, change, changes }) =>
    change === "changed"
      ? changes.map(({ path }) => `${step} ${path.replace(/\[\d+\]/g, "[]")}`)
      : change === "same"
        ? []
        : [`${step} ${change}`],
  );
  const parts = [outcome, currentOutcome, code, ...new Set(places.toSorted())];
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 24);
}
