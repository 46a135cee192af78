import { TabLinks } from "#components/ui/layout/tab-links.tsx";
import { describeFailed } from "./describe-failed.ts";

type ProblemTabsProps = {
  readonly current: "current" | "resolved" | "failures";
  /** Runs that failed in the last 7 days. */
  readonly failed: number;
};

/** Problems that are open, those that are over, and the runs that failed. */
export function ProblemTabs({ current, failed }: ProblemTabsProps) {
  return (
    <TabLinks
      label="Problems"
      links={[
        { href: "/problems", name: "Current", isCurrent: current === "current" },
        { href: "/problems?state=resolved", name: "Resolved", isCurrent: current === "resolved" },
        {
          href: "/problems/failures",
          name: "Failures",
          // The tab itself says it, of the range that it shows.
          ...(failed > 0 && current !== "failures" && { count: describeFailed(failed) }),
          isCurrent: current === "failures",
        },
      ]}
    />
  );
}
