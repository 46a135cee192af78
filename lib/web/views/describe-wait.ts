import type { RunWait } from "#lib/schema/run.ts";

/** One sentence, with times in UTC. */
export function describeWait(wait: RunWait): string {
  if (wait.kind === "order")
    return `Waits for the run of ${toClock(wait.createdAt)} UTC with the same key`;
  const { downSince, nextTryAt } = wait;
  return `Held: receiver down since ${toClock(downSince)}, next try ${toClock(nextTryAt)} UTC`;
}

/** "10:42", with the day if it isn't today. */
function toClock(at: Date): string {
  const text = at.toISOString();
  const isToday = text.slice(0, 10) === new Date().toISOString().slice(0, 10);
  return isToday ? text.slice(11, 16) : `${text.slice(0, 10)} ${text.slice(11, 16)}`;
}
