import { isId } from "#lib/base/ids.ts";
import type { ArchivedTable } from "./week-rows.ts";

/** The tables with rows of deliveries and events outside of any week. `run_ids` are those of their runs. */
export type StrayTable = Exclude<ArchivedTable, "queue" | "delivery_terms"> | "run_ids";

/** The statement that selects the rows of these deliveries and events, without parameters, which COPY doesn't take. */
export function selectStrayRows(table: StrayTable, ids: readonly string[]): string {
  if (!ids.every(isId)) throw new Error("These aren't ids");
  const wanted = `'{${ids.join(",")}}'::uuid[]`;
  const ofRuns = (column: string) => `${column} = any (array(${selectRunIds(wanted)}))`;
  switch (table) {
    case "deliveries":
    case "events":
    case "answers":
      return `select * from ${table} where id = any (${wanted})`;
    case "runs":
      return `select * from runs where ${ofRuns("id")}`;
    case "attempts":
      return `select * from attempts where ${ofRuns("run_id")}`;
    case "run_steps":
      return `select * from run_steps where ${ofRuns("id")}`;
    case "run_ids":
      return selectRunIds(wanted);
    default:
      return table satisfies never;
  }
}

/** Runs that were made with them, and replays. */
function selectRunIds(wanted: string): string {
  return `select run.id from unnest(${wanted}) as source(id) cross join lateral (
      select id from runs where id >= run_id(source.id, 0) and id <= run_id(source.id, 16383)
        and source.id in (delivery_id, event_id)
      union select id from runs where has_own_id and delivery_id = source.id
      union select id from runs where has_own_id and event_id = source.id
    ) run`;
}
