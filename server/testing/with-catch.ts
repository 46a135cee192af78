import { afterAll, beforeAll } from "vitest";
import type { CatchOptions } from "#lib/catch/start-catch.ts";
import { createDatabase, type Database } from "#lib/db/postgres/client.ts";
import { createTestDatabase, type TestDatabase } from "#lib/db/testing/test-database.ts";
import type { ListenerOptions } from "#server/http/http-listener.ts";
import { type CatchUnderTest, startTestCatch } from "./catch-harness.ts";

/** Available from the first test of the file to its last. */
export type CatchBench = {
  readonly database: TestDatabase;
  /** The test's own connections. */
  readonly db: Database;
  readonly caught: CatchUnderTest;
};

/** For a test file: a fresh database with the catch endpoint. */
export function withCatch(
  options: Partial<CatchOptions> & Partial<ListenerOptions> = {},
): CatchBench {
  let opened: CatchBench | undefined;
  const use = (): CatchBench => {
    if (opened === undefined) throw new Error("Nothing is open outside of a test");
    return opened;
  };
  beforeAll(async () => {
    const database = await createTestDatabase();
    const db = createDatabase({ url: database.url, poolSize: 6, applicationName: "test" });
    opened = { database, db, caught: await startTestCatch(database.url, options) };
  });
  afterAll(async () => {
    await opened?.caught.stop();
    await opened?.db.$disconnect();
    await opened?.database.drop();
  });
  return {
    get database() {
      return use().database;
    },
    get db() {
      return use().db;
    },
    get caught() {
      return use().caught;
    },
  };
}
