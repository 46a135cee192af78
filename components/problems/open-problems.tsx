import { Card } from "#components/ui/layout/card.tsx";
import { Link } from "#components/ui/link.tsx";
import { Badge } from "#components/ui/status/badge.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import { RelativeTime } from "#components/ui/time/relative-time.tsx";
import type { ProblemState } from "#lib/schema/watch/problem.ts";
import { stateWords } from "./problem-words.ts";

type OpenProblemsProps = {
  readonly problems: readonly {
    readonly id: string;
    readonly title: string;
    readonly state: ProblemState;
    readonly firstAt: Date;
  }[];
  readonly nowMs: number;
};

/** The newest open problem of what a page shows, on one line with the number of others. */
export function OpenProblems({ problems, nowMs }: OpenProblemsProps) {
  const [first] = problems;
  if (first === undefined) return null;
  const { id, title, state, firstAt } = first;
  const more = problems.length - 1;
  return (
    <section aria-label="Open problems">
      <Card className="relative flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2 text-sm sm:flex-nowrap">
        <Badge tone={stateWords[state].tone}>{stateWords[state].name}</Badge>
        <Link
          href={`/problems/${id}`}
          className={
            "order-last w-full min-w-0 rounded-sm font-medium break-words underline-offset-4 " +
            "after:absolute after:inset-0 hover:underline sm:order-none sm:w-auto sm:truncate"
          }
        >
          {safeText(title)}
        </Link>
        <span className="ml-auto flex shrink-0 gap-3 text-muted-foreground">
          <RelativeTime at={firstAt} nowMs={nowMs} />
          {more > 0 && (
            <Link
              href="/problems"
              className="relative z-[1] rounded-sm text-foreground underline underline-offset-4"
            >
              {more} more {more === 1 ? "problem" : "problems"}
            </Link>
          )}
        </span>
      </Card>
    </section>
  );
}
