import { Client } from "pg";
import { waitUntil } from "#e2e/harness/wait-until.ts";
import { createSqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { rollUpStatistics } from "#lib/db/statistics/statistics-roll-up.ts";
import {
  analyzeTables,
  type Chunk,
  insertChunk,
  isCounted,
  makePartitions,
  makeSeedHooks,
} from "./tables.ts";

export type FillOptions = {
  readonly url: string;
  /** The slug of the account. */
  readonly account: string;
  /** Deliveries, spread evenly over the days and by chance over the hooks. */
  readonly count: number;
  readonly days: number;
  readonly hooks: number;
  /** Runs of another hook's action that are due and not finished. */
  readonly open: number;
  /** Where that action sends to, one call at a time. */
  readonly openUrl: string;
  readonly say: (line: string) => void;
};

const chunkSize = 20_000;
/** As many as PostgreSQL has processor cores for on a small machine. */
const writers = 2;

/** Fills a database with a long history and a backlog. */
export async function fill(options: FillOptions): Promise<void> {
  const { url, account, count, days, hooks, open, openUrl, say } = options;
  const client = new Client({ connectionString: url });
  await client.connect();
  await makePartitions(client, days);
  const nowhere = "https://example.com/";
  const history = await makeSeedHooks(client, {
    account,
    name: "A long history",
    count: hooks,
    url: nowhere,
  });
  await insertAll(url, { ...history, count, days, isOpen: false }, say);
  if (open > 0) {
    const backlog = { account, name: "A backlog", count: 1, url: openUrl };
    const made = await makeSeedHooks(client, backlog);
    await insertAll(url, { ...made, count: open, days: 1, isOpen: true }, say);
  }
  await analyzeTables(client);
  await client.query("checkpoint").catch(() => say("no checkpoint: the role may not start one"));
  await client.end();
}

/** Counts all of it into the statistics, which the product does a little every ten seconds. */
export async function countAll(url: string, say: (line: string) => void): Promise<void> {
  say("counting it for the statistics");
  const client = new Client({ connectionString: url });
  const applicationName = "catchment bench";
  const db = createSqlDatabase({ url, poolSize: 1, applicationName, statementTimeoutMs: 600_000 });
  const count = async () => {
    // Returns at once while the product itself is counting.
    await rollUpStatistics(db, { sinceMs: 0, budgetMs: 1_800_000, shouldStop: () => false });
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
