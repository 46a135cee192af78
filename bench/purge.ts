import { rmSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { Client } from "pg";
import { makeScratchFolder } from "#e2e/harness/scratch-folder.ts";
import { startServer } from "#e2e/harness/server-under-test.ts";
import { setUpHook } from "#e2e/harness/set-up-hook.ts";
import { startSink } from "#e2e/harness/start-sink.ts";
import { measureCatch } from "./rounds/rounds.ts";
import { fill } from "./seed/fill.ts";
import { countOfHook, findHook } from "./seed/tables.ts";
import { fillFolder, folderAccess, withClient } from "./stage/filled-folder.ts";
import type { Measured } from "./stage/stage.ts";

/**
 * `npm run bench:purge [-- --count 1000000 --folder <folder>]`: how long it takes until nothing is
 * left of a deleted hook with a long history, and what that does to 500 deliveries a second.
 */
const { values } = parseArgs({
  options: {
    count: { type: "string", default: "1000000" },
    /** The folder that `bench:pages` or `--seeded` filled, with other hooks. */
    folder: { type: "string" },
  },
});
const seconds = 5;
const name = "A deleted hook";
const folder = values.folder ?? makeScratchFolder("purge");
const sink = await startSink();
try {
  const openUrl = sink.url;
  await fillFolder({ folder, count: 20_000, hooks: 50, open: 0, openUrl, say });
  const server = await startServer({ folder }, folderAccess);
  try {
    await withClient(server, async (client) => {
      const url = server.databaseUrl();
      const count = Number(values.count);
      const own = { url, name, account: "main", count, days: 25, hooks: 1 };
      await fill({ ...own, open: 0, openUrl, isOwn: false, say });
      const hook = await setUpHook({ ...server, sinkUrl: sink.url, name: "beside the purge" });
      const shape = { actions: 1, bodyBytes: 450 };
      const port = Number(new URL(server.origin).port);
      const actionIds = [hook.actionId];
      await measure({ server, port, hook, actionIds, shape, folder }, client);
    });
  } finally {
    await server.stop();
  }
} finally {
  sink.stop();
  if (values.folder === undefined) rmSync(folder, { recursive: true, force: true });
}

async function measure(measured: Measured, client: Client): Promise<void> {
  const { origin, apiToken } = measured.server;
  await measureCatch(measured, 2, 500);
  const sayP99 = async (when: string) => {
    const { latency } = await measureCatch(measured, seconds, 500);
    say(`${when}: p50 ${latency.p50.toFixed(1)} ms, p99 ${latency.p99.toFixed(1)} ms`);
  };
  for (let round = 0; round < 3; round += 1) await sayP99("before");
  const hookId = await findHook(client, `${name} 1`);
  const response = await fetch(new URL(`/api/v1/hooks/${hookId}`, origin), {
    method: "DELETE",
    headers: { authorization: `Bearer ${apiToken}` },
  });
  if (!response.ok) throw new Error(`DELETE: ${response.status} ${await response.text()}`);
  const startedAt = performance.now();
  const passed = () => `${((performance.now() - startedAt) / 1000).toFixed(0)} s`;
  for (let left = 1; left > 0; ) {
    await sayP99(`after ${passed()}`);
    // Counting costs more than the load, so it comes between two of them.
    left = await countOfHook(client, hookId);
    say(`  ${left} rows left after ${passed()}`);
    await delay(1_000);
  }
  for (let round = 0; round < 3; round += 1) await sayP99("purged");
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
