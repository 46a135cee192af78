import { afterAll, beforeAll } from "vitest";
import { createDatabase, type Database } from "#lib/db/postgres/client.ts";
import { createTestDatabase, type TestDatabase } from "./test-database.ts";

/** A database that is open from the first test of the file to its last. */
export type OpenDatabase = {
  readonly url: string;
  /** The test's own connections. */
  readonly db: Database;
};

/** Gives a test file a fresh database, and connections to it. */
export function withDatabase({ poolSize = 4 }: { poolSize?: number } = {}): OpenDatabase {
  let opened: { readonly database: TestDatabase; readonly db: Database } | undefined;
  const use = () => {
    if (opened === undefined) throw new Error("Nothing is open outside of a test");
    return opened;
  };
  beforeAll(async () => {
    const database = await createTestDatabase();
    const db = createDatabase({
      ...{ url: database.url, poolSize, applicationName: "test" },
      // The two seconds of the product are too short for a machine that is busy with other tests.
      connectTimeoutMs: 60_000,
    });
    opened = { database, db };
  });
  afterAll(async () => {
    await opened?.db.$disconnect();
    await opened?.database.drop();
  });
  return {
    get url() {
      return use().database.url;
    },
    get db() {
      return use().db;
    },
  };
}
