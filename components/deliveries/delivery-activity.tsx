import { deliveryStatusWords } from "#components/status/describe-delivery.ts";
import { classNames } from "#components/ui/class-names.ts";
import { Card } from "#components/ui/layout/card.tsx";
import { Link } from "#components/ui/link.tsx";
import { type DeliveryStatus, deliveryStatuses } from "#lib/schema/receive/delivery-status.ts";
import { ActivityBrush } from "./activity-brush.tsx";

export type DeliveryActivityView = {
  /** The start of the first bar, in Unix milliseconds. */
  readonly fromMs: number;
  readonly bucketMs: number;
  /** The bars, oldest first: the counts in the order of `deliveryStatuses`. */
  readonly bars: readonly (readonly number[])[];
  readonly totals: Readonly<Record<DeliveryStatus, number>>;
  /** Only the newest were counted: there are more. */
  readonly isMore: boolean;
};

type DeliveryActivityProps = {
  readonly activity: DeliveryActivityView;
  readonly path: string;
  /** The parameters of the list's URL, without its page. */
  readonly params: Readonly<Record<string, string>>;
};

/** When the deliveries of a filter arrived, and how many have which status. */
export function DeliveryActivity({ activity, path, params }: DeliveryActivityProps) {
  const { totals, isMore, fromMs, bucketMs, bars } = activity;
  const { status: chosen = "", since = "" } = params;
  const total = Object.values(totals).reduce((sum, count) => sum + count, 0);
  const used = deliveryStatuses.filter((status) => totals[status] > 0 || status === chosen);
  return (
    <Card className="grid grid-cols-1 gap-2 px-4 pt-3 pb-2">
      <ActivityBrush
        points={bars.map((bar, at) => ({
          startMs: fromMs + at * bucketMs,
          counts: Object.fromEntries(
            deliveryStatuses.map((status, index) => [status, bar[index] ?? 0]),
          ),
        }))}
        bucketMs={bucketMs}
        path={path}
        params={params}
        title={spanWords[since] ?? "The chosen time"}
      />
      <nav aria-label="Counts" className="-mx-2 flex flex-wrap items-center gap-x-1 text-sm">
        <StatusLink
          href={linkTo(path, params, "")}
          isChosen={chosen === ""}
          words="All"
          count={describeCount(total, isMore)}
        />
        {used.map((status) => (
          <StatusLink
            key={status}
            href={linkTo(path, params, status)}
            isChosen={chosen === status}
            words={deliveryStatusWords[status].words}
            count={describeCount(totals[status], isMore)}
          />
        ))}
      </nav>
    </Card>
  );
}

const spanWords: Readonly<Record<string, string>> = {
  "": "Last 7 days",
  "1h": "Last hour",
  "24h": "Last 24 hours",
  "7d": "Last 7 days",
  "30d": "Last 30 days",
};

/** The newest deliveries that are counted one by one, as in `count-deliveries.ts`. */
const maxCounted = 10_000;

function describeCount(count: number, isMore: boolean): string {
  return `${Math.min(count, isMore ? maxCounted : count).toLocaleString("en")}${isMore ? "+" : ""}`;
}

function linkTo(path: string, params: Readonly<Record<string, string>>, status: string): string {
  const given = Object.entries({ ...params, status }).filter(([, value]) => value !== "");
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
}

type StatusLinkProps = {
  readonly href: string;
  readonly isChosen: boolean;
  readonly words: string;
  readonly count: string;
};

function StatusLink({ href, isChosen, words, count }: StatusLinkProps) {
  return (
    <Link
      href={href}
      scroll={false}
      aria-current={isChosen ? "true" : undefined}
      className={classNames(
        "rounded-md px-2 py-1 tabular-nums",
        isChosen ? "bg-muted font-medium" : "text-muted-foreground hover:text-foreground",
      )}
    >
      {words} <span className="text-foreground">{count}</span>
    </Link>
  );
}
