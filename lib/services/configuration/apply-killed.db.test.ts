import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test, vi } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { exportConfiguration } from "./export-configuration.ts";

const { db, url } = withDatabase();
const applicationName = "killed-apply";

/** Applies a file in a process of its own. */
const source = `
  import { createDatabase } from "#lib/db/postgres/client.ts";
  import { applyConfiguration, planConfiguration } from "#lib/services/configuration/plan-configuration.ts";
  import { testContext } from "#lib/services/testing/test-context.ts";
  const [url, accountId, text] = process.argv.slice(1);
  const script = "lib/services/threads/web-thread.ts";
  globalThis.catchmentThreadScript = new URL(script, "file://" + process.cwd() + "/");
  const db = createDatabase({ url, poolSize: 2, applicationName: "${applicationName}" });
  const context = testContext(db, accountId);
  const input = { files: [{ path: "a.yaml", text }], prune: true, maxPrunePercent: 100 };
  const { planId } = await planConfiguration(context, input);
  process.stdout.write("planned");
  await applyConfiguration(context, { ...input, planId });
  process.exit(0);
`;

const fileOf = (names: readonly string[], rate: number) =>
  [
    "format: catchment.configuration/1",
    "managedBy: shop",
    "hooks:",
    ...names.flatMap((name) => [`  - name: ${name}`, `    ratePerSecond: ${rate}`]),
    "",
  ].join("\n");

/** @returns the bytes that were written to the log until the end */
async function applyFile(accountId: string, text: string, killAfterBytes: number): Promise<number> {
  const args = ["--input-type=module", "--eval", source, "--", url, accountId, text];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const exited = once(child, "exit");
  await once(child.stdout, "data");
  const start = await readLog();
  while (child.exitCode === null && child.signalCode === null) {
    if ((await readLog()) - start >= killAfterBytes) {
      child.kill("SIGKILL");
      break;
    }
  }
  await exited;
  await vi.waitFor(async () => expect(await countConnections()).toBe(0), { timeout: 60_000 });
  return (await readLog()) - start;
}

async function readLog(): Promise<number> {
  const [row] = await db.$queryRaw<{ bytes: bigint }[]>`
    select (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::int8 as bytes`;
  return Number(row?.bytes);
}

async function countConnections(): Promise<number> {
  const rows = await db.$queryRaw<unknown[]>`
    select from pg_stat_activity where application_name = ${applicationName}`;
  return rows.length;
}

async function readState(accountId: string): Promise<string> {
  const { configuration } = await exportConfiguration(testContext(db, accountId), null);
  const marks = await db.configurationMark.count({ where: { accountId } });
  const applies = await db.auditEntry.count({
    where: { accountId, event: "configuration.imported" },
  });
  return JSON.stringify([configuration, marks, applies]);
}

const kills = { tags: "variant" };

test("an apply that is killed has done all of it or nothing", kills, async () => {
  const accountId = newId();
  await db.account.create({ data: { id: accountId, slug: "acme", name: "Acme" } });
  const names = Array.from({ length: 40 }, (_, index) => `Hook ${index}`);
  await applyFile(accountId, fileOf(names, 1), Infinity);
  const bytes = await applyFile(accountId, fileOf(names, 2), Infinity);
  const done = { nothing: 0, all: 0 };
  for (const [round, share] of [0.1, 0.5, 1, 1.5, 2, 3, Infinity].entries()) {
    const before = JSON.parse(await readState(accountId));
    const renamed = names.map((name, index) => (index < 20 ? name : `${name} of ${round}`));
    await applyFile(accountId, fileOf(renamed, 10 + round), bytes * share);
    const after = JSON.parse(await readState(accountId));
    if (after[2] === before[2]) {
      expect(after).toEqual(before);
      done.nothing += 1;
    } else {
      const [{ hooks }, marks, applies] = after;
      expect(hooks.map(({ name }: { name: string }) => name).toSorted()).toEqual(
        renamed.toSorted(),
      );
      const rates = new Set(
        hooks.map(({ ratePerSecond }: { ratePerSecond: number }) => ratePerSecond),
      );
      expect([[...rates], marks, applies]).toEqual([[10 + round], 40, before[2] + 1]);
      done.all += 1;
    }
  }
  process.stdout.write(`killed applies: ${done.nothing} did nothing, ${done.all} did all\n`);
  expect([done.nothing > 0, done.all > 0]).toEqual([true, true]);
});
