import { idFloor } from "#lib/core/api/page.ts";
import { endOf, startOf, type Week } from "#lib/db/postgres/partitions/kept-weeks.ts";

/** The tables that are archived, in an order in which they can be restored. */
export const archivedTables = [
  "deliveries",
  "events",
  "runs",
  "queue",
  "attempts",
  "run_steps",
  "answers",
  "delivery_terms",
] as const;
export type ArchivedTable = (typeof archivedTables)[number];

export type Column = {
  readonly name: string;
  /** PostgreSQL's name of the type, such as `uuid`. */
  readonly type: string;
};

/**
 * The statement that copies selected rows of a table as lines of JSON, without parameters, which COPY
 * doesn't take. JSON contains neither the quote nor the delimiter, so each line is the JSON as it is.
 *
 * Bytes that are text are a field `…_text`, which people can read and search. A JSON column is text too:
 * PostgreSQL can't read `\u0000` within JSON, and stores it.
 */
export function copyRows(select: string, columns: readonly Column[]): string {
  const fields = columns.flatMap(({ name, type }) => {
    if (type === "json") return [`"${name}"::text as "${name}"`];
    if (type !== "bytea") return [`"${name}"`];
    return [`case when ${name}_text is null then "${name}" end as "${name}"`, `${name}_text`];
  });
  const texts = columns
    .filter(({ type }) => type === "bytea")
    .map(({ name }) => `archive_text("${name}") as ${name}_text`);
  // Without OFFSET, the function would be called for each field that uses its result.
  return `copy (
    select row_to_json(line) from (
      select ${fields.join(", ")} from (${select}) as found
      cross join lateral (select ${texts.join(", ")} offset 0) as texts
    ) as line
  ) to stdout ${lineFormat}`;
}

export const lineFormat = `(format csv, quote e'\\x01', delimiter e'\\x02', encoding 'UTF8')`;

/**
 * The rows of a week: those in its tables, and those that are dropped with them. The replays of its
 * deliveries are in later weeks, and so are late attempts. Rows in its tables that belong to an
 * earlier week were archived with that week.
 */
export function selectWeekRows(table: ArchivedTable, week: Week): string {
  const { first, end } = idsOf(week);
  const own = `id >= '${first}' and id < '${end}'`;
  const from = (condition: string) => `select * from ${table} where ${condition}`;
  switch (table) {
    case "runs":
    case "queue":
      return `${from(`${own} and not (has_own_id and coalesce(delivery_id, event_id, id) < '${first}')`)}
        union all ${from(`id = any (array(${selectReplays(table, week)}))`)}`;
    case "attempts":
      return `${from(`${own} and run_id >= '${first}'`)}
        union all ${from(`id >= '${end}' and run_id >= '${first}' and run_id < '${end}'`)}
        union all ${from(`id >= '${end}' and run_id = any (array(${selectAllReplays(week)}))`)}`;
    case "run_steps":
      return `${from(own)} union all ${from(`id = any (array(${selectAllReplays(week)}))`)}`;
    case "deliveries":
    case "events":
    case "answers":
    case "delivery_terms":
      return from(own);
    default:
      return table satisfies never;
  }
}

/**
 * A number that changes with the rows of a week that aren't in its tables, with indexes: how many have
 * ended, and a hash of what is open, which may move on. A lease isn't archived, so it is no change.
 */
export function markLaterRows(week: Week): string {
  const { first, end } = idsOf(week);
  const openReplays = `any (array(${selectReplays("queue", week)}))`;
  return `select (
      (select count(*) from (${selectReplays("runs", week)}) as replays)
      + (select count(*) from attempts where id >= '${end}' and run_id >= '${first}' and run_id < '${end}')
      + (select coalesce(sum(hashtext(open.text)), 0) from (
          select id || ' ' || attempt_count from queue where id >= '${first}' and id < '${end}' or id = ${openReplays}
          union all select id::text from attempts where run_id = ${openReplays}
          union all select s::text from run_steps s where id = ${openReplays}
        ) as open (text))
    )::bigint as mark`;
}

function selectAllReplays(week: Week): string {
  return `${selectReplays("runs", week)} union ${selectReplays("queue", week)}`;
}

/** The ids of runs in other weeks whose delivery or event is in this one. */
function selectReplays(table: "runs" | "queue", week: Week): string {
  const { first, end } = idsOf(week);
  const of = (column: string) =>
    `select id from ${table} where has_own_id and ${column} >= '${first}' and ${column} < '${end}'
      and not (id >= '${first}' and id < '${end}')`;
  return `${of("delivery_id")} union ${of("event_id")}`;
}

/** The first id of a week, and the first one after it. */
export function idsOf(week: Week): { readonly first: string; readonly end: string } {
  return { first: idFloor(startOf(week).getTime()), end: idFloor(endOf(week).getTime()) };
}
