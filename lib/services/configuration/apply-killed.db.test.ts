import { spawn } from "node:child_process";
import { once } from "node:events";
import { text as readText } from "node:stream/consumers";
import { expect, test, vi } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { exportConfiguration } from "./export-configuration.ts";

const { db, url } = withDatabase();
const applicationName = "killed-apply";

/** Applies a file in a process that kills itself once it has written so often to PostgreSQL. */
const source = `
  import { Socket } from "node:net";
  import { createDatabase } from "#lib/db/postgres/client.ts";
  import { applyConfiguration, planConfiguration } from "#lib/services/configuration/plan-configuration.ts";
  import { testContext } from "#lib/services/testing/test-context.ts";
  const [url, accountId, text, lastWrite] = process.argv.slice(1);
  const script = "lib/services/threads/web-thread.ts";
  globalThis.catchmentThreadScript = new URL(script, "file://" + process.cwd() + "/");
  const db = createDatabase({ url, poolSize: 2, applicationName: "${applicationName}" });
  const context = testContext(db, accountId);
  const input = { files: [{ path: "a.yaml", text }], prune: true, maxPrunePercent: 100 };
  const { planId } = await planConfiguration(context, input);
  const { write } = Socket.prototype;
  let writes = 0;
  Socket.prototype.write = function (...args) {
    writes += 1;
    if (writes === Number(lastWrite)) setImmediate(() => process.kill(process.pid, "SIGKILL"));
    return write.apply(this, args);
  };
  await applyConfiguration(context, { ...input, planId });
  Socket.prototype.write = write;
  process.stdout.write(String(writes), () => process.exit(0));
`;

const fileOf = (names: readonly string[], rate: number) =>
  [
    "format: catchment.configuration/1",
    "managedBy: shop",
    "hooks:",
    ...names.flatMap((name) => [`  - name: ${name}`, `    ratePerSecond: ${rate}`]),
    "",
  ].join("\n");

/** @returns the number of writes to PostgreSQL, or null when it was killed at `lastWrite` */
async function applyFile(accountId: string, text: string, lastWrite = 0): Promise<number | null> {
  const args = ["--input-type=module", "--eval", source, "--", url, accountId, text];
  const stdio = ["ignore", "pipe", "inherit"] as const;
  const child = spawn(process.execPath, [...args, String(lastWrite)], { stdio: [...stdio] });
  const closed = once(child, "close");
  const output = await readText(child.stdout);
  await closed;
  await vi.waitFor(async () => expect(await countConnections()).toBe(0), { timeout: 60_000 });
  expect(child.signalCode ?? child.exitCode).toBe(lastWrite > 0 ? "SIGKILL" : 0);
  return lastWrite > 0 ? null : Number(output);
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
  const renameFor = (round: number) =>
    names.map((name, index) => (index < 20 ? name : `${name} of ${round}`));
  await applyFile(accountId, fileOf(names, 1));
  const writes = await applyFile(accountId, fileOf(renameFor(-1), 2));
  if (writes === null) throw new Error("The whole apply was killed.");
  const done = { nothing: 0, all: 0 };
  for (const [round, share] of [0.01, 0.25, 0.5, 0.75, 0.95, 1].entries()) {
    const before = JSON.parse(await readState(accountId));
    const renamed = renameFor(round);
    await applyFile(accountId, fileOf(renamed, 10 + round), Math.ceil(writes * share));
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
  process.stdout.write(`of ${writes} writes: ${JSON.stringify(done)}\n`);
  expect([done.nothing > 0, done.all > 0]).toEqual([true, true]);
});
