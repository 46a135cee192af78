import type { AlertMessage } from "../alert-message.ts";

/** An event as our sender has it: `{id, type, timestamp, data}`. */
export function toEvent(
  { id, event, title, text, url, account, problem, items }: AlertMessage,
  now: Date,
) {
  return {
    id,
    type: event === "test" || event === "digest" ? `alert.${event}` : `problem.${event}`,
    timestamp: now.toISOString(),
    data: {
      title,
      message: text,
      url,
      account,
      problem: problem === null ? null : showProblem(problem),
      ...(items.length > 0 && { problems: items }),
    },
  };
}

function showProblem(problem: NonNullable<AlertMessage["problem"]>) {
  const { id, kind, state, reason, count, firstAt, lastAt, details, hookName, actionName } =
    problem;
  return { id, kind, state, reason, hookName, actionName, count, firstAt, lastAt, details };
}
