import type { BatchRule } from "#lib/core/verify/batch/batch-rule.ts";

/** A batch whose events are at `path`. `""`: the body is the list. */
export function eventsAt(path: string, options: Partial<Omit<BatchRule, "list">> = {}): BatchRule {
  return {
    keepsEnvelope: false,
    eventId: [],
    otherwise: "content",
    eventType: [],
    ...options,
    list: { from: "body", path },
  };
}

/** A batch with a single event inside a token or a form field, which becomes its own delivery. */
export function eventIn(
  list: BatchRule["list"],
  options: Partial<Pick<BatchRule, "eventId" | "eventType">> = {},
): BatchRule {
  const { eventId = [], eventType = [] } = options;
  return { list, isOne: true, keepsEnvelope: false, eventId, otherwise: "content", eventType };
}
