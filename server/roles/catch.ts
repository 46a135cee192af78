import type { Server } from "node:http";
import { hostname } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { startCatch } from "#lib/catch/start-catch.ts";
import { storeHandshakeSecret } from "#lib/catch/store-handshake-secret.ts";
import { toProxyRoute } from "#lib/core/env/egress-proxy.ts";
import { type Env, listOwnPorts } from "#lib/core/env/parse-env.ts";
import type { Sealer } from "#lib/core/people/seal/sealer.ts";
import { isInNetworks } from "#lib/core/sending/address/allow-list.ts";
import { readClock } from "#lib/db/clock/database-clock.ts";
import { createDatabase } from "#lib/db/postgres/client.ts";
import { openDatabaseDisk } from "#lib/db/postgres/database-disk.ts";
import { Health } from "#lib/db/postgres/health.ts";
import { storingPlans } from "#lib/db/postgres/plan-settings.ts";
import { createSqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { readEnv } from "#lib/env.ts";
import { CheckThreads } from "#lib/event-schemas/check-threads.ts";
import { EventCatalog } from "#lib/event-schemas/event-catalog.ts";
import { ClockGuard } from "#lib/ingress/clock-guard.ts";
import { confirmUrl } from "#lib/net/challenge/confirm-url.ts";
import { createLazyHttpClient } from "#lib/net/lazy-http-client.ts";
import { createSigningKeys } from "#lib/net/signing-keys.ts";
import { openSealer } from "#lib/open-sealer.ts";
import { startPublish } from "#lib/publish/start-publish.ts";
import type { OpenSpool } from "#lib/spool/open-spool.ts";
import { readMaxConnections } from "#server/http/connection-limit.ts";
import { createDoctorHandler } from "#server/http/doctor-handler.ts";
import { createHealthHandler } from "#server/http/health-handler.ts";
import { createListener } from "#server/http/http-listener.ts";
import { createHostCheck } from "#server/http/known-host.ts";
import { createMetricsHandler } from "#server/http/metrics-handler.ts";
import { createPageCheck } from "#server/http/own-page.ts";
import { createPersonCheck } from "#server/http/person-check.ts";
import { createWebProxy } from "#server/http/proxy-to-web.ts";
import { createRouteCheck } from "#server/http/public-paths.ts";
import { respondNoDashboard } from "#server/http/web-responses.ts";
import { openMeter } from "#server/metrics/open-meter.ts";
import { openTraces } from "#server/metrics/open-traces.ts";
import { type RunningRole, runRole } from "#server/supervise/run-role.ts";
import { readPendingDashboard } from "#server/system/pending-dashboard.ts";

/**
 * The process that owns the port, alone or with others of its kind: it catches deliveries,
 * takes published events, and forwards everything else to the web process.
 */
await runRole("catch", async ({ wake, readMetrics }): Promise<RunningRole> => {
  const env = readEnv();
  const { databaseUrl, secretKey } = env;
  if (databaseUrl === undefined || secretKey === undefined)
    throw new Error("Start this with server/start/start.ts.");
  const meter = await openMeter("catch", env.monitoring);
  const traces = await openTraces("catch", env.traces);
  const connection = {
    url: databaseUrl,
    applicationName: "catchment-catch",
    statementTimeoutMs: 4_000,
  };
  const db = createSqlDatabase({ ...connection, settings: storingPlans, poolSize: 6 });
  // Used for the rare secret that a provider sends in a handshake. Costs nothing before the first
  // one.
  const models = createDatabase({ ...connection, poolSize: 1 });
  const sealer = openSealer(secretKey, env.previousSecretKey);
  const { trustedProxies } = env;
  // Fetches providers' keys from their public addresses. Internal ones are never allowed here.
  const client = createLazyHttpClient({
    allow: [],
    ownOrigins: [env.publicUrl],
    ownPorts: listOwnPorts(env),
    proxy: toProxyRoute(env),
  });
  const disk = openDatabaseDisk(env.internal.databaseFolder, env.minFreeDiskBytes);
  const checkThreads = new CheckThreads();
  const catalog = new EventCatalog({ db, runChecks: checkThreads.run, now: Date.now });
  const processes = env.catchProcesses ?? 1;
  const clock = new ClockGuard({
    read: () => readClock(db, { host: hostname(), role: "catch", now: Date.now }),
    now: Date.now,
    elapsed: () => performance.now(),
  });
  const spool = await openSpoolIfAny(env, secretKey, sealer, processes);
  const running = startCatch({
    db,
    databaseUrl,
    sealer,
    signingKeys: createSigningKeys({ client, now: Date.now }),
    handshakes: {
      keepSecret: (hook, secret) => storeHandshakeSecret(models, hook, secret, sealer),
      confirmUrl: (url) => confirmUrl(client, url, 3_000),
    },
    checkEvents: catalog.check,
    publicUrl: env.publicUrl,
    maxBodyBytes: env.maxBodyBytes,
    rejectedBodyBytes: env.rejectedBodyBytes,
    rejectedBytesPerDay: env.rejectedBytesPerDay,
    trustedProxies,
    processes,
    spool,
    handOffSocket: env.internal.handOffSocket,
    hookRatePerSecond: env.hookRatePerSecond,
    clientRatePerSecond: env.clientRatePerSecond,
    isStorageLow: () => disk?.isLow() ?? false,
    findClockFault: clock.refusal,
  });
  if (running.spool !== undefined) meter?.watchSpool(running.spool);
  const publishing = startPublish({
    db,
    databaseUrl,
    catalog,
    trustedProxies,
    processes,
    accountRatePerSecond: env.hookRatePerSecond,
    clientRatePerSecond: env.clientRatePerSecond,
    isStorageLow: () => disk?.isLow() ?? false,
    findClockFault: clock.refusal,
  });
  const socketPath = env.internal.webSocket;
  const health = new Health(db, disk, running.spool, clock.refusal);
  const toWeb =
    socketPath === undefined
      ? respondNoDashboard
      : createWebProxy({
          socketPath,
          wake: () => wake("web"),
          publicUrl: env.publicUrl,
          trustedProxies,
          processes,
          isPerson: createPersonCheck(secretKey, env.publicUrl.startsWith("https:")),
          isRoute: createRouteCheck(() => readPendingDashboard(env) !== null),
        });
  const metrics = { token: env.monitoring.metricsToken ?? null, read: readMetrics };
  const server = createListener({
    onCatch: running.handle,
    onPublish: publishing.handle,
    // Responds without the web process, which may be busy or asleep.
    onOther: createDoctorHandler(
      { secretKey, trustedProxies },
      createHealthHandler(() => health.check(), createMetricsHandler(metrics, toWeb)),
    ),
    maxBodyBytes: env.maxBodyBytes,
    maxConnections: readMaxConnections(),
    isTrustedPeer: (address) => isInNetworks(address, trustedProxies),
    isKnownHost: createHostCheck(env),
    isFromOwnPage: createPageCheck(env.publicUrl),
    isHttps: env.publicUrl.startsWith("https:"),
  });
  await clock.begin();
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    const { port, host, catchProcesses = 1 } = env;
    server.listen({ port, host, reusePort: catchProcesses > 1 }, resolve);
  });
  return {
    metrics: meter?.read,
    health: () => health.check(),
    async stop() {
      clock.stop();
      server.close();
      server.closeIdleConnections();
      await Promise.all([running.stop(), publishing.stop(), passOnEnds(server)]);
      await Promise.all([client.close(), checkThreads.close()]);
      disk?.stop();
      server.closeAllConnections();
      await Promise.all([db.$disconnect(), models.$disconnect(), traces?.close()]);
    },
  };
});

const maxEndMs = 1_000;

/** Streams of listeners, which the web process ends at a stop, get their last event. */
async function passOnEnds(server: Server): Promise<void> {
  const endsAt = performance.now() + maxEndMs;
  const count = () =>
    new Promise<number>((resolve) => server.getConnections((_error, open) => resolve(open ?? 0)));
  while (performance.now() < endsAt && (await count()) > 0) {
    await delay(20);
    server.closeIdleConnections();
  }
}

/** Loaded only if there is one. */
async function openSpoolIfAny(
  { spool, previousSecretKey, minFreeDiskBytes }: Env,
  secretKey: string,
  sealer: Sealer,
  processes: number,
): Promise<OpenSpool | undefined> {
  if (spool === undefined) return undefined;
  const { openSpool } = await import("#lib/spool/open-spool.ts");
  const { deriveRecordKeys } = await import("#lib/spool/records/record-keys.ts");
  const keys = deriveRecordKeys(secretKey, previousSecretKey);
  return await openSpool(spool, { sealer, keys, processes, minFreeBytes: minFreeDiskBytes });
}
