import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { toError } from "#lib/errors.ts";
import { log } from "#lib/log.ts";
import { findFreePort } from "./free-port.ts";
import { findPostgresBinaries } from "./postgres/binaries.ts";
import { databaseName, databaseUser, initialiseCluster } from "./postgres/initialise.ts";
import { killLeftovers, stopOrphan } from "./postgres/orphan.ts";
import { type Postmaster, type PostmasterOptions, startPostmaster } from "./postgres/postmaster.ts";
import { embeddedSettings, type PostgresSettings } from "./postgres/settings.ts";
import { requireReachable, type SystemUser } from "./postgres/system-user.ts";
import { writeSecretFile } from "./secret-file.ts";
import { StartError } from "./start-error.ts";
import { fitsSocket } from "./web-socket.ts";

export type EmbeddedPostgres = {
  readonly url: string;
  /** Whether this start made the cluster, left it as it was, or stopped one that a killed run had left behind. */
  readonly history: "created" | "found" | "orphan stopped";
  stop(): Promise<void>;
  /** Without waiting and without writing out; the next start recovers. */
  abandon(): void;
};

export type EmbeddedPostgresOptions = {
  /** The prepared data folder; its lock is held by the caller. */
  readonly folder: string;
  readonly user: SystemUser | undefined;
  readonly settings?: PostgresSettings;
};

/** Whether a cluster is in this data folder. */
export function hasCluster(folder: string): boolean {
  return existsSync(join(clusterOf(folder), "PG_VERSION"));
}

/**
 * A real PostgreSQL of our own in the data folder, on a free loopback port, behind a random password. While it runs
 * it is watched: one that dies is started again on the same port, and callers see failed connections meanwhile.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { folder, user } = options;
  const binaries = findPostgresBinaries();
  const cluster = clusterOf(folder);
  requireReachable(user, binaries.postgres, folder);

  const isNew = !hasCluster(folder);
  const password = resolvePassword(folder, isNew);
  if (isNew) await initialiseCluster({ binaries, user, cluster, password });
  const hadOrphan = !isNew && (await stopOrphan(cluster));
  removeStaleSockets(cluster);
  const socketFolder = findSocketFolder(cluster);

  const server = {
    program: binaries.postgres,
    user,
    cluster,
    logFile: join(folder, "postgres.log"),
    settings: { ...embeddedSettings, unix_socket_directories: socketFolder, ...options.settings },
  };
  const { port, postmaster } = await startOnFreePort(server);
  return {
    url: toUrl({ port, password, socketFolder }),
    history: isNew ? "created" : hadOrphan ? "orphan stopped" : "found",
    ...keepRunning(postmaster, { ...server, port }),
  };
}

/**
 * Our processes speak to it through a socket in the cluster's folder, which nobody else can enter: over the loopback device a
 * batch of deliveries costs twice the processor time. The port stays open for psql and backups.
 */
function toUrl({ port, password, socketFolder }: { port: number; password: string; socketFolder: string }) {
  const url = `postgresql://${databaseUser}:${password}@127.0.0.1:${port}/${databaseName}`;
  return socketFolder === "" ? url : `${url}?host=${encodeURIComponent(socketFolder)}`;
}

/** As the setting has it: empty where there can be no socket file. */
function findSocketFolder(cluster: string): string {
  // The setting is a list with commas and quotation marks.
  if (/[",]/.test(cluster)) return "";
  return fitsSocket(`${cluster}/.s.PGSQL.65535`) ? cluster : "";
}

/** Of servers that were killed: each start has a port of its own, so that nobody would clear them away. */
function removeStaleSockets(cluster: string): void {
  const stale = readdirSync(cluster).filter((name) => name.startsWith(".s.PGSQL."));
  for (const name of stale) rmSync(join(cluster, name), { force: true });
}

function clusterOf(folder: string): string {
  return join(folder, "postgres");
}

function resolvePassword(folder: string, isNew: boolean): string {
  const path = join(folder, "postgres-password");
  if (!isNew && existsSync(path)) return readFileSync(path, "utf8").trim();
  if (!isNew) {
    throw new StartError(
      `The password of the embedded database, ${path}, is missing: put the file back from your backup.`,
    );
  }
  const password = randomBytes(24).toString("base64url");
  writeSecretFile(path, `${password}\n`);
  return password;
}

const startAttempts = 5;

/**
 * Tries again with another port: somebody may have taken it in between, and the sessions of a server that was killed
 * hold its shared memory for a moment longer.
 */
async function startOnFreePort(
  server: Omit<PostmasterOptions, "port">,
): Promise<{ port: number; postmaster: Postmaster }> {
  for (let attempt = 1; ; attempt += 1) {
    const port = await findFreePort();
    try {
      return { port, postmaster: await startPostmaster({ ...server, port }) };
    } catch (error) {
      if (attempt === startAttempts) throw error;
      await delay(200 * attempt);
      killLeftovers(server.cluster);
    }
  }
}

const longestPauseMs = 5_000;

function keepRunning(
  first: Postmaster,
  options: PostmasterOptions,
): Pick<EmbeddedPostgres, "stop" | "abandon"> {
  const stopping = new AbortController();
  const stopped = new Promise<void>((resolve) => stopping.signal.addEventListener("abort", () => resolve()));
  let postmaster: Postmaster | undefined = first;

  const watch = async (): Promise<void> => {
    let pauseMs = 100;
    while (!stopping.signal.aborted) {
      const startedAt = performance.now();
      await Promise.race([postmaster?.exited, stopped]);
      if (stopping.signal.aborted) return;
      pauseMs = performance.now() - startedAt > 60_000 ? 100 : Math.min(pauseMs * 2, longestPauseMs);
      log.error("postgres.exited", { restartInMs: pauseMs });
      await delay(pauseMs, undefined, { signal: stopping.signal }).catch(() => {});
      if (stopping.signal.aborted) return;
      postmaster = await restart(options);
    }
  };
  const watching = watch();

  return {
    async stop() {
      stopping.abort();
      // A restart that is under way ends first, so that nothing is left behind.
      await watching;
      await postmaster?.stop();
    },
    abandon() {
      stopping.abort();
      postmaster?.abandon();
    },
  };
}

/** A start that fails (a full disk, say) is tried again for as long as Catchment runs. */
async function restart(options: PostmasterOptions): Promise<Postmaster | undefined> {
  try {
    const postmaster = await startPostmaster(options);
    log.info("postgres.restarted");
    return postmaster;
  } catch (error) {
    killLeftovers(options.cluster);
    log.error("postgres.restart_failed", { error: toError(error) });
    return undefined;
  }
}
