import { existsSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { log } from "#lib/base/log.ts";
import { requireDatabaseUrl } from "#lib/core/env/database-url.ts";
import { type Env, isMeasured } from "#lib/core/env/parse-env.ts";
import type { Role } from "#lib/core/env/setting.ts";
import type { FirstAccess } from "#server/database/first-owner.ts";
import { prepareDatabase } from "#server/database/prepare-database.ts";
import type { Monitoring } from "#server/metrics/monitoring-server.ts";
import { hasCluster, startEmbeddedPostgres } from "#server/postgres/embedded-postgres.ts";
import { childSpec } from "#server/supervise/child-spec.ts";
import { createSupervisor, type Supervisor } from "#server/supervise/supervisor.ts";
import { makeArchiveFolder } from "#server/system/archive-folder.ts";
import { prepareDataFolder, writeInto } from "#server/system/data-folder.ts";
import { lockDataFolder } from "#server/system/data-folder-lock.ts";
import { requireFreePort } from "#server/system/free-port.ts";
import { findCompileCache, pendingDashboardFile } from "#server/system/paths.ts";
import { makePrivateSocket } from "#server/system/private-socket.ts";
import { readPreviousKey, resolveSecretKey } from "#server/system/secret-key.ts";
import { makeSpoolFolder, requireSpoolFolder } from "#server/system/spool-folder.ts";
import { DatabaseAwayError } from "#server/system/start-error.ts";
import type { StartOptions } from "#server/system/start-options.ts";
import type { Banner } from "./banner.ts";
import { countCatchProcesses, nameCatchProcesses } from "./catch-processes.ts";
import { beginDashboardBuild, followDashboardBuild } from "./dashboard-build.ts";
import { dropRootPrivileges } from "./drop-root-privileges.ts";
import { followKeys, type KeyPair, restartWithKeys } from "./follow-keys.ts";
import { prepareBroker } from "./prepare-broker.ts";

type Start = {
  readonly banner: Banner;
  readonly options: StartOptions;
  readonly env: Env;
  /** Aborted on a request to stop. The start then ends after its current step. */
  readonly stop: AbortSignal;
  /** The cleanups in starting order. */
  readonly cleanups: (() => Promise<void>)[];
  /** Used instead of the cleanups when there is no time. */
  readonly abandons: (() => void)[];
};

/**
 * Starts everything in order: data folder, database, migrations, first owner, processes. If
 * anything fails, `cleanups` undo what was started.
 */
export async function startCatchment(start: Start): Promise<void> {
  const { banner, env, options, cleanups } = start;
  const startedAt = performance.now();
  const catchProcesses = countCatchProcesses(env.catchProcesses);
  const build = options.roles.has("web") ? beginDashboardBuild() : undefined;
  if (build !== undefined) cleanups.push(build.stop);
  const spool = options.roles.has("catch") ? env.spool : undefined;
  if (spool !== undefined) makeSpoolFolder(spool);
  if (options.roles.has("worker") && env.archive?.kind === "folder")
    makeArchiveFolder(env.archive.folder);
  await dropRootPrivileges(env.databaseUrl === undefined ? env.dataDir : undefined);
  if (spool !== undefined) requireSpoolFolder(spool.folder);
  await requireFreePort(env.host, env.port);
  const { metricsPort } = env.monitoring;
  if (metricsPort !== undefined) await requireFreePort(env.host, metricsPort);
  const database =
    env.databaseUrl === undefined
      ? await startOwnDatabase(start)
      : outsideDatabase(env, env.databaseUrl);
  start.stop.throwIfAborted();
  if (spool?.broker !== undefined) await prepareBroker(banner, spool.broker, spool.maxBytes);

  const processes = await makeProcesses(start, database, nameCatchProcesses(catchProcesses));
  const { applied, firstAccess } = await prepareSchema(start, database, processes);
  start.stop.throwIfAborted();

  const late = await banner.step(`Processes: ${[...options.roles].join(", ")}`, processes.start);
  for (const name of late)
    banner.line(`  ! ${name} isn't ready yet. It is started again, and the log says why it isn't.`);
  start.stop.throwIfAborted();

  const readyMs = Math.round(performance.now() - startedAt);
  banner.facts([
    ["Catchment", env.publicUrl],
    describeFirstAccess(firstAccess, env),
    ...database.facts,
  ]);
  if (build !== undefined) void followDashboardBuild(build, banner, processes.restartWeb);
  const migrations = applied.length;
  log.info("server.ready", {
    ...{ url: env.publicUrl, roles: [...options.roles], migrations, readyMs },
    ...(late.length > 0 && { late: late.join(", ") }),
  });
}

/**
 * Without the database, the processes that catch start before it: they have a spool. The rest waits
 * until it is back.
 */
async function prepareSchema(
  { banner, env, options, stop }: Start,
  database: DatabaseAccess,
  processes: Processes,
) {
  const prepare = () => prepareDatabase(prepareEnv(database));
  const note = (result: { readonly applied: readonly string[] }) =>
    describeMigrations(result.applied.length);
  try {
    return await banner.step("Database schema", prepare, note);
  } catch (error) {
    const canCatch = env.spool !== undefined && options.roles.has("catch");
    if (!(error instanceof DatabaseAwayError) || !canCatch) throw error;
    banner.line(`  ! ${error.message} Until then, deliveries wait in the spool.`);
    log.warn("server.catching_alone", { error: error.message });
    await processes.startCatch();
    return await banner.step("Database schema", () => repeatWhileAway(prepare, stop), note);
  }
}

async function repeatWhileAway<Value>(
  work: () => Promise<Value>,
  stop: AbortSignal,
): Promise<Value> {
  while (true) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof DatabaseAwayError)) throw error;
      await delay(awayPauseMs, undefined, { signal: stop });
    }
  }
}

const awayPauseMs = 1_000;

function describeMigrations(count: number): string {
  if (count === 0) return "up to date";
  return count === 1 ? "applied 1 migration" : `applied ${count} migrations`;
}

function describeFirstAccess(
  firstAccess: FirstAccess,
  env: Env,
): readonly [label: string, value: string] {
  switch (firstAccess.kind) {
    case "created":
    case "exists":
      return ["Sign in as", firstAccess.email];
    case "signIn":
      return ["Sign in at", new URL("/sign-in", env.publicUrl).toString()];
    case "setupLink":
      return ["Setup link", `${firstAccess.link} (works once, within a day)`];
    default:
      return firstAccess satisfies never;
  }
}

type DatabaseAccess = {
  readonly url: string;
  readonly secretKey: string;
  /** The key before it, during a rotation. */
  readonly previousSecretKey: string | undefined;
  /** The data folder of the embedded database. */
  readonly folder?: string;
  readonly facts: readonly (readonly [label: string, value: string])[];
};

async function startOwnDatabase({
  banner,
  env,
  stop,
  cleanups,
  abandons,
}: Start): Promise<DatabaseAccess> {
  const { folder, secretKey } = await banner.step("Data folder", async () => {
    const prepared = prepareDataFolder(env.dataDir);
    const lock = lockDataFolder(prepared);
    cleanups.push(async () => lock.release());
    const resolveKey = () => resolveSecretKey(prepared, env.secretKey, hasCluster(prepared));
    return { folder: prepared, secretKey: await writeInto(prepared, resolveKey) };
  });
  stop.throwIfAborted();
  const postgres = await banner.step(
    "PostgreSQL",
    () => writeInto(folder, () => startEmbeddedPostgres({ folder })),
    ({ history }) => history,
  );
  cleanups.push(() => postgres.stop());
  abandons.push(() => postgres.abandon());
  const previousSecretKey =
    env.secretKey === undefined ? readPreviousKey(folder) : env.previousSecretKey;
  const facts = [["Data folder", folder]] as const;
  return { url: postgres.url, secretKey, previousSecretKey, folder, facts };
}

function outsideDatabase(env: Env, url: string): DatabaseAccess {
  const { hosts, database } = requireDatabaseUrl(url);
  // parseEnv requires it together with DATABASE_URL.
  const secretKey = env.secretKey ?? "";
  const facts = [["Database", `${hosts.map(({ name }) => name).join(", ")}/${database}`]] as const;
  return { url, secretKey, previousSecretKey: env.previousSecretKey, facts };
}

type Processes = {
  /** Starts those that catch, once. @returns the names of those that aren't ready yet */
  startCatch(): Promise<readonly string[]>;
  /** Starts all of them. @returns the names of those that aren't ready yet */
  start(): Promise<readonly string[]>;
  /** Starts the web process again, and waits until it is ready. */
  restartWeb(): Promise<void>;
};

async function makeProcesses(
  { options, env: ownEnv, cleanups, abandons }: Start,
  database: DatabaseAccess,
  catchNames: readonly string[],
): Promise<Processes> {
  const makeSocket = (name: string, role: "web" | "worker") => {
    if (!options.roles.has(role) || !options.roles.has("catch")) return undefined;
    const socket = makePrivateSocket(name, database.folder);
    cleanups.push(async () => socket.release());
    return socket.path;
  };
  const webSocket = makeSocket("web.sock", "web");
  const handOffSocket = makeSocket("hand-off.sock", "worker");
  let monitoring: Monitoring | undefined;
  const supervisor = createSupervisor({
    readMetrics: async (format) => (await monitoring?.write(format)) ?? null,
  });
  monitoring = await openMonitoring(ownEnv, supervisor, database.folder);
  cleanups.push(async () => monitoring?.close());
  abandons.push(() => supervisor.kill());
  // New deliveries stop first, then runs in flight, then the dashboard that shows them.
  cleanups.push(() => supervisor.stop([catchNames, "worker", "web"]));
  const makeEnv = (keys: KeyPair) => ({
    ...prepareEnv({ ...database, ...keys }),
    CATCHMENT_CATCH_PROCESSES: String(catchNames.length),
    CATCHMENT_WEB_SOCKET: webSocket,
    CATCHMENT_HAND_OFF_SOCKET: handOffSocket,
    CATCHMENT_DATABASE_FOLDER: database.folder,
    CATCHMENT_PENDING_DASHBOARD: existsSync(pendingDashboardFile)
      ? pendingDashboardFile
      : undefined,
    CATCHMENT_HEALTH_PORT:
      options.roles.has("catch") || options.roles.has("web") ? undefined : String(ownEnv.port),
    // Caches compiled code between starts: a process starts in half the time and takes 27 MB less.
    NODE_COMPILE_CACHE: findCompileCache(),
    // glibc keeps freed memory per thread. With many threads that is tens of megabytes of unused
    // memory.
    MALLOC_ARENA_MAX: process.env.MALLOC_ARENA_MAX ?? "2",
  });
  const env = makeEnv(database);
  const startOne = async (role: Role, name: string = role): Promise<readonly string[]> => {
    // Without it there is no port, and what keeps it from starting is mostly the configuration.
    const endsStart = role === "catch";
    return (await supervisor.start(childSpec(role, env, name), { endsStart })) ? [] : [name];
  };
  let catching: Promise<readonly string[]> | undefined;
  const startCatch = async () => {
    if (!options.roles.has("catch")) return [];
    catching ??= Promise.all(catchNames.map((name) => startOne("catch", name))).then((late) =>
      late.flat(),
    );
    return await catching;
  };
  const start = async () => {
    // Each opens as it is ready: a slow dashboard keeps nothing from being caught.
    const behind = (["worker", "web"] as const).filter((role) => options.roles.has(role));
    const late = await Promise.all([startCatch(), ...behind.map((role) => startOne(role))]);
    followKeyFile();
    return late.flat();
  };
  function followKeyFile(): void {
    // A key from the environment only changes with a restart.
    if (database.folder === undefined || ownEnv.secretKey !== undefined) return;
    const following = followKeys(database.folder, database.secretKey, (keys) =>
      restartWithKeys(supervisor, makeEnv(keys), options.roles, catchNames),
    );
    cleanups.push(async () => following.stop());
  }
  return { startCatch, start, restartWeb: () => supervisor.restart(childSpec("web", env)) };
}

/** Loaded only if metrics are on. */
async function openMonitoring(
  { host, monitoring, minFreeDiskBytes }: Env,
  supervisor: Supervisor,
  folder: string | undefined,
): Promise<Monitoring | undefined> {
  if (!isMeasured(monitoring)) return undefined;
  const { startMonitoring } = await import("#server/metrics/monitoring-server.ts");
  const port = monitoring.metricsPort;
  return await startMonitoring({ supervisor, folder, minFreeDiskBytes, host, port });
}

function prepareEnv(database: DatabaseAccess): Record<string, string | undefined> {
  return {
    ...process.env,
    DATABASE_URL: database.url,
    CATCHMENT_SECRET_KEY: database.secretKey,
    CATCHMENT_PREVIOUS_SECRET_KEY: database.previousSecretKey,
  };
}
