import type { Database, Transaction } from "#lib/db/postgres/client.ts";

/**
 * Returns a database whose transactions join this one, so that what several services do takes effect
 * together or not at all. If one of them fails, the caller must let this transaction fail too.
 */
export function joinTransaction(tx: Transaction): Database {
  const join = (work: (joined: Transaction) => Promise<unknown>) => work(tx);
  return new Proxy(tx, {
    get: (target, name) => (name === "$transaction" ? join : Reflect.get(target, name)),
  }) as unknown as Database;
}
