import { afterAll, beforeAll } from "vitest";
import { type OpenDatabase, withDatabase } from "#lib/db/testing/with-database.ts";
import { type CatchUnderTest, startTestCatch, type TestCatchOptions } from "./catch-harness.ts";

/** Open from the first test of the file to its last. */
type CatchBench = OpenDatabase & { readonly caught: CatchUnderTest };

/** A fresh database with the catch endpoint, for a test file. */
export function withCatch(options: TestCatchOptions = {}): CatchBench {
  const database = withDatabase({ poolSize: 6 });
  let caught: CatchUnderTest | undefined;
  beforeAll(async () => {
    caught = await startTestCatch(database.url, options);
  });
  // Runs before the database goes: the last hook is the first.
  afterAll(() => caught?.stop());
  return {
    ...database,
    get caught() {
      if (caught === undefined) throw new Error("Nothing is open outside of a test");
      return caught;
    },
  };
}
