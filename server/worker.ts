import { openSealer } from "#lib/db/open-sealer.ts";
import { queueSettings } from "#lib/db/queue/queue-settings.ts";
import { createSqlDatabase } from "#lib/db/sql-database.ts";
import { readEnv } from "#lib/env.ts";
import { createHttpClient } from "#lib/net/http-client.ts";
import { Maintenance } from "#lib/work/maintenance.ts";
import { RunWorker } from "#lib/work/worker.ts";
import packageJson from "../package.json" with { type: "json" };
import { type RunningRole, runRole } from "./run-role.ts";

/** Claims, finishes, renewals and look-ups each take one now and then; the rest is spare. */
const poolSize = 6;
const graceMs = 30_000;

/** The worker role: claims due runs and makes their calls. Any number of them share one database. */
await runRole("worker", startWorker);

async function startWorker(): Promise<RunningRole> {
  const env = readEnv();
  const { databaseUrl, secretKey } = env;
  if (databaseUrl === undefined || secretKey === undefined) {
    throw new Error("A worker needs DATABASE_URL and CATCHMENT_SECRET_KEY; `npm start` sets them.");
  }
  const db = createSqlDatabase({
    url: databaseUrl,
    settings: queueSettings,
    poolSize,
    applicationName: "catchment worker",
  });
  const client = createHttpClient({
    allow: env.egressAllow,
    ownOrigins: [env.publicUrl],
    ownPorts: [env.port],
  });
  const sealer = openSealer(secretKey);
  const worker = new RunWorker({ db, databaseUrl, client, sealer, version: packageJson.version });
  const maintenance = new Maintenance({ db, retentionDays: env.retentionDays });
  return {
    async stop() {
      await Promise.all([worker.stop({ graceMs }), maintenance.stop()]);
      await client.close();
      await db.$disconnect();
    },
  };
}
