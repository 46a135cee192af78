import { afterAll, beforeAll } from "vitest";
import { createDatabase, type Database } from "#lib/db/postgres/client.ts";
import { nameTestDatabase } from "./test-database.ts";

/** A database that is there from the first test of the file to its last. */
export type OpenDatabase = {
  readonly url: string;
  /** The test's own connections. */
  readonly db: Database;
};

/** Gives a test file a fresh database, and connections to it. The first statement connects. */
export function withDatabase({ poolSize = 4 }: { poolSize?: number } = {}): OpenDatabase {
  const { url, create, drop } = nameTestDatabase();
  // The limits of the product are too short for a machine that is busy with other tests.
  const limits = { connectTimeoutMs: 60_000, statementTimeoutMs: 120_000 };
  const db = createDatabase({ url, poolSize, applicationName: "test", ...limits });
  beforeAll(create);
  afterAll(async () => {
    await db.$disconnect();
    await drop();
  });
  return { url, db };
}
