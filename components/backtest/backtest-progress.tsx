import { Allowed } from "#components/permissions/role.tsx";
import { CommandButton } from "#components/ui/feedback/command-button.tsx";
import { Badge } from "#components/ui/status/badge.tsx";
import { RelativeTime } from "#components/ui/time/relative-time.tsx";
import type { BacktestState } from "#lib/schema/act/backtest.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { describeBacktest, describeFailures } from "./backtest-counts.ts";

type BacktestProgressProps = {
  readonly backtest: BacktestState;
  /** The action's version in force. Null: it is new, or gone. */
  readonly currentVersion: number | null;
  readonly nowMs: number;
  readonly cancel: (backtestId: string) => Promise<CommandResult<null>>;
};

/** The progress of a backtest and what it found. It continues in the background. */
export function BacktestProgress(props: BacktestProgressProps) {
  const { backtest, currentVersion, nowMs, cancel } = props;
  const { id, status, total, doneCount, createdAt } = backtest;
  const isRunning = status === "running";
  const of = isRunning || doneCount < total ? ` of ${total.toLocaleString("en")}` : "";
  const failures = describeFailures(backtest, currentVersion);
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 text-sm">
      {isRunning ? (
        <progress aria-label="Progress" value={doneCount} max={total} className="progress" />
      ) : (
        <Badge tone={status === "finished" ? "positive" : "neutral"}>
          {status === "finished" ? "Done" : "Stopped"}
        </Badge>
      )}
      <span className="grid min-w-0 flex-1 basis-40 gap-0.5 tabular-nums">
        <span>
          {doneCount.toLocaleString("en")}
          {of} deliveries. Nothing was sent.{" "}
          {failures !== null && <strong className="font-medium">{failures}</strong>}
        </span>
        <span className="text-muted-foreground">{describeBacktest(backtest, currentVersion)}</span>
      </span>
      <span className="text-muted-foreground">
        <RelativeTime at={createdAt} nowMs={nowMs} />
      </span>
      {isRunning && (
        <Allowed to="hooks:write">
          <CommandButton ariaLabel="Stop backtest" run={cancel.bind(null, id)}>
            Stop
          </CommandButton>
        </Allowed>
      )}
    </div>
  );
}
