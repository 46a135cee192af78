import { Figure } from "#components/ui/layout/figure.tsx";
import { describeSize } from "#lib/base/describe-size.ts";
import type { ProblemDetails } from "#lib/schema/watch/problem.ts";

/** The space of the database's disk. */
export function DiskFigures({ details }: { details: Extract<ProblemDetails, { kind: "disk" }> }) {
  const { freeBytes, totalBytes, minFreeBytes } = details;
  return (
    <dl className="grid gap-4 sm:grid-cols-2">
      <Figure name="Free" value={describeSize(freeBytes)}>
        of {describeSize(totalBytes)}
      </Figure>
      <Figure name="Deliveries are rejected below" value={describeSize(minFreeBytes)}>
        The operator sets it
      </Figure>
    </dl>
  );
}
