import { count, Detail, Figure } from "#components/ui/layout/figure.tsx";
import { Sparkline } from "#components/ui/plot/sparkline.tsx";
import { RelativeTime } from "#components/ui/time/relative-time.tsx";
import type { ProblemDetails } from "#lib/schema/watch/problem.ts";

type SilenceFiguresProps = {
  readonly details: Extract<ProblemDetails, { kind: "silence" }>;
  readonly hookId: string | null;
  readonly isOver: boolean;
  readonly nowMs: number;
};

/** The hook's usual deliveries, and what came instead. */
export function SilenceFigures({ details, hookId, isOver, nowMs }: SilenceFiguresProps) {
  const { usualPerHour, earlierWeeks, expectEveryMinutes, lastDeliveryAt, rejectedCount } = details;
  const rounded = earlierWeeks.map((perHour) => Math.round(perHour));
  return (
    <dl className="grid gap-4 sm:grid-cols-3">
      {expectEveryMinutes === null ? (
        <Figure
          name="Usually"
          value={toRate(usualPerHour)}
          plot={rounded.length > 0 && <Weeks perHour={rounded} />}
        >
          {rounded.length > 0
            ? `Last week ${count(rounded[0] ?? 0)}, in the same hours`
            : "On average, day and night"}
        </Figure>
      ) : (
        <Figure name="Expected" value={`Every ${count(expectEveryMinutes)} min`}>
          {hookId === null ? null : (
            <Detail href={`/hooks/${hookId}/settings?tab=behavior#silence`}>
              Set for this hook
            </Detail>
          )}
        </Figure>
      )}
      <Figure name={isOver ? "Accepted meanwhile" : "Accepted since"} value="0">
        {lastDeliveryAt === null ? (
          "None was ever accepted"
        ) : (
          <span>
            The last one <RelativeTime at={Date.parse(lastDeliveryAt)} nowMs={nowMs} />
          </span>
        )}
      </Figure>
      <Figure
        name="Rejected meanwhile"
        value={`${count(rejectedCount)}${rejectedCount >= 1_000 ? "+" : ""}`}
      >
        {rejectedCount === 0 || hookId === null ? (
          "No request arrived"
        ) : (
          <Detail href={`/deliveries?${new URLSearchParams({ status: "rejected", hookId })}`} isBad>
            View rejected deliveries
          </Detail>
        )}
      </Figure>
    </dl>
  );
}

/** Earlier weeks, oldest first, and this one, which is empty. */
function Weeks({ perHour }: { perHour: readonly number[] }) {
  const label = `Deliveries per hour in earlier weeks, newest first: ${perHour.join(", ")}`;
  return <Sparkline bars={[...perHour.toReversed(), 0]} bad={[]} label={label} />;
}

function toRate(perHour: number): string {
  if (perHour >= 1) return `${count(Math.round(perHour))} an hour`;
  const perDay = Math.round(perHour * 24);
  return perDay >= 1 ? `${perDay} a day` : `1 in ${Math.round(1 / (perHour * 24))} days`;
}
