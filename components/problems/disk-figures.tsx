import { Figure } from "#components/ui/layout/figure.tsx";
import type { ProblemDetails } from "#lib/schema/watch/problem.ts";

/** The space of the database's disk. */
export function DiskFigures({ details }: { details: Extract<ProblemDetails, { kind: "disk" }> }) {
  const { freeBytes, totalBytes, minFreeBytes } = details;
  return (
    <dl className="grid gap-4 sm:grid-cols-2">
      <Figure name="Free" value={toGib(freeBytes)}>
        of {toGib(totalBytes)}
      </Figure>
      <Figure name="Deliveries are rejected below" value={toGib(minFreeBytes)}>
        The operator sets it
      </Figure>
    </dl>
  );
}

function toGib(bytes: number): string {
  return `${(bytes / 2 ** 30).toFixed(1)} GiB`;
}
