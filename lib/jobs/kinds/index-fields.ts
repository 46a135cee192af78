import { setTimeout as delay } from "node:timers/promises";
import { toFieldTerms } from "#lib/core/mapping/compare/field-terms.ts";
import {
  checkClosedWeeks,
  countActiveStatements,
  findUnindexedHook,
  forgetTerms,
  idAfter,
  lockIndex,
  readUnindexed,
  saveTerms,
  type TermRow,
  type UnindexedDelivery,
  type UnindexedHook,
  weekOf,
} from "#lib/db/field-search/index-fields.ts";
import type { SqlDatabase, SqlStatements } from "#lib/db/postgres/sql-database.ts";
import { defineJob, type Job, lockNothing } from "../job.ts";

/** Indexes the fields of deliveries for the search, and removes what isn't searched anymore. */
export function indexFieldsJob(db: SqlDatabase): Job {
  return defineJob({
    kind: "index_fields",
    lock: lockNothing,
    async workBatch(_work, signal) {
      const startedAt = performance.now();
      const hasWorked = await db.$transaction(workOn);
      if (hasWorked) {
        const restMs = (performance.now() - startedAt) * (await chooseRest(db));
        await delay(Math.min(restMs, maxRestMs), undefined, { signal }).catch(() => {});
      }
      return hasWorked;
    },
  });
}

const maxRestMs = 10_000;
/** For each statement that others have at work: deliveries and calls don't wait for the index. */
const restPerStatement = 20;

/** How many times as long as it works the job rests. */
async function chooseRest(db: SqlDatabase): Promise<number> {
  return 1 + restPerStatement * (await countActiveStatements(db));
}

async function workOn(tx: SqlStatements): Promise<boolean> {
  if (!(await lockIndex(tx))) return false;
  const hook = await findUnindexedHook(tx);
  if (hook === null) return await forgetTerms(tx);
  if (await checkClosedWeeks(tx, hook)) return true;
  const { deliveries, isAll } = await readUnindexed(tx, hook);
  const last = deliveries.at(-1);
  const until = isAll || last === undefined ? hook.horizon : idAfter(last.id);
  await saveTerms(tx, hook, toRows(hook, deliveries), until);
  return true;
}

/** More deliveries take less space, and cost a search that finds one more time. */
const maxInRow = 32;

function toRows({ hookId }: UnindexedHook, deliveries: readonly UnindexedDelivery[]): TermRow[] {
  const weeks = Map.groupBy(deliveries, ({ id }) => weekOf(id));
  return [...weeks.values()].flatMap((ofWeek) =>
    Array.from({ length: Math.ceil(ofWeek.length / maxInRow) }, (_, at) =>
      toRow(hookId, ofWeek.slice(at * maxInRow, (at + 1) * maxInRow)),
    ),
  );
}

function toRow(hookId: string, deliveries: readonly UnindexedDelivery[]): TermRow {
  const terms = new Set<number>();
  for (const { body, contentType } of deliveries)
    if (body !== null)
      for (const term of toFieldTerms(hookId, { body, contentType })) terms.add(term);
  const ids = deliveries.map(({ id }) => id);
  return {
    firstId: ids[0] ?? "",
    lastId: ids.at(-1) ?? "",
    deliveries: ids.length,
    terms,
  };
}
