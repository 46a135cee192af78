import { type Range, rangeWords } from "#components/lists/range-links.tsx";
import { EmptyState } from "#components/ui/status/empty-state.tsx";
import { Notice } from "#components/ui/status/notice.tsx";
import { type FailureCommands, FailureGroups } from "./failure-groups.tsx";
import { type FailureView, toFailureRow } from "./failure-row.ts";

type FailureListProps = FailureCommands & {
  /** Muted ones last. */
  readonly failures: readonly FailureView[];
  /** Groups that aren't shown. */
  readonly more: number;
  /** False: only the newest runs are counted. */
  readonly isComplete: boolean;
  readonly range: Range;
  readonly nowMs: number;
};

/** Failed runs by action and reason, with what can be done about them. */
export function FailureList(props: FailureListProps) {
  const { failures, more, isComplete, range, ...rest } = props;
  const rows = failures.map((failure) => toFailureRow(failure, range));
  const loud = rows.filter(({ isMuted }) => !isMuted);
  const muted = rows.filter(({ isMuted }) => isMuted);
  return (
    <>
      {!isComplete && (
        <Notice tone="caution">
          More than 200,000 runs failed in {rangeWords[range]}. Only the newest are counted.
        </Notice>
      )}
      {loud.length > 0 ? (
        <FailureGroups {...rest} label="Failures" rows={loud} />
      ) : (
        <EmptyState title={`Nothing failed in ${rangeWords[range]}`}>
          <p>
            {muted.length === 0
              ? "Failed runs show up here, grouped by action and reason."
              : "Except for the muted ones below."}
          </p>
        </EmptyState>
      )}
      {more > 0 && (
        <p className="text-sm text-muted-foreground">
          And {more.toLocaleString("en")} more groups with fewer runs.
        </p>
      )}
      {muted.length > 0 && (
        <section className="grid grid-cols-1 gap-3" aria-labelledby="muted">
          <h2 id="muted" className="text-lg font-semibold tracking-tight">
            Muted
          </h2>
          <p className="text-sm text-muted-foreground">
            Until you unmute them, or the action or subscription changes.
          </p>
          <FailureGroups {...rest} label="Muted failures" rows={muted} />
        </section>
      )}
    </>
  );
}
