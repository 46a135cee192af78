import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Finding } from "#lib/base/command-line/finding.ts";
import { deriveSealKey } from "#lib/core/people/seal/derive-key.ts";
import { createTestDatabase, type TestDatabase } from "#lib/db/testing/test-database.ts";
import { withConnection } from "#server/database/database-connection.ts";
import { projectRoot } from "#server/system/paths.ts";
import { runInProcess } from "../testing/run-in-process.ts";

const secretKey = "a secret for tests that is long enough";
const passphrase = "correct horse battery";
/** Root's commands continue as a user of the system, who has to get in. */
const folder = mkdtempSync(join(tmpdir(), "catchment-cli-backup-"));
chmodSync(folder, 0o755);
const file = join(folder, "backup.tar");
const passphraseFile = join(folder, "passphrase");
let database: TestDatabase;

beforeAll(async () => {
  writeFileSync(passphraseFile, `${passphrase}\n`);
  database = await createTestDatabase();
  await withConnection(database.url, async (client) => {
    await client.query("insert into seal_check (key_id) values ($1)", [
      deriveSealKey(secretKey).id,
    ]);
    await client.query(
      "insert into accounts (id, slug, name) values (gen_random_uuid(), 'main', 'Main')",
    );
  });
});
afterAll(async () => {
  await database?.drop();
  rmSync(folder, { recursive: true });
});

function run(env: Record<string, string>, ...args: string[]) {
  const { DATABASE_URL: _url, CATCHMENT_SECRET_KEY: _key, ...rest } = process.env;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["server/cli/catchment-server.ts", ...args],
    { cwd: projectRoot, encoding: "utf8", env: { ...rest, ...env } },
  );
  return { status, stdout, stderr };
}

async function listEvents(): Promise<string[]> {
  return await withConnection(database.url, async (client) => {
    const { rows } = await client.query<{ event: string }>("select event from audit_entries");
    return rows.map(({ event }) => event);
  });
}

test("a backup of a database moves into a data folder, with its key", {
  tags: "variant",
}, async () => {
  const outside = { DATABASE_URL: database.url, CATCHMENT_SECRET_KEY: secretKey };
  const key = ["--key-passphrase-file", passphraseFile];
  const written = run(outside, "backup", file, ...key);
  expect([written.status, written.stderr]).toEqual([0, ""]);
  expect(written.stdout).toMatch(
    /^Wrote .*: [\d,]+ rows of \d+ tables, .* The secret key is in it/,
  );
  const [amount] = /[\d,]+ rows of \d+ tables/.exec(written.stdout) ?? [];
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(await listEvents()).toEqual(["installation.backed_up"]);

  const checked = await runInProcess({}, "restore", file, "--check");
  expect([checked.status, checked.stdout]).toEqual([
    0,
    expect.stringContaining(`is whole: ${amount}, as of`),
  ]);
  const { stdout } = await runInProcess({}, "restore", file, "--check", "--json");
  const { tables } = JSON.parse(stdout);
  expect(tables).toContainEqual(expect.objectContaining({ name: "accounts", rows: 1 }));
  expect(tables).toContainEqual(expect.objectContaining({ name: "seal_check", rows: 1 }));

  const inside = { CATCHMENT_DATA_DIR: join(folder, "data") };
  const missing = run(inside, "restore", file);
  expect([missing.status, missing.stderr]).toEqual([
    1,
    expect.stringContaining("can't be read without the secret key"),
  ]);
  const restored = run(inside, "restore", file, ...key);
  expect([restored.status, restored.stderr]).toEqual([0, ""]);
  expect(restored.stdout).toContain("Start Catchment with npm start.");
  expect(readFileSync(join(folder, "data", "secret-key"), "utf8")).toBe(`${secretKey}\n`);

  const examined = run(inside, "doctor", "--json");
  const { findings } = JSON.parse(examined.stdout) as { findings: Finding[] };
  const levels = Object.fromEntries(findings.map(({ check, level }) => [check, level]));
  expect(levels).toMatchObject({ Database: "ok", Schema: "ok", "Secret key": "ok" });

  const verified = run(inside, "audit", "verify");
  expect([verified.status, verified.stdout]).toEqual([
    0,
    expect.stringContaining("main: 1 entry, as they were written."),
  ]);
  const again = run(inside, "restore", file, ...key);
  expect([again.status, again.stderr]).toEqual([1, expect.stringMatching(/isn't empty/)]);
});

test.each([
  [["restore", "/nowhere/backup.tar"], "can't be read (ENOENT)"],
  [["restore", "package.json", "--check"], "isn't a whole backup"],
  [["backup", "/nowhere/backup.tar"], "can't be written (ENOENT)"],
  [["backup", "x.tar", "--key-passphrase-file", "/dev/null"], "is too short"],
])("%j is one sentence", async (args, sentence) => {
  const env = { DATABASE_URL: database.url, CATCHMENT_SECRET_KEY: secretKey };
  const { status, stderr } = await runInProcess(env, ...args);
  expect([status, stderr]).toEqual([1, expect.stringContaining(sentence)]);
  expect(stderr).not.toContain("    at ");
});

test("a key that didn't seal the backup is rejected before anything is written", {
  tags: "variant",
}, () => {
  const env = {
    CATCHMENT_DATA_DIR: join(folder, "other"),
    CATCHMENT_SECRET_KEY: "another secret that is long enough too",
  };
  const { status, stderr } = run(env, "restore", file);
  expect([status, stderr]).toEqual([1, expect.stringContaining("sealed with another key")]);
});
