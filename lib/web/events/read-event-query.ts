import { eventQuerySchema } from "#lib/schema/send/event-query.ts";
import { readListQuery, type SearchParams } from "#lib/web/request/list-query.ts";

const names = ["q", "type", "recipient"] as const;

/** The filters of a list of events, as in its URL. */
export function readEventQuery(params: SearchParams, nowMs: number) {
  return readListQuery(params, { names, schema: eventQuerySchema, nowMs });
}
