import type { BatchRule } from "#lib/core/batch/batch-rule.ts";

/** A batch with its events at `path`. `""`: the body is the list. */
export function eventsAt(path: string, options: Partial<Omit<BatchRule, "list">> = {}): BatchRule {
  const { keepsEnvelope = false, eventId = [], otherwise = "content", eventType = [] } = options;
  return { list: { from: "body", path }, keepsEnvelope, eventId, otherwise, eventType };
}
