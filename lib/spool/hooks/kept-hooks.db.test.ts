import {
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { findCatchHooks } from "#lib/db/hooks/catch-hook.ts";
import { addHook } from "#lib/db/testing/test-hook.ts";
import { testSealer } from "#lib/db/testing/test-sealer.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { openSealer } from "#lib/open-sealer.ts";
import { KeptHooks } from "./kept-hooks.ts";

const { db } = withDatabase();

/** A hook that a process has kept, and its file. */
async function keep() {
  const folder = mkdtempSync(join(tmpdir(), "kept-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const open = (sealer = testSealer) => KeptHooks.open({ folder, sealer, now: Date.now });
  const hook = await addHook(db);
  const [, , accountSlug = "", hookKey = ""] = hook.path.split("/");
  const url = { accountSlug, hookKey };
  const rows = await findCatchHooks(db, [url]);
  const kept = await open();
  kept.record([url], rows);
  await kept.close();
  return { open, kept, url, rows, file: join(folder, readdirSync(folder)[0] ?? "") };
}

test("a hook whose file can't be read for a moment stays, and isn't used before the database has told it", async () => {
  const { open, url, rows, file } = await keep();
  const bytes = readFileSync(file);
  rmSync(file);
  symlinkSync(file, file);
  const later = await open();
  expect(await later.list()).toEqual([]);
  expect(lstatSync(file).isSymbolicLink()).toBe(true);
  rmSync(file);
  writeFileSync(file, bytes);
  // It may have changed while it couldn't be asked for.
  expect(await later.find(url)).toBeNull();
  later.record([url], rows);
  expect(await later.find(url)).toMatchObject({ id: rows[0]?.id });
});

test("a hook whose file is damaged is asked for, and written again", async () => {
  const { kept, url, rows, file } = await keep();
  writeFileSync(file, "damaged");
  expect(await kept.list()).toEqual([url]);
  kept.record([url], rows);
  expect(await kept.find(url)).toMatchObject({ id: rows[0]?.id });
});

test("a process with another key leaves the file for those that have its key", async () => {
  const { open, kept, url, rows } = await keep();
  const other = await open(openSealer("another secret key that is long enough"));
  expect(await other.list()).toEqual([]);
  expect(await kept.find(url)).toMatchObject({ id: rows[0]?.id });
});
