import { Badge } from "#components/ui/status/badge.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";

export type ReplayDryRunView = {
  /** Null: too many to count. */
  readonly total: number | null;
  readonly sample: readonly {
    readonly deliveryId: string;
    readonly outcome: "run" | "skip" | "fail" | "steps";
    readonly request: { readonly method: string; readonly url: string } | null;
    readonly message: string | null;
  }[];
  /** Null: it sends requests of the current action. */
  readonly leftOut: { readonly notStored: number; readonly nothingSent: number } | null;
};

const outcomes = {
  run: { label: "Sends", tone: "positive" },
  skip: { label: "Skips", tone: "neutral" },
  fail: { label: "Fails", tone: "negative" },
  steps: { label: "Steps", tone: "neutral" },
} as const;

/** The preview of a replay, before anything is queued. */
export function ReplayPreview({ plan: { total, sample, leftOut } }: { plan: ReplayDryRunView }) {
  const left = leftOut === null ? null : describeLeftOut(leftOut);
  if (total === 0)
    return (
      <p className="text-sm">Nothing to replay. {left ?? "Choose other deliveries or times."}</p>
    );
  return (
    <section aria-label="Preview" className="grid min-w-0 grid-cols-1 gap-2 text-sm">
      <p>
        Queues {total === null ? "more than 100,000" : total.toLocaleString("en")}{" "}
        {total === 1 ? "run" : "runs"}, oldest first. The first of them:
      </p>
      <ul className="grid min-w-0 grid-cols-1 gap-1.5">
        {sample.map(({ deliveryId, outcome, request, message }) => (
          <li key={deliveryId} className="flex min-w-0 items-baseline gap-2">
            <Badge tone={outcomes[outcome].tone}>{outcomes[outcome].label}</Badge>
            <span className="min-w-0 truncate">
              {safeText(message ?? (request === null ? "" : `${request.method} ${request.url}`))}
            </span>
          </li>
        ))}
      </ul>
      {left !== null && <p className="text-muted-foreground">{left}</p>}
    </section>
  );
}

function describeLeftOut({
  notStored,
  nothingSent,
}: NonNullable<ReplayDryRunView["leftOut"]>): string | null {
  const count = (of: number) =>
    `${of.toLocaleString("en")} ${of === 1 ? "delivery" : "deliveries"}`;
  const parts = [
    ...(notStored === 0
      ? []
      : [
          `${count(notStored)} left out: the request is from before an upgrade and can't be sent again as it was.`,
        ]),
    ...(nothingSent === 0
      ? []
      : [`${count(nothingSent)} left out: nothing was sent, or the action had steps.`]),
  ];
  return parts.length === 0 ? null : parts.join(" ");
}
