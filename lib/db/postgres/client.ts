import { type Prisma, PrismaClient } from "#lib/db/generated/client.ts";
import { endBackgroundWork } from "./background-work.ts";
import {
  createPrismaAdapter,
  type DatabaseOptions,
  defaultConnectTimeoutMs,
} from "./prisma-adapter.ts";

/** Postgres for code that also needs Prisma's models. `SqlDatabase` is enough for plain SQL. */
export type Database = PrismaClient;

/**
 * The client that `db.$transaction` passes: its statements take effect together, or not at all. A
 * `Database` isn't one.
 */
export type Transaction = Prisma.TransactionClient & { readonly $connect?: never };

/** Opens a pool. Connects with the first statement. */
export function createDatabase(options: DatabaseOptions): Database {
  const connectTimeoutMs = options.connectTimeoutMs ?? defaultConnectTimeoutMs;
  return new DatabaseClient({
    adapter: createPrismaAdapter(options),
    // Prisma ends a transaction that gets no connection within 2 s or takes longer than 5 s. On a
    // busy machine both are ordinary. What waits too long is told so by the pool, what hangs by the
    // limits of its statements.
    transactionOptions: { maxWait: connectTimeoutMs + 2_000, timeout: 20_000 },
  });
}

class DatabaseClient extends PrismaClient {
  override async $disconnect(): Promise<void> {
    await endBackgroundWork(this);
    await super.$disconnect();
  }
}
