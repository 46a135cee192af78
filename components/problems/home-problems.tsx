import { Link } from "#components/ui/link.tsx";
import { describeFailed } from "./describe-failed.ts";
import { type ProblemRow, ProblemTable } from "./problem-table.tsx";

type HomeProblemsProps = {
  /** Newest first. */
  readonly problems: readonly ProblemRow[];
  /** Runs that failed in the last 7 days. */
  readonly failed: number;
  readonly nowMs: number;
};

const maxShown = 8;

/** The newest problems, a line each, and a link to all of them. */
export function HomeProblems({ problems, failed, nowMs }: HomeProblemsProps) {
  return (
    <section className="grid grid-cols-1 gap-3" aria-labelledby="problems">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <h2 id="problems" className="text-lg font-semibold tracking-tight">
          Problems
        </h2>
        <span className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
          {failed > 0 && (
            <Link
              href="/problems/failures"
              className="rounded-sm font-medium text-negative tabular-nums underline-offset-4 hover:underline"
            >
              {describeFailed(failed)} in the last 7 days
            </Link>
          )}
          {problems.length > maxShown && (
            <Link
              href="/problems"
              className="rounded-sm font-medium underline-offset-4 hover:underline"
            >
              View all problems
            </Link>
          )}
        </span>
      </div>
      {problems.length === 0 ? (
        <p className="text-sm text-muted-foreground">Nothing is broken.</p>
      ) : (
        <ProblemTable rows={problems.slice(0, maxShown)} nowMs={nowMs} isShort />
      )}
    </section>
  );
}
