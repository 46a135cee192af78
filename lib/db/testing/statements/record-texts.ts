import type { SqlDatabase, SqlStatements } from "#lib/db/postgres/sql-database.ts";
import { toSqlQuery } from "#lib/db/postgres/sql-query.ts";

/** A database that keeps the text of every statement it is given. */
export function recordTexts(db: SqlDatabase): {
  readonly db: SqlDatabase;
  readonly texts: string[];
} {
  const texts: string[] = [];
  const record = (statements: SqlStatements): SqlStatements => ({
    async $queryRaw(query, ...values) {
      texts.push(toSqlQuery(query, values).sql);
      return await statements.$queryRaw(query, ...values);
    },
    async $executeRaw(query, ...values) {
      texts.push(toSqlQuery(query, values).sql);
      return await statements.$executeRaw(query, ...values);
    },
  });
  return {
    texts,
    db: {
      ...record(db),
      $transaction: (run) => db.$transaction((tx) => run(record(tx))),
      $disconnect: () => db.$disconnect(),
    },
  };
}
