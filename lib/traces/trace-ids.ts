import { createHash } from "node:crypto";
import type { RunSource } from "#lib/db/queue/claimed-run.ts";

/**
 * A trace has the id of its delivery or event: 128 bits, unique, and known to every process that
 * works on it. So nothing about a trace is stored. Its first span has the last 64 bits of that id,
 * which are random, and the span of a run a hash of the run's id.
 */
export function toTraceId(sourceId: string): string {
  return sourceId.replaceAll("-", "");
}

export function toRootSpanId(sourceId: string): string {
  return toTraceId(sourceId).slice(16);
}

export function toRunSpanId(runId: string): string {
  return createHash("sha256").update(runId).digest("hex").slice(0, 16);
}

/** The delivery or the event of a run. */
export function sourceOf(run: RunSource): string {
  return run.kind === "send" ? run.eventId : run.deliveryId;
}

/** A W3C `traceparent`, of any version that begins like version 00. Null: it isn't one. */
export function parseTraceparent(
  header: string | undefined,
): { readonly traceId: string; readonly spanId: string; readonly traceFlags: number } | null {
  const match = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:$|-)/.exec(
    header?.trim() ?? "",
  );
  const [, traceId = "", spanId = "", flags = ""] = match ?? [];
  if (/^0*$/.test(traceId) || /^0*$/.test(spanId)) return null;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) };
}
