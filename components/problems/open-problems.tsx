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

const maxShown = 3;

/** The open problems of what a page shows, a line each. Nothing, if there are none. */
export function OpenProblems({ problems, nowMs }: OpenProblemsProps) {
  if (problems.length === 0) return null;
  const more = problems.length - maxShown;
  return (
    <Card>
      <ul className="divide-y" aria-label="Open problems">
        {problems.slice(0, maxShown).map(({ id, title, state, firstAt }) => (
          <li
            key={id}
            className="relative flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2 text-sm sm:flex-nowrap"
          >
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
            <span className="ml-auto shrink-0 text-muted-foreground">
              <RelativeTime at={firstAt} nowMs={nowMs} />
            </span>
          </li>
        ))}
        {more > 0 && (
          <li className="px-4 py-2 text-sm">
            <Link href="/problems" className="rounded-sm underline underline-offset-4">
              {more} more
            </Link>
          </li>
        )}
      </ul>
    </Card>
  );
}
