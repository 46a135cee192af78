import { rmSync } from "node:fs";
import { parseArgs } from "node:util";
import { makeAccount } from "#e2e/harness/make-account.ts";
import { killAtOnce, listTree } from "#e2e/harness/process-tree.ts";
import { makeScratchFolder } from "#e2e/harness/scratch-folder.ts";
import { makeAccess, type ServerUnderTest, startServer } from "#e2e/harness/server-under-test.ts";
import { measureDashboard } from "./attacks/dashboard.ts";
import { measurePayloads } from "./attacks/payloads.ts";
import { measureRejected } from "./attacks/rejected.ts";
import { createApi, type Stage, startReceiver } from "./attacks/stage.ts";
import { measureThreads } from "./attacks/threads.ts";
import { measureVisitors } from "./attacks/visitors.ts";
import { listVersions, type Version } from "./read-versions.ts";

/**
 * `npm run bench:attacks`: what one account can do to another, idle and during each attack. Each
 * subject has a server of its own. `--only payloads` measures one of them.
 */
const subjects: Readonly<Record<string, (stage: Stage) => Promise<void>>> = {
  payloads: measurePayloads,
  dashboard: measureDashboard,
  rejected: measureRejected,
  threads: measureThreads,
  visitors: measureVisitors,
};

/** Attackers name their address, as behind a reverse proxy: loopback stands for many clients. */
const proxied = { env: { CATCHMENT_TRUSTED_PROXIES: "127.0.0.0/8" } };

const { values } = parseArgs({
  options: { against: { type: "string" }, only: { type: "string" } },
});
const chosen = Object.keys(subjects).filter((name) => (values.only ?? name) === name);
if (chosen.length === 0) throw new Error(`--only must be one of ${Object.keys(subjects)}`);

for (const name of chosen)
  for (const version of listVersions(values.against)) await measureVersion(name, version);
process.exit(0);

async function measureVersion(subject: string, { name, checkout }: Version): Promise<void> {
  const folder = makeScratchFolder("attacks");
  const receiver = await startReceiver();
  let server: ServerUnderTest | undefined;
  try {
    server = await startServer({ folder, checkout, ...proxied }, makeAccess());
    const { apiToken } = await makeAccount(server.databaseUrl(), "victim", "Victim");
    process.stdout.write(`\n${subject}: ${name}\n`);
    await subjects[subject]?.({
      server,
      receiver,
      attacker: createApi(server.origin, server.apiToken),
      victim: createApi(server.origin, apiToken),
    });
  } finally {
    receiver.close();
    if (server !== undefined) killAtOnce(await listTree(server.pid));
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
