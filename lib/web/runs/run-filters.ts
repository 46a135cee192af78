import { runQuerySchema } from "#lib/schema/act/run.ts";
import { readListQuery, type SearchParams } from "#lib/web/request/list-query.ts";

export const runFilters = [
  "q",
  "status",
  "hookId",
  "actionId",
  "subscriptionId",
  "jobId",
  "reason",
] as const;

export function readRunQuery(params: SearchParams, nowMs: number) {
  return readListQuery(params, { names: runFilters, schema: runQuerySchema, nowMs });
}
