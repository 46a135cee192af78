import { describeRate } from "#components/status/describe-rate.ts";
import { Link } from "#components/ui/link.tsx";
import { Badge } from "#components/ui/status/badge.tsx";
import { QuietStatus } from "#components/ui/status/quiet-status.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import { RelativeTime } from "#components/ui/time/relative-time.tsx";
import type { RunReason } from "#lib/schema/act/run.ts";

export type ActionHealthView = {
  readonly state: "working" | "failing";
  readonly rate: number;
  readonly callCount: number;
  readonly lastError: { readonly reason: RunReason; readonly at: Date } | null;
};

/** The action's state: enabled or not, and whether its latest call failed. */
export function ActionState({
  enabled,
  health,
}: {
  enabled: boolean;
  health: ActionHealthView | null;
}) {
  if (!enabled) return <Badge tone="neutral">Off</Badge>;
  return health?.state === "failing" ? (
    <Badge tone="negative">Failing</Badge>
  ) : (
    <QuietStatus tone="positive">{health === null ? "On" : "Working"}</QuietStatus>
  );
}

type ActionHealthProps = {
  readonly actionId: string;
  readonly health: ActionHealthView | null;
  readonly nowMs: number;
};

/** The success rate of the last 24 hours, and the last error. */
export function ActionHealth({ actionId, health, nowMs }: ActionHealthProps) {
  if (health === null) return <p className="text-sm text-muted-foreground">No calls in 24 hours</p>;
  const { rate, callCount, lastError, state } = health;
  return (
    <p className="text-sm text-muted-foreground tabular-nums">
      <Link
        href={`/runs?actionId=${actionId}&since=24h`}
        className="rounded-sm underline-offset-4 hover:underline"
      >
        {describeRate(rate)} of {callCount.toLocaleString("en")}{" "}
        {callCount === 1 ? "call" : "calls"} succeeded
      </Link>
      {lastError !== null && (
        <>
          {". Last error: "}
          <span className={state === "failing" ? "text-negative" : ""}>
            {safeText(lastError.reason.detail.slice(0, 200))}
          </span>{" "}
          (<RelativeTime at={lastError.at} nowMs={nowMs} />)
        </>
      )}
    </p>
  );
}
