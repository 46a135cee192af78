import { Badge } from "#components/ui/status/badge.tsx";
import type { Quota } from "#lib/schema/send/recipient.ts";

type QuotaLineProps = {
  readonly quota: Quota;
  readonly use: { readonly used: number; readonly resetsAt: Date };
};

/** How much of a quota is used, with a warning from four fifths on. */
export function QuotaLine({ quota: { limit, per, whenUsedUp }, use }: QuotaLineProps) {
  const { used, resetsAt } = use;
  const isUsedUp = used >= limit;
  const isNear = used >= 0.8 * limit;
  const until = resetsAt.toISOString().slice(0, 10);
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
      <span className="tabular-nums">
        {used.toLocaleString("en")} of {limit.toLocaleString("en")} sends{" "}
        {per === "day" ? "today" : "this month"}
      </span>
      {isNear && (
        <Badge tone={isUsedUp ? "negative" : "caution"}>
          {isUsedUp ? "Used up" : `${Math.floor((100 * used) / limit)}% used`}
        </Badge>
      )}
      <span className="text-muted-foreground">
        It starts again on {until} (UTC).{" "}
        {whenUsedUp === "delay"
          ? "Until then, further sends wait."
          : "Until then, further sends are canceled."}
      </span>
    </p>
  );
}
