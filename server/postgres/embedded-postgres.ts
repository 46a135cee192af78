import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { toError } from "#lib/base/errors.ts";
import { log } from "#lib/base/log.ts";
import { findFreePort, isFreePort } from "#server/system/free-port.ts";
import { fitsSocket } from "#server/system/private-socket.ts";
import { writeSecretFile } from "#server/system/secret-file.ts";
import type { SystemUser } from "#server/system/service-user.ts";
import { StartError } from "#server/system/start-error.ts";
import { applicationUser, transferToApplication } from "./application-role.ts";
import { findPostgresBinaries } from "./binaries.ts";
import { adminUser, databaseName, initializeCluster } from "./initialize.ts";
import { killLeftovers, stopOrphan } from "./orphan.ts";
import {
  type Postmaster,
  type PostmasterOptions,
  readPidFile,
  startPostmaster,
} from "./postmaster.ts";
import { embeddedSettings, type PostgresSettings } from "./settings.ts";

export type EmbeddedPostgres = {
  /** The URL for the application's role, which is not a superuser. */
  readonly url: string;
  /** The URL for the superuser that created the cluster. */
  readonly adminUrl: string;
  /**
   * Tells whether this start created the cluster, found it, or stopped a server left behind by a
   * killed run.
   */
  readonly history: "created" | "found" | "orphan stopped";
  stop(): Promise<void>;
  /** Stops without waiting or flushing. The next start recovers. */
  abandon(): void;
};

type EmbeddedPostgresOptions = {
  /** The prepared data folder. The caller holds its lock. */
  readonly folder: string;
  /** The user that PostgreSQL runs as in tests if we are root, because it doesn't run as root. */
  readonly user?: SystemUser | undefined;
  readonly settings?: PostgresSettings;
};

/** True if this data folder contains a cluster. */
export function hasCluster(folder: string): boolean {
  return existsSync(join(clusterOf(folder), "PG_VERSION"));
}

/** The application's URL of a server that another process runs on this data folder. */
export function findRunningUrl(folder: string): string | undefined {
  const [, , , port = "", socketFolder = ""] = readPidFile(clusterOf(folder));
  const { password, isKept } = readApplicationPassword(folder, false);
  if (!isKept || port === "") return undefined;
  return writeUrl({ name: applicationUser, password, port: Number(port), socketFolder });
}

/**
 * Our own PostgreSQL in the data folder, on a free loopback port, with a random password. It is
 * supervised: if it dies, it is restarted on the same port, and callers see failed connections
 * meanwhile. If another program has taken the port since, only the socket is left.
 */
export async function startEmbeddedPostgres(
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  const { folder, user } = options;
  const binaries = findPostgresBinaries();
  const cluster = clusterOf(folder);

  const isNew = !hasCluster(folder);
  const password = resolvePassword(folder, isNew);
  const application = readApplicationPassword(folder, isNew);
  const applicationPassword = application.password;
  if (isNew) await initializeCluster({ binaries, user, cluster, password, applicationPassword });
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
  const toUrl = (name: string, secret: string) =>
    writeUrl({ name, password: secret, port, socketFolder });
  const adminUrl = toUrl(adminUser, password);
  if (!application.isKept) {
    await transferToApplication(adminUrl, applicationPassword).catch(async (error) => {
      await postmaster.stop();
      throw error;
    });
    application.keep();
  }
  return {
    url: toUrl(applicationUser, applicationPassword),
    adminUrl,
    history: isNew ? "created" : hadOrphan ? "orphan stopped" : "found",
    ...keepRunning(postmaster, { ...server, port }),
  };
}

type UrlParts = {
  readonly name: string;
  readonly password: string;
  readonly port: number;
  readonly socketFolder: string;
};

/**
 * Our processes connect through a socket in the cluster's folder, which only we can enter: over
 * loopback, a batch of deliveries costs twice the CPU time. The port stays open for psql and
 * backups.
 */
function writeUrl({ name, password, port, socketFolder }: UrlParts): string {
  const url = `postgresql://${name}:${password}@127.0.0.1:${port}/${databaseName}`;
  return socketFolder === "" ? url : `${url}?host=${encodeURIComponent(socketFolder)}`;
}

/** The value of the setting. Empty if there can be no socket file. */
function findSocketFolder(cluster: string): string {
  // The setting is a list with commas and quotation marks.
  if (/[",]/.test(cluster)) return "";
  return fitsSocket(`${cluster}/.s.PGSQL.65535`) ? cluster : "";
}

/**
 * Removes the sockets of killed servers: each start uses its own port, so they would never be
 * removed.
 */
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

type ApplicationPassword = {
  readonly password: string;
  /** True if the cluster has this password. */
  readonly isKept: boolean;
  /** Called once the cluster has the password. */
  keep(): void;
};

/**
 * Missing if the cluster predates this role or its upgrade was interrupted. Then a new one is
 * created.
 */
function readApplicationPassword(folder: string, isNew: boolean): ApplicationPassword {
  const path = join(folder, "postgres-app-password");
  if (!isNew && existsSync(path))
    return { password: readFileSync(path, "utf8").trim(), isKept: true, keep: () => {} };
  const password = randomBytes(24).toString("base64url");
  const keep = () => writeSecretFile(path, `${password}\n`);
  if (isNew) keep();
  return { password, isKept: isNew, keep };
}

const startAttempts = 5;

/**
 * Retries on another port: it may have been taken in between, and the sessions of a killed server
 * hold its shared memory a moment longer.
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

const maxPauseMs = 5_000;

function keepRunning(
  first: Postmaster,
  options: PostmasterOptions,
): Pick<EmbeddedPostgres, "stop" | "abandon"> {
  const stopping = new AbortController();
  const stopped = new Promise<void>((resolve) =>
    stopping.signal.addEventListener("abort", () => resolve()),
  );
  let postmaster: Postmaster | undefined = first;

  const watch = async (): Promise<void> => {
    let pauseMs = 100;
    while (!stopping.signal.aborted) {
      const startedAt = performance.now();
      await Promise.race([postmaster?.exited, stopped]);
      if (stopping.signal.aborted) return;
      pauseMs = performance.now() - startedAt > 60_000 ? 100 : Math.min(pauseMs * 2, maxPauseMs);
      log.error("postgres.exited", { restartInMs: pauseMs });
      await delay(pauseMs, undefined, { signal: stopping.signal }).catch(() => {});
      if (stopping.signal.aborted) return;
      const isAgain = postmaster === undefined;
      postmaster = await restart(isAgain ? await avoidTakenPort(options) : options);
    }
  };
  const watching = watch();

  return {
    async stop() {
      stopping.abort();
      // A restart in progress ends first, so that nothing is left behind.
      await watching;
      await postmaster?.stop();
    },
    abandon() {
      stopping.abort();
      postmaster?.abandon();
    },
  };
}

/** The socket's name has the port's number, so our processes find it without the port. */
async function avoidTakenPort(options: PostmasterOptions): Promise<PostmasterOptions> {
  const { port, settings } = options;
  if (settings.unix_socket_directories === "" || (await isFreePort(port))) return options;
  log.warn("postgres.port_taken", { port });
  return { ...options, settings: { ...settings, listen_addresses: "" } };
}

/** A failed start (a full disk, for example) is retried as long as Catchment runs. */
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
