import { count, Figure } from "#components/ui/layout/figure.tsx";
import { RelativeTime } from "#components/ui/time/relative-time.tsx";
import type { ProblemDetails } from "#lib/schema/watch/problem.ts";

type SpoolFiguresProps = {
  readonly details: Extract<ProblemDetails, { kind: "spool" }>;
  readonly nowMs: number;
};

/** The deliveries of all accounts that wait in the spool. */
export function SpoolFigures({ details, nowMs }: SpoolFiguresProps) {
  const { waiting, oldestAt, setAside, hosts } = details;
  return (
    <dl className="grid gap-4 sm:grid-cols-2">
      <Figure name="Accepted and not stored yet" value={count(waiting)}>
        {oldestAt === null ? (
          "Of all accounts"
        ) : (
          <span>
            The oldest <RelativeTime at={new Date(oldestAt)} nowMs={nowMs} />
          </span>
        )}
      </Figure>
      <Figure name="Can't be stored" value={count(setAside)}>
        {hosts.length === 0 ? "The operator finds them" : `On ${hosts.join(", ")}`}
      </Figure>
    </dl>
  );
}
