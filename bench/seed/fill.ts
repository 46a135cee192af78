import { Client } from "pg";
import { waitUntil } from "#e2e/harness/wait-until.ts";
import { createSqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { rollUpStep } from "#lib/db/statistics/statistics-roll-up.ts";
import { fillSends } from "./fill-sends.ts";
import {
  type Chunk,
  dropIndexes,
  insertChunk,
  insertKeys,
  isCounted,
  makePartitions,
  makeSeedHooks,
  vacuumStatements,
} from "./tables.ts";

export type FillOptions = {
  readonly url: string;
  /** The slug of the account. */
  readonly account: string;
  /** Deliveries, spread evenly over the days and by chance over the hooks. */
  readonly count: number;
  readonly days: number;
  readonly hooks: number;
  /** The start of these hooks' names, before their number. */
  readonly name?: string;
  /** Runs of another hook's action that are due and not finished. */
  readonly open: number;
  /** The URL that the action sends to, one call at a time. */
  readonly openUrl: string;
  /** Dedupe keys of a year, besides those of the deliveries. Default: none. */
  readonly keys?: number;
  /** Events whose sends failed. Default: none. */
  readonly sends?: number;
  /** True if nothing else uses the database, so that it can do without indexes meanwhile. */
  readonly isOwn: boolean;
  readonly say: (line: string) => void;
};

export const backlogName = "A backlog";

const chunkSize = 20_000;
/** The number of PostgreSQL's processor cores on a small machine. */
const writers = 2;

/** Fills a database with a long history and a backlog. */
export async function fill(options: FillOptions): Promise<void> {
  const { url, account, count, days, hooks, open, openUrl, keys = 0, isOwn, say } = options;
  const client = new Client({ connectionString: url });
  await client.connect();
  await makePartitions(client, days);
  const nowhere = "https://example.com/";
  const history = await makeSeedHooks(client, {
    account,
    name: options.name ?? "A long history",
    count: hooks,
    url: nowhere,
  });
  const indexes = isOwn ? await dropIndexes(client) : [];
  const old = { count: keys, days: 365, chunkSize: 500_000, name: "keys" };
  await insertAll(url, old, insertKeys, say);
  const deliveries = { ...history, count, days, isOpen: false, chunkSize, name: "deliveries" };
  await insertAll(url, deliveries, insertChunk, say);
  if (open > 0) {
    const backlog = { account, name: backlogName, count: 1, url: openUrl };
    const made = await makeSeedHooks(client, backlog);
    const runs = { ...made, count: open, days: 1, isOpen: true, chunkSize, name: "open runs" };
    await insertAll(url, runs, insertChunk, say);
  }
  if (options.sends !== undefined) await fillSends(client, account, options.sends);
  if (isOwn) await runAll(url, indexes, "indexes", say);
  await runAll(url, vacuumStatements, "vacuum", say);
  await client.query("checkpoint").catch(() => say("no checkpoint: the role may not start one"));
  await client.end();
}

/** Counts everything into the statistics; the product does a little of it every ten seconds. */
export async function countAll(url: string, say: (line: string) => void): Promise<void> {
  say("counting it for the statistics");
  const client = new Client({ connectionString: url });
  const applicationName = "catchment bench";
  const db = createSqlDatabase({ url, poolSize: 1, applicationName, statementTimeoutMs: 600_000 });
  const count = async () => {
    // The step returns at once while the product itself is counting.
    while (await rollUpStep(db, 0));
    return (await isCounted(client)) ? true : undefined;
  };
  try {
    await client.connect();
    await waitUntil("the statistics", 1_800_000, count, 1_000);
  } finally {
    await db.$disconnect();
    await client.end();
  }
}

/** Runs as many at a time as there are writers. */
async function runAll(
  url: string,
  statements: readonly string[],
  name: string,
  say: (line: string) => void,
): Promise<void> {
  const startedAt = performance.now();
  const waiting = [...statements];
  const work = async () => {
    const client = new Client({ connectionString: url, options: "-c maintenance_work_mem=512MB" });
    await client.connect();
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      await client.query(next);
    await client.end();
  };
  await Promise.all(Array.from({ length: writers }, work));
  say(`${name}: ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
}

type All = { readonly count: number; readonly chunkSize: number; readonly name: string };

async function insertAll<Rows extends All>(
  url: string,
  all: Rows,
  insert: (client: Client, chunk: Rows & Pick<Chunk, "from" | "to">) => Promise<void>,
  say: (line: string) => void,
): Promise<void> {
  const startedAt = performance.now();
  const { count, chunkSize, name } = all;
  let next = 1;
  let done = 0;
  const write = async () => {
    // A crash while filling only means filling again.
    const client = new Client({ connectionString: url, options: "-c synchronous_commit=off" });
    await client.connect();
    while (next <= count) {
      const from = next;
      const to = Math.min(count, from + chunkSize - 1);
      next = to + 1;
      await insert(client, { ...all, from, to });
      done += to - from + 1;
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
      if ((done / chunkSize) % 25 < 1 || done === count)
        say(`${done} of ${count} ${name}, ${seconds} s`);
    }
    await client.end();
  };
  await Promise.all(Array.from({ length: writers }, write));
}
