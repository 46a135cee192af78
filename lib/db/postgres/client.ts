import { type Prisma, PrismaClient } from "#lib/db/generated/client.ts";
import { createPrismaAdapter, type DatabaseOptions } from "./prisma-adapter.ts";

/** Postgres for code that also needs Prisma's models. `SqlDatabase` is enough for plain SQL. */
export type Database = PrismaClient;

/** The client that `db.$transaction` passes: its statements take effect together, or not at all. */
export type Transaction = Prisma.TransactionClient;

/** Opens a pool. Connects with the first statement. */
export function createDatabase(options: DatabaseOptions): Database {
  return new PrismaClient({ adapter: createPrismaAdapter(options) });
}
