import type { SqlDriverAdapter, SqlQueryable } from "@prisma/driver-adapter-utils";
import type { Prisma } from "./generated/client.ts";
import { createPrismaAdapter, type DatabaseOptions } from "./prisma-adapter.ts";
import { readRows } from "./read-rows.ts";
import { toSqlQuery } from "./sql-query.ts";

/** The SQL half of Prisma's client: what `lib/db` needs wherever it asks no model. A `Database` is one too. */
export type SqlStatements = {
  $queryRaw<Rows = unknown>(query: TemplateStringsArray | Prisma.Sql, ...values: unknown[]): Promise<Rows>;
  /** @returns the number of rows that it changed */
  $executeRaw(query: TemplateStringsArray | Prisma.Sql, ...values: unknown[]): Promise<number>;
};

export type SqlDatabase = SqlStatements & {
  /** One transaction; it is rolled back when `run` throws. */
  $transaction<Result>(run: (tx: SqlStatements) => Promise<Result>): Promise<Result>;
  $disconnect(): Promise<void>;
};

/**
 * Opens a pool for SQL alone, for the processes on a delivery's way. The statements go straight to Prisma's adapter: the client
 * in front of it would load a WebAssembly compiler for model queries (50 MB in each process) and take every parameter through
 * JSON (a tenth of the processor time of a caught delivery). See docs/decisions/022.
 *
 * Values are read as Prisma's client reads those of `$queryRaw`: bigint as `BigInt`, timestamps as `Date`, JSON parsed. A failed
 * statement throws Prisma's `DriverAdapterError`; `sqlStateOf` reads its SQLSTATE.
 */
export function createSqlDatabase(options: DatabaseOptions): SqlDatabase {
  const factory = createPrismaAdapter(options);
  let opening: Promise<SqlDriverAdapter> | undefined;
  // It makes the pool and no connection yet.
  const open = () => (opening ??= factory.connect());
  return {
    ...toStatements(open),
    $transaction: async (run) => runTransaction(await open(), run),
    $disconnect: async () => {
      const adapter = await opening;
      opening = undefined;
      await adapter?.dispose();
    },
  };
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
    // A connection that is gone has rolled back by itself, and the pool throws it away. Where the server only hangs, its own limit
    // on idle transactions ends what is left of it.
    await end("ROLLBACK").catch(() => {});
    await tx.rollback();
    throw error;
  }
}
