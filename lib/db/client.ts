import { PrismaClient } from "./generated/client.ts";
import { createPrismaAdapter, type DatabaseOptions } from "./prisma-adapter.ts";

/** The handle to Postgres of everything that also asks Prisma's models. `SqlDatabase` is enough where all is SQL. */
export type Database = PrismaClient;

/** Opens a pool. No connection is made before the first statement. */
export function createDatabase(options: DatabaseOptions): Database {
  return new PrismaClient({ adapter: createPrismaAdapter(options) });
}
