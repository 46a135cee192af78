import { safeText } from "#components/ui/text/safe-text.ts";
import { Countdown } from "#components/ui/time/countdown.tsx";
import type { RunStatus } from "#lib/schema/act/run-states.ts";
import type { RunRow } from "./run-row.ts";

type RunSituationProps = {
  readonly row: Pick<RunRow, "status" | "why" | "detail" | "nextAt">;
  readonly nowMs: number;
};

/**
 * The reason for the state and what comes next. The full sentence is in the tooltip and on the page
 * of the delivery or event.
 */
export function RunSituation({ row: { status, why, detail, nextAt }, nowMs }: RunSituationProps) {
  if (why === undefined) return null;
  return (
    <b className={tones[status]} title={detail === undefined ? undefined : safeText(detail)}>
      {why}
      {nextAt !== undefined && (
        <>
          , next in <Countdown until={new Date(nextAt)} nowMs={nowMs} />
        </>
      )}
    </b>
  );
}

const tones: Partial<Record<RunStatus, string>> = {
  failed: "text-negative",
  retrying: "text-caution",
};
