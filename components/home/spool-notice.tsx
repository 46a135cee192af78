import { Card } from "#components/ui/layout/card.tsx";
import { Link } from "#components/ui/link.tsx";
import { Badge } from "#components/ui/status/badge.tsx";
import { describeCount } from "#components/ui/text/describe-count.ts";
import { RelativeTime } from "#components/ui/time/relative-time.tsx";

type SpoolNoticeProps = {
  readonly spool: {
    readonly waiting: number;
    readonly oldestAt: Date | null;
    readonly setAside: number;
  };
  readonly nowMs: number;
};

/** Accepted deliveries that aren't stored yet, so no list has them. Nothing, if there are none. */
export function SpoolNotice({ spool, nowMs }: SpoolNoticeProps) {
  const { waiting, oldestAt, setAside } = spool;
  if (waiting === 0 && setAside === 0) return null;
  return (
    <Card className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-3 text-sm">
      <Badge tone={setAside > 0 ? "negative" : "caution"}>Spool</Badge>
      {waiting > 0 && (
        <span>
          {describeCount(waiting, "delivery", "deliveries")} accepted and not stored yet
          {oldestAt !== null && (
            <>
              , the oldest <RelativeTime at={oldestAt} nowMs={nowMs} />
            </>
          )}
          .
        </span>
      )}
      {setAside > 0 && (
        <span>{describeCount(setAside, "delivery", "deliveries")} can't be stored.</span>
      )}
      <Link
        href="/docs/operations/spool"
        className="rounded-sm sm:ml-auto underline underline-offset-4"
      >
        Read about the spool
      </Link>
    </Card>
  );
}
