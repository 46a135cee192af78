import type { EventRecord, EventWithBody } from "#lib/db/events/event-record.ts";
import type { RunRecord } from "#lib/db/runs/run-record.ts";
import { showRun } from "#lib/web/runs/run-view.ts";
import { RawJson } from "#lib/web/views/api-json.ts";

/** An event in a list. */
export function showEvent(event: EventRecord) {
  const { id, type, recipient, occurredAt, createdAt, deliveryId, warning, isTest } = event;
  const { bodySize } = event;
  return { id, type, recipient, occurredAt, createdAt, deliveryId, warning, isTest, bodySize };
}

/** With what receivers get, digit by digit, and its sends. */
export function showWholeEvent(event: EventWithBody, runs: readonly RunRecord[]) {
  const body = new RawJson(Buffer.from(event.body).toString("utf8"));
  return { ...showEvent(event), body, runs: runs.map(showRun) };
}
