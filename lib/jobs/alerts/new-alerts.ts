import { endOfQuiet, nextDigest } from "#lib/core/watch/alerts/quiet-hours.ts";
import type { ChangedProblem, MatchingRule, NewAlert } from "#lib/db/alerts/plan-alerts.ts";

/**
 * The messages that a changed problem needs: one when it opens, one when it is over, and for
 * PagerDuty one when someone acknowledges it. Those that exist already are no news: their key is
 * taken.
 */
export function toNewAlerts(problem: ChangedProblem, now: Date): readonly NewAlert[] {
  switch (problem.state) {
    case "open":
      return problem.rules.flatMap((rule) => openAlerts(problem, rule, now));
    case "acknowledged":
      // Someone looks after it, so no other channel is told.
      return problem.opened
        .filter(({ kind }) => kind === "pagerduty")
        .map(({ channelId }) => ({
          ...toAlert(problem, channelId, now),
          event: "acknowledged" as const,
        }));
    case "resolved":
      return resolvedAlerts(problem, now);
    default:
      return problem.state satisfies never;
  }
}

function openAlerts(problem: ChangedProblem, rule: MatchingRule, now: Date): readonly NewAlert[] {
  const { digest, quietHours, channelIds } = rule;
  const inDigest = digest !== "off";
  const dueAt = inDigest ? nextDigest(now, digest, quietHours) : endOfQuiet(now, quietHours);
  const isHeld = dueAt > now;
  return channelIds.map((channelId) => ({
    ...toAlert(problem, channelId, dueAt),
    event: "opened",
    isHeld,
    inDigest,
  }));
}

/**
 * A channel hears that it is over if it heard that it opened, and not before. Of an outage, the one message says
 * that it is over. Only PagerDuty's incident has to end.
 */
function resolvedAlerts(problem: ChangedProblem, now: Date): readonly NewAlert[] {
  return problem.opened
    .filter(({ state }) => state !== "dropped" && state !== "failed")
    .filter(({ kind }) => problem.kind !== "database" || kind === "pagerduty")
    .map(({ channelId, kind, state, inDigest, dueAt: openedAt }) => {
      const rule = problem.rules.find(({ channelIds }) => channelIds.includes(channelId));
      const dueAt =
        state === "held"
          ? openedAt
          : inDigest && rule !== undefined && rule.digest !== "off"
            ? nextDigest(now, rule.digest, rule.quietHours)
            : // An incident that is over must not stay open through the night.
              endOfQuiet(now, kind === "pagerduty" ? null : (rule?.quietHours ?? null));
      const isHeld = dueAt > now || state === "held";
      return { ...toAlert(problem, channelId, dueAt), event: "resolved", isHeld, inDigest };
    });
}

function toAlert({ id, accountId }: ChangedProblem, channelId: string, dueAt: Date) {
  const key = { accountId, channelId, problemId: id, number: 0 };
  return { ...key, isHeld: false, inDigest: false, dueAt };
}
