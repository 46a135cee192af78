import type { RequestListener, Server } from "node:http";
import { join } from "node:path";
import { toProxyRoute } from "#lib/core/env/egress-proxy.ts";
import { type Env, listOwnPorts } from "#lib/core/env/parse-env.ts";
import type { StorageCheck } from "#lib/db/postgres/check-storage.ts";
import { Health } from "#lib/db/postgres/health.ts";
import { customPlans, queueSettings } from "#lib/db/postgres/plan-settings.ts";
import { createSqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { readEnv } from "#lib/env.ts";
import { startJobs } from "#lib/jobs/kinds/start-jobs.ts";
import { createBrokers } from "#lib/net/brokers/create-brokers.ts";
import { createHttpClient } from "#lib/net/http-client.ts";
import { openSealer } from "#lib/open-sealer.ts";
import { RunWorker } from "#lib/worker/worker.ts";
import { createHealthHandler } from "#server/http/health-handler.ts";
import { createListener } from "#server/http/http-listener.ts";
import { createMetricsHandler } from "#server/http/metrics-handler.ts";
import { respondOnlyWorker } from "#server/http/web-responses.ts";
import { openMeter } from "#server/metrics/open-meter.ts";
import { openTraces } from "#server/metrics/open-traces.ts";
import { type RoleProcess, type RunningRole, runRole } from "#server/supervise/run-role.ts";
import packageJson from "../../package.json" with { type: "json" };

/** Claims, finishes, renewals, and lookups each use one now and then. The rest is spare. */
const poolSize = 6;
const maintenancePoolSize = 3;
const graceMs = 30_000;
const maxHealthConnections = 64;

/**
 * The worker role: claims due runs and makes their calls. Any number of workers share one database.
 */
await runRole("worker", startWorker);

async function startWorker({ readMetrics }: RoleProcess): Promise<RunningRole> {
  const env = readEnv();
  const { databaseUrl, secretKey } = env;
  if (databaseUrl === undefined || secretKey === undefined) {
    throw new Error("A worker needs DATABASE_URL and CATCHMENT_SECRET_KEY; `npm start` sets them.");
  }
  const meter = await openMeter("worker", env.monitoring);
  const traces = await openTraces("worker", env.traces);
  const db = createSqlDatabase({
    url: databaseUrl,
    settings: queueSettings,
    poolSize,
    applicationName: "catchment worker",
  });
  const maintained = createSqlDatabase({
    url: databaseUrl,
    settings: { ...queueSettings, ...customPlans },
    poolSize: maintenancePoolSize,
    applicationName: "catchment maintenance",
  });
  const own = {
    ownOrigins: [env.publicUrl],
    ownPorts: listOwnPorts(env),
    proxy: toProxyRoute(env),
  };
  const client = createHttpClient({ allow: env.egressAllow, ...own });
  // Asks our own catch URLs whether they respond, and nothing else.
  const ownClient = createHttpClient({ allow: env.egressAllow, proxy: own.proxy });
  const portalClient = createHttpClient({ allow: env.portalEgressAllow, ...own });
  const brokers = createBrokers({ allow: env.egressAllow, ...own });
  const sealer = openSealer(secretKey, env.previousSecretKey);
  const { version } = packageJson;
  const { handOffSocket, databaseFolder } = env.internal;
  // Without a data folder, the server's next start wouldn't find it.
  const startJournal =
    databaseFolder === undefined ? undefined : join(databaseFolder, "hand-off.started");
  const outgoing = { client, brokers, portalClient, sealer, version };
  const worker = new RunWorker({ db, databaseUrl, ...outgoing, handOffSocket, startJournal });
  const jobs = startJobs({
    db: maintained,
    sealer,
    client,
    ownClient,
    publicOrigin: env.publicUrl,
    publicUrl: env.publicUrl,
    mail: env.mail,
    allowList: env.egressAllow,
    version,
    retentionDays: env.retentionDays,
    rejectedRetentionDays: env.rejectedRetentionDays,
    archive: env.archive,
    databaseUrl,
    auditRetentionDays: env.auditRetentionDays,
    databaseFolder,
    minFreeDiskBytes: env.minFreeDiskBytes,
  });
  meter?.watchDatabase({ db, retentionDays: env.retentionDays, now: Date.now });
  meter?.watchRunsInFlight(() => worker.size);
  const storage = new Health(db);
  const health = async (): Promise<StorageCheck> =>
    worker.isReady
      ? await storage.check()
      : { ok: false, failing: "worker: it has no session in the database" };
  const metrics = { token: env.monitoring.metricsToken ?? null, read: readMetrics };
  const server =
    env.internal.healthPort === undefined
      ? undefined
      : await listenForHealth(
          env,
          env.internal.healthPort,
          createHealthHandler(health, createMetricsHandler(metrics, respondOnlyWorker)),
        );
  return {
    metrics: meter?.read,
    health,
    async stop() {
      server?.close();
      server?.closeAllConnections();
      await Promise.all([worker.stop({ graceMs }), jobs.stop()]);
      await Promise.all([client.close(), portalClient.close(), ownClient.close(), brokers.close()]);
      await Promise.all([db.$disconnect(), maintained.$disconnect(), traces?.close()]);
    },
  };
}

/** Serves health checks and metrics if no other role of this start owns a port. */
async function listenForHealth(
  { host, publicUrl }: Env,
  port: number,
  onOther: RequestListener,
): Promise<Server> {
  const server = createListener({
    onCatch: respondOnlyWorker,
    onOther,
    maxBodyBytes: 0,
    maxConnections: maxHealthConnections,
    isHttps: publicUrl.startsWith("https:"),
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  return server;
}
