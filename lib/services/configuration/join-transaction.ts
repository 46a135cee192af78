import type { Database, Transaction } from "#lib/db/postgres/client.ts";

/**
 * A database for services whose transactions are parts of this one: they take effect together, or
 * not at all. One that fails must make the whole transaction fail.
 */
export function joinTransaction(tx: Transaction): Database {
  const join = (work: (joined: Transaction) => Promise<unknown>) => work(tx);
  return new Proxy(tx, {
    get: (target, name) => (name === "$transaction" ? join : Reflect.get(target, name)),
  }) as unknown as Database;
}
