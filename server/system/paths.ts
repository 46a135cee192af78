import { statSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The folder of package.json, whatever the current directory. */
export const projectRoot = fileURLToPath(new URL("../..", import.meta.url));

export const migrationsFolder = fileURLToPath(new URL("../../prisma/migrations", import.meta.url));

const cacheFolder = (name: string) =>
  fileURLToPath(new URL(`../../node_modules/.cache/${name}`, import.meta.url));

/** Node itself writes this cache, and continues without it if it can't. */
export const compileCacheFolder = cacheFolder("compile");

/**
 * The compile cache of the service user when root starts Catchment, in a folder of that user: node
 * separates compiled code by user, and code that root runs must be where only root can write.
 */
export const serviceCompileCacheFolder = cacheFolder("compile-service");

/** The folder of this user's compiled code. */
export function findCompileCache(): string {
  const owner = statSync(serviceCompileCacheFolder, { throwIfNoEntry: false })?.uid;
  return owner !== undefined && owner === process.getuid?.()
    ? serviceCompileCacheFolder
    : compileCacheFolder;
}

/** Builds the dashboard beside the server, if set-up has left that for the start. */
export const dashboardScript = fileURLToPath(
  new URL("../../scripts/setup/dashboard.mjs", import.meta.url),
);

/** Exists from when set-up leaves the build for later until the dashboard is built. */
export const pendingDashboardFile = cacheFolder("catchment/dashboard.json");

/** The API without Next. It is loaded by its path, because only one of it and Next's may run. */
export const withoutPagesScript = fileURLToPath(
  new URL("../../app/api/without-pages.ts", import.meta.url),
);

const entryPoint = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** The scripts that Node is started with. */
export const entryPoints = {
  start: entryPoint("start/start.ts"),
  prepare: entryPoint("database/prepare.ts"),
  catch: entryPoint("roles/catch.ts"),
  worker: entryPoint("roles/worker.ts"),
  web: entryPoint("roles/web.ts"),
} as const;

const libPath = (path: string) => fileURLToPath(new URL(`../../lib/${path}`, import.meta.url));

/** Scripts that processes load only if metrics or traces are on. */
export const monitoringScripts = {
  start: [entryPoint("metrics/monitoring-server.ts")],
  catch: [libPath("metrics/role-meters.ts"), libPath("traces/start-traces.ts")],
  worker: [libPath("metrics/role-meters.ts"), libPath("traces/start-traces.ts")],
  web: [libPath("metrics/role-meters.ts")],
} as const;

/** The scripts of their threads. */
export const threadScripts = {
  catch: libPath("evaluate/evaluate-thread.ts"),
  worker: libPath("worker/worker-thread.ts"),
  web: libPath("services/threads/web-thread.ts"),
} as const;
