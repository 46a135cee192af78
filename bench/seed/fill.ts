import { Client } from "pg";
import { waitUntil } from "#e2e/harness/wait-until.ts";
import { createSqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { rollUpStep } from "#lib/db/statistics/statistics-roll-up.ts";
import { fillSends } from "./fill-sends.ts";
import {
  type Chunk,
  dropIndexes,
  insertChunk,
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
  const { url, account, count, days, hooks, open, openUrl, isOwn, say } = options;
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
  await insertAll(url, { ...history, count, days, isOpen: false }, say);
  if (open > 0) {
    const backlog = { account, name: backlogName, count: 1, url: openUrl };
    const made = await makeSeedHooks(client, backlog);
    await insertAll(url, { ...made, count: open, days: 1, isOpen: true }, say);
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

async function insertAll(
  url: string,
  all: Omit<Chunk, "from" | "to">,
  say: (line: string) => void,
): Promise<void> {
  const startedAt = performance.now();
  let next = 1;
  let done = 0;
  const write = async () => {
    // A crash while filling only means filling again.
    const client = new Client({ connectionString: url, options: "-c synchronous_commit=off" });
    await client.connect();
    while (next <= all.count) {
      const from = next;
      const to = Math.min(all.count, from + chunkSize - 1);
      next = to + 1;
      await insertChunk(client, { ...all, from, to });
      done += to - from + 1;
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
      if ((done / chunkSize) % 25 < 1 || done === all.count)
        say(`${done} of ${all.count}${all.isOpen ? " open runs" : ""}, ${seconds} s`);
    }
    await client.end();
  };
  await Promise.all(Array.from({ length: writers }, write));
}
