import type { SqlDriverAdapter, SqlQueryable } from "@prisma/driver-adapter-utils";
import type { Prisma } from "#lib/db/generated/client.ts";
import { endBackgroundWork } from "./background-work.ts";
import { createPrismaAdapter, type DatabaseOptions } from "./prisma-adapter.ts";
import { readRows } from "./read-rows.ts";
import { toSqlQuery } from "./sql-query.ts";

/**
 * The SQL half of Prisma's client, which is enough if `lib/db` needs no models. A `Database` is one
 * too.
 */
export type SqlStatements = {
  $queryRaw<Rows = unknown>(
    query: TemplateStringsArray | Prisma.Sql,
    ...values: unknown[]
  ): Promise<Rows>;
  /** @returns the number of rows changed */
  $executeRaw(query: TemplateStringsArray | Prisma.Sql, ...values: unknown[]): Promise<number>;
};

export type SqlDatabase = SqlStatements & {
  /** Runs one transaction. It is rolled back if `run` throws. */
  $transaction<Result>(run: (tx: SqlStatements) => Promise<Result>): Promise<Result>;
  $disconnect(): Promise<void>;
};

/**
 * Opens a pool for plain SQL, for the processes on a delivery's path. Statements go straight to
 * Prisma's adapter: its client would load a WebAssembly compiler for model queries (50 MB in each
 * process) and pass every parameter through JSON (a tenth of the CPU time of a caught delivery).
 * See docs/decisions/database/022.
 *
 * Values are read as in Prisma's `$queryRaw`: bigint as `BigInt`, timestamps as `Date`, JSON
 * parsed. A failed statement throws Prisma's `DriverAdapterError`. `sqlStateOf` reads its SQLSTATE.
 */
export function createSqlDatabase(options: DatabaseOptions): SqlDatabase {
  const factory = createPrismaAdapter(options);
  let opening: Promise<SqlDriverAdapter> | undefined;
  // Creates the pool but opens no connection.
  const open = () => (opening ??= factory.connect());
  const db: SqlDatabase = {
    ...toStatements(open),
    $transaction: async (run) => runTransaction(await open(), run),
    $disconnect: async () => {
      await endBackgroundWork(db);
      const adapter = await opening;
      opening = undefined;
      await adapter?.dispose();
    },
  };
  return db;
}

function toStatements(open: () => SqlQueryable | Promise<SqlQueryable>): SqlStatements {
  return {
    async $queryRaw<Rows>(query: TemplateStringsArray | Prisma.Sql, ...values: unknown[]) {
      const queryable = await open();
      return readRows(await queryable.queryRaw(toSqlQuery(query, values))) as Rows;
    },
    async $executeRaw(query, ...values) {
      const queryable = await open();
      return await queryable.executeRaw(toSqlQuery(query, values));
    },
  };
}

async function runTransaction<Result>(
  adapter: SqlDriverAdapter,
  run: (tx: SqlStatements) => Promise<Result>,
): Promise<Result> {
  const tx = await adapter.startTransaction();
  const end = (sql: string) => tx.executeRaw({ sql, args: [], argTypes: [] });
  try {
    const result = await run(toStatements(() => tx));
    await end("COMMIT");
    await tx.commit();
    return result;
  } catch (error) {
    // A closed connection has rolled back by itself, and the pool discards it. If the server only
    // hangs, its own limit on idle transactions ends the rest.
    await end("ROLLBACK").catch(() => {});
    await tx.rollback();
    throw error;
  }
}
