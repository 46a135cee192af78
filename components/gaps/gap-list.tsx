import { Card } from "#components/ui/layout/card.tsx";
import { Link } from "#components/ui/link.tsx";
import { QuietStatus } from "#components/ui/status/quiet-status.tsx";
import { describeCount } from "#components/ui/text/describe-count.ts";
import { safeText } from "#components/ui/text/safe-text.ts";
import { RelativeTime } from "#components/ui/time/relative-time.tsx";
import { type GapView, gapStatusWords } from "./gap-status.ts";

type GapListProps = {
  readonly hookId: string;
  readonly gaps: readonly GapView[];
  readonly nowMs: number;
};

/** The other searches of a hook, one a line. Each opens with its event types. */
export function GapList({ hookId, gaps, nowMs }: GapListProps) {
  if (gaps.length === 0) return null;
  return (
    <section aria-labelledby="other-searches" className="grid grid-cols-1 gap-3">
      <h2 id="other-searches" className="text-lg font-semibold tracking-tight">
        Other searches
      </h2>
      <Card>
        <ul className="divide-y">
          {gaps.map((gap) => (
            <Row key={gap.id} hookId={hookId} gap={gap} nowMs={nowMs} />
          ))}
        </ul>
      </Card>
    </section>
  );
}

function Row({ hookId, gap, nowMs }: Omit<GapListProps, "gaps"> & { readonly gap: GapView }) {
  const { label, tone } = gapStatusWords[gap.status];
  return (
    <li
      className={
        "relative grid items-baseline gap-x-4 gap-y-0.5 px-4 py-2 text-sm hover:bg-muted/60 " +
        "md:grid-cols-[6rem_minmax(0,1fr)_17rem]"
      }
    >
      <span>
        <QuietStatus tone={tone}>{label}</QuietStatus>
      </span>
      <p className="flex min-w-0 items-baseline gap-x-2 max-md:flex-wrap">
        <Link
          href={`/hooks/${hookId}/backfill?search=${gap.id}`}
          className={
            "shrink-0 rounded-sm font-medium underline-offset-4 after:absolute after:inset-0 " +
            "hover:underline"
          }
        >
          {describeFound(gap)}
        </Link>
        <span className="min-w-0 truncate text-muted-foreground">
          {gap.reason === null ? "" : safeText(gap.reason)}
        </span>
      </p>
      <p className="truncate text-muted-foreground md:text-right">
        <RelativeTime at={gap.createdAt} nowMs={nowMs} /> by {safeText(gap.askedBy)}
      </p>
    </li>
  );
}

/** "56 of 1,208 events missing", or what became of them. */
function describeFound({ status, eventCount, missingCount, ...gap }: GapView): string {
  if (eventCount === 0) return status === "failed" ? "Nothing was read" : "No events";
  const events = describeCount(eventCount, "event");
  if (missingCount === 0) return `All of ${events} arrived`;
  const here = gap.takenCount + gap.repeatedCount;
  const missing = `${missingCount.toLocaleString("en")} of ${events} missing`;
  return here === 0 ? missing : `${missing}, ${here.toLocaleString("en")} here since`;
}
