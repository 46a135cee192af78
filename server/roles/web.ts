import { rmSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import type { ListenOptions } from "node:net";
import { pathToFileURL } from "node:url";
import type { Env } from "#lib/core/env/parse-env.ts";
import { readEnv } from "#lib/env.ts";
import { createMetricsHandler } from "#server/http/metrics-handler.ts";
import { createPublicWebServer } from "#server/http/public-web-server.ts";
import { restarting } from "#server/http/web-responses.ts";
import { openWithoutPages } from "#server/http/without-pages.ts";
import { openMeter } from "#server/metrics/open-meter.ts";
import { type RoleProcess, type RunningRole, runRole } from "#server/supervise/run-role.ts";
import { projectRoot, threadScripts } from "#server/system/paths.ts";
import {
  describePendingDashboard,
  readPendingDashboard,
} from "#server/system/pending-dashboard.ts";
import { watchIdle } from "./idle-watch.ts";

/**
 * The dashboard and the REST API: Next's production server. Until the dashboard is built, it is the
 * API alone, and the supervisor starts this process again once it is. With the catch role, it listens on a
 * unix socket that only the catch listener, which owns the port, connects to. Without it, it owns
 * the port.
 */
await runRole("web", startWeb, {
  // Next leaves some promises without a handler, such as those that write its caches. It keeps
  // nothing in memory that one of them could damage, so a failed one must not end all other
  // requests.
  survivesRejections: true,
});

async function startWeb({ sleep, readMetrics }: RoleProcess): Promise<RunningRole> {
  const env = readEnv();
  const meter = await openMeter("web", env.monitoring);
  Object.assign(globalThis, { catchmentThreadScript: pathToFileURL(threadScripts.web) });
  const { handle, stop } = await (readPendingDashboard(env) === null ? openNext : openApi)(env);
  const metrics = { token: env.monitoring.metricsToken ?? null, read: readMetrics };
  const server =
    env.internal.webSocket === undefined
      ? createPublicWebServer(env, createMetricsHandler(metrics, handle))
      : createServer(handle);
  // The timeout is longer than the catch listener keeps idle connections, so that it never writes
  // to one that is closing.
  server.keepAliveTimeout = 75_000;
  server.headersTimeout = 10_000;
  meter?.watchWeb(server);
  await listen(server, address(env));
  // Only the catch listener in front can wake it again.
  if (sleep !== undefined && env.internal.webSocket !== undefined && env.webSleepAfterSeconds > 0)
    watchIdle(server, env.webSleepAfterSeconds * 1_000, sleep);
  return {
    metrics: meter?.read,
    async stop() {
      await close(server);
      await stop();
    },
  };
}

type Pages = { readonly handle: RequestListener; stop(): Promise<void> };

async function openNext(env: Env): Promise<Pages> {
  const { default: next } = await import("next");
  const app = next({ dev: false, dir: projectRoot, hostname: env.host, port: env.port });
  await prepareQuietly(app);
  return { handle: app.getRequestHandler(), stop: () => app.close() };
}

async function openApi(env: Env): Promise<Pages> {
  const explain = () => {
    const pending = readPendingDashboard(env);
    return pending === null ? restarting : describePendingDashboard(pending, Date.now());
  };
  return { handle: await openWithoutPages(explain), stop: async () => {} };
}

/** Next prints to standard output, which belongs to the log: one JSON line per unit of work. */
async function prepareQuietly(app: { prepare(): Promise<void> }): Promise<void> {
  const { log } = console;
  console.log = () => {};
  try {
    await app.prepare();
  } finally {
    console.log = log;
  }
}

function address(env: Env): ListenOptions {
  const path = env.internal.webSocket;
  if (path === undefined) return { host: env.host, port: env.port };
  // A killed web process may have left the socket behind.
  rmSync(path, { force: true });
  return { path };
}

function listen(server: Server, options: ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(options, () => resolve());
  });
}

const drainMs = 5_000;

/**
 * Finishes pages in progress. Streams of listeners say goodbye. Live lists, which never end by
 * themselves, are closed.
 */
function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    // A stream that has ended leaves its connection open for a next request.
    const closing = setInterval(() => server.closeIdleConnections(), 100);
    server.close(() => {
      clearInterval(closing);
      resolve();
    });
    server.closeIdleConnections();
    setTimeout(() => server.closeAllConnections(), drainMs).unref();
  });
}
