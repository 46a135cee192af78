import type { HeldAlert } from "#lib/db/alerts/held-alerts.ts";

type Release = {
  readonly send: readonly string[];
  readonly digest: readonly string[];
  readonly drop: readonly string[];
};

/**
 * Releases or drops the held messages of one channel. What is still open is told as usual. What
 * opened and ended meanwhile is told once, in a digest, and so is everything of a rule that sends
 * digests only. PagerDuty gets no digest: it would be an incident that never ends.
 */
export function releaseHeld(held: readonly HeldAlert[]): Release {
  const opened = new Set(
    held.filter(({ event }) => event === "opened").map(({ problemId }) => problemId),
  );
  const release = { send: [] as string[], digest: [] as string[], drop: [] as string[] };
  for (const alert of held) release[choose(alert, opened.has(alert.problemId))].push(alert.id);
  return release;
}

/** @param wasHeld whether the message that the problem opened was held too */
function choose(
  { event, inDigest, problemState, channelKind }: HeldAlert,
  wasHeld: boolean,
): keyof Release {
  const isOver = problemState === "resolved";
  if (event === "reminder") return problemState === "open" ? "send" : "drop";
  if (channelKind === "pagerduty") return choosePage(event, problemState, wasHeld);
  if (inDigest || (isOver && wasHeld)) return "digest";
  return "send";
}

/** No one is paged for what is over, or what someone looks after already. */
function choosePage(
  event: HeldAlert["event"],
  state: HeldAlert["problemState"],
  wasHeld: boolean,
): keyof Release {
  if (state === "resolved" && wasHeld) return "drop";
  return state === "acknowledged" && event === "opened" ? "drop" : "send";
}
