import { Cell } from "#components/lists/row-table.tsx";
import { describeDuration } from "#components/ui/text/describe-duration.ts";
import { RelativeTime } from "#components/ui/time/relative-time.tsx";

type AttemptCellsProps = {
  readonly row: { readonly attempts: number; readonly durationMs?: number; readonly at: number };
  readonly nowMs: number;
};

/** The last cells of a row: attempts, duration, and time. */
export function AttemptCells({ row: { attempts, durationMs, at }, nowMs }: AttemptCellsProps) {
  return (
    <>
      <Cell className="row-number">
        {attempts}
        <span>{attempts === 1 ? " attempt" : " attempts"}</span>
      </Cell>
      <Cell className="row-number">
        {durationMs === undefined ? "" : describeDuration(durationMs)}
      </Cell>
      <Cell>
        <RelativeTime at={at} nowMs={nowMs} />
      </Cell>
    </>
  );
}
