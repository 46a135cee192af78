import type { ReactNode } from "react";
import { Card } from "#components/ui/layout/card.tsx";
import { Link } from "#components/ui/link.tsx";
import { Badge } from "#components/ui/status/badge.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import { RelativeTime } from "#components/ui/time/relative-time.tsx";
import type { ProblemFacts as Facts } from "#lib/schema/watch/problem.ts";
import { describeCount } from "./describe-count.ts";
import { stateWords } from "./problem-words.ts";

type Props = {
  readonly problem: Facts;
  /** The runs that fail, of the last 7 days. Null: it isn't about runs. */
  readonly runs: { readonly failed: number; readonly retrying: number } | null;
  /** How it ended. Null: it hasn't. */
  readonly ending: string | null;
  readonly nowMs: number;
};

/** The facts of a problem: what is wrong, when, how often, and where to look. */
export function ProblemFacts({ problem, runs, ending, nowMs }: Props) {
  const { hookId, hookName, actionId, actionName, subscriptionId, receiverUrl } = problem;
  const counted = describeCount({ ...problem, runs });
  const { deliveryId, runId, acknowledgedAt, acknowledgedBy, resolvedAt } = problem;
  return (
    <Card className="p-5">
      <dl
        className={
          "grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-2 text-sm " +
          "md:grid-cols-[auto_minmax(0,1fr)_auto_minmax(0,1fr)]"
        }
      >
        <Fact name="State">
          <Badge tone={stateWords[problem.state].tone}>{stateWords[problem.state].name}</Badge>
        </Fact>
        {hookId !== null && hookName !== null && (
          <Fact name="Hook">
            <Go href={`/hooks/${hookId}`}>{safeText(hookName)}</Go>
          </Fact>
        )}
        {actionId !== null && actionName !== null && (
          <Fact name="Action">
            <Go href={`/actions/${actionId}`}>{safeText(actionName)}</Go>
          </Fact>
        )}
        {subscriptionId !== null && receiverUrl !== null && (
          <Fact name="Subscription">
            <Go href={`/subscriptions/${subscriptionId}`}>{safeText(receiverUrl)}</Go>
          </Fact>
        )}
        <Fact name="First">
          <RelativeTime at={problem.firstAt} nowMs={nowMs} />
        </Fact>
        <Fact name="Last">
          <RelativeTime at={problem.lastAt} nowMs={nowMs} />
        </Fact>
        {counted !== "" && (
          <Fact name={runs === null ? "Count" : "Runs, 7 days"}>
            <span className="tabular-nums">{counted}</span>
          </Fact>
        )}
        {deliveryId !== null && (
          <Fact name="Example">
            <Go href={`/deliveries/${deliveryId}${runId === null ? "" : `#${runId}`}`}>
              The last delivery
            </Go>
          </Fact>
        )}
        {acknowledgedAt !== null && (
          <Fact name="Acknowledged">
            <RelativeTime at={acknowledgedAt} nowMs={nowMs} /> by {safeText(acknowledgedBy ?? "")}
          </Fact>
        )}
        {resolvedAt !== null && (
          <Fact name="Resolved">
            <RelativeTime at={resolvedAt} nowMs={nowMs} />. {safeText(ending ?? "")}
          </Fact>
        )}
      </dl>
    </Card>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted-foreground">{name}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </>
  );
}

function Go({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link href={href} className="rounded-sm underline underline-offset-4">
      {children}
    </Link>
  );
}
