import { parseCidrList } from "#lib/core/sending/address/allow-list.ts";
import { queueSettings } from "#lib/db/postgres/plan-settings.ts";
import { createSqlDatabase, type SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { createBrokers } from "#lib/net/brokers/create-brokers.ts";
import { createHttpClient } from "#lib/net/http-client.ts";
import { openSealer } from "#lib/open-sealer.ts";
import { RunWorker } from "../worker.ts";
import type { WorkerLimits } from "../worker-limits.ts";

export const testSealer = openSealer("a secret for tests that is long enough");

type TestWorker = {
  readonly worker: RunWorker;
  [Symbol.asyncDispose](): Promise<void>;
};

export type TestWorkerOptions = {
  readonly url: string;
  readonly limits?: Partial<WorkerLimits>;
  readonly ownOrigins?: readonly string[];
  readonly handOffSocket?: string;
  readonly startJournal?: string;
  /** Wraps the worker's database, to simulate one that fails or responds late. */
  readonly wrapDatabase?: (db: SqlDatabase) => SqlDatabase;
};

/** A worker in this process that may call this machine. */
export function startTestWorker(options: TestWorkerOptions): TestWorker {
  const { url, limits = {}, ownOrigins = [], wrapDatabase = (db) => db } = options;
  const allow = parseCidrList("127.0.0.0/8");
  if (!allow.ok) throw new Error(allow.message);
  const db = createSqlDatabase({
    url: url,
    settings: queueSettings,
    poolSize: 6,
    applicationName: "test worker",
  });
  const client = createHttpClient({ allow: allow.cidrs, ownOrigins });
  // This is the default: receivers of the portal can't be in a private network.
  const portalClient = createHttpClient({ allow: [], ownOrigins });
  const brokers = createBrokers({ allow: allow.cidrs });
  const worker = new RunWorker({
    db: wrapDatabase(db),
    databaseUrl: url,
    client,
    brokers,
    portalClient,
    sealer: testSealer,
    version: "0.0.0",
    limits,
    handOffSocket: options.handOffSocket,
    startJournal: options.startJournal,
  });
  return {
    worker,
    async [Symbol.asyncDispose]() {
      await worker.stop({ graceMs: 0 });
      await Promise.all([client.close(), portalClient.close(), brokers.close()]);
      await db.$disconnect();
    },
  };
}
