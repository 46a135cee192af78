import { RefreshWhile } from "#components/lists/refresh-while.tsx";
import { CommandButton } from "#components/ui/feedback/command-button.tsx";
import { Card } from "#components/ui/layout/card.tsx";
import { Badge } from "#components/ui/status/badge.tsx";
import { RelativeTime } from "#components/ui/time/relative-time.tsx";
import type { CommandResult } from "#lib/schema/field/command-result.ts";

export type BacktestView = {
  readonly id: string;
  readonly status: "running" | "finished" | "cancelled";
  readonly total: number;
  readonly doneCount: number;
  readonly createdAt: Date;
};

type BacktestProgressProps = {
  readonly backtest: BacktestView;
  readonly nowMs: number;
  readonly cancel: (backtestId: string) => Promise<CommandResult<null>>;
};

/** The progress of a backtest. It continues in the background. */
export function BacktestProgress({ backtest, nowMs, cancel }: BacktestProgressProps) {
  const { id, status, total, doneCount, createdAt } = backtest;
  const isRunning = status === "running";
  const of = isRunning || doneCount < total ? ` of ${total.toLocaleString("en")}` : "";
  return (
    <Card className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3 text-sm">
      <RefreshWhile isOn={isRunning} everyMs={1_000} />
      {isRunning ? (
        <progress aria-label="Progress" value={doneCount} max={total} className="progress" />
      ) : (
        <Badge tone={status === "finished" ? "positive" : "neutral"}>
          {status === "finished" ? "Done" : "Stopped"}
        </Badge>
      )}
      <span className="flex-1 tabular-nums">
        {doneCount.toLocaleString("en")}
        {of} deliveries. Nothing was sent.
      </span>
      <span className="text-muted-foreground">
        <RelativeTime at={createdAt} nowMs={nowMs} />
      </span>
      {isRunning && (
        <CommandButton ariaLabel="Stop backtest" run={cancel.bind(null, id)}>
          Stop
        </CommandButton>
      )}
    </Card>
  );
}
