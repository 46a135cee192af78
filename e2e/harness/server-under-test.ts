import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { closeSync, mkdirSync, openSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findFreePort } from "#server/system/free-port.ts";
import { killAtOnce, listTree, type TreeProcess } from "./process-tree.ts";
import { waitUntil } from "./wait-until.ts";

const ownCheckout = fileURLToPath(new URL("../..", import.meta.url));

type ServerOptions = {
  /** The data folder and the log are created in it. */
  readonly folder: string;
  /** The port. Omitted: a free one, or another one if it is taken in between. */
  readonly port?: number;
  /** The roles. Omitted: all of them. */
  readonly roles?: readonly ("web" | "catch" | "worker")[];
  readonly env?: Readonly<Record<string, string>>;
  /** The folder of another version that is set up, to compare with. Omitted: this version. */
  readonly checkout?: string | undefined;
};

/**
 * Catchment as `npm start` runs it, in its own process group and data folder, to be measured or
 * killed.
 */
export type ServerUnderTest = {
  readonly origin: string;
  readonly apiToken: string;
  readonly secretKey: string;
  readonly logFile: string;
  readonly dataFolder: string;
  readonly pid: number;
  /** The URL of the embedded database. */
  databaseUrl(): string;
  tree(): Promise<TreeProcess[]>;
  /** Resolves once the whole tree has ended in order. */
  stop(): Promise<void>;
};

export type ServerAccess = { readonly apiToken: string; readonly secretKey: string };

/** Makes credentials, which are the same for every start on one data folder. */
export function makeAccess(): ServerAccess {
  return {
    apiToken: `bench_${randomBytes(24).toString("hex")}`,
    secretKey: randomBytes(32).toString("base64url"),
  };
}

const maxTries = 3;

/** Starts the server and waits until it is ready. */
export async function startServer(
  options: ServerOptions,
  access: ServerAccess,
): Promise<ServerUnderTest> {
  const { port, ...rest } = options;
  if (port !== undefined) return await startOn(port, rest, access);
  for (let tried = 1; ; tried += 1) {
    try {
      return await startOn(await findFreePort(), rest, access);
    } catch (error) {
      if (!(error instanceof PortTakenError) || tried === maxTries) throw error;
    }
  }
}

async function startOn(
  port: number,
  { folder, roles = [], env = {}, checkout = ownCheckout }: Omit<ServerOptions, "port">,
  access: ServerAccess,
): Promise<ServerUnderTest> {
  const dataFolder = join(folder, "data");
  mkdirSync(dataFolder, { recursive: true });
  const logFile = join(folder, "server.log");
  const log = openSync(logFile, "a");
  const readFrom = statSync(logFile).size;
  const flags = [...readStartCommand(checkout), ...roles.flatMap((role) => ["--role", role])];
  const child = spawn(process.execPath, flags, {
    cwd: checkout,
    env: {
      ...baseEnv(checkout),
      ...adminEnv(access),
      CATCHMENT_DATA_DIR: dataFolder,
      PORT: String(port),
      CATCHMENT_PUBLIC_URL: `http://127.0.0.1:${port}`,
      ...env,
    },
    detached: true,
    stdio: ["ignore", log, log],
  });
  closeSync(log);
  killWithUs(child);
  await waitUntilReady(child, logFile, readFrom);
  const pid = child.pid ?? 0;
  return {
    origin: `http://127.0.0.1:${port}`,
    ...access,
    logFile,
    dataFolder,
    pid,
    databaseUrl: () => readDatabaseUrl(dataFolder),
    tree: () => listTree(pid),
    stop: () => stop(child),
  };
}

/** Flags and script, as `npm start` gives them to Node. */
function readStartCommand(checkout: string): readonly string[] {
  const { scripts } = JSON.parse(readFileSync(join(checkout, "package.json"), "utf8")) as {
    readonly scripts: { readonly start: string };
  };
  return scripts.start.match(/(?<= )(--\S+|server\/\S+)/g) ?? [];
}

const running = new Set<ChildProcess>();

/** Ctrl-C here doesn't reach a separate process group, and no process may stay behind. */
function killWithUs(child: ChildProcess): void {
  running.add(child);
  child.once("exit", () => running.delete(child));
  if (process.listenerCount("SIGINT", killRunning) > 0) return;
  process.on("SIGINT", killRunning);
  process.on("SIGTERM", killRunning);
}

async function killRunning(): Promise<void> {
  // The signal may reach `ps` as well.
  for (const { pid = 0 } of running) killAtOnce(await listTree(pid).catch(() => listTree(pid)));
  process.exit(130);
}

/** Variables set by npm and a shell must not affect the server. */
function baseEnv(checkout: string): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR, LANG } = process.env;
  const compileCache = join(checkout, "node_modules/.cache/compile");
  const npmStart = { NODE_ENV: "production", NODE_COMPILE_CACHE: compileCache } as const;
  return { PATH, HOME, TMPDIR, LANG, HOST: "127.0.0.1", ...npmStart };
}

function adminEnv({ apiToken, secretKey }: ServerAccess): Record<string, string> {
  return {
    CATCHMENT_SECRET_KEY: secretKey,
    CATCHMENT_ADMIN_EMAIL: adminEmail,
    CATCHMENT_ADMIN_PASSWORD: adminPassword,
    CATCHMENT_ADMIN_ACCOUNT: "main",
    CATCHMENT_ADMIN_API_TOKEN: apiToken,
    CATCHMENT_EGRESS_ALLOW: "127.0.0.1/32",
    CATCHMENT_PORTAL_EGRESS_ALLOW: "127.0.0.1/32",
    // The load generator sends everything to one hook.
    CATCHMENT_HOOK_RATE_PER_SECOND: "0",
  };
}

export const adminEmail = "owner@example.com";
export const adminPassword = "correct horse battery staple";

/** The messages for a taken port: before the start, and by a process if it was taken since. */
const portTaken = /Port \d+ on \S+ is already in use|EADDRINUSE/;

class PortTakenError extends Error {}

async function waitUntilReady(
  child: ChildProcess,
  logFile: string,
  readFrom: number,
): Promise<void> {
  const isReady = (): true | undefined => {
    const said = readFileSync(logFile, "utf8").slice(readFrom);
    if (said.includes('"event":"server.ready"')) return true;
    if (child.exitCode === null && child.signalCode === null) return undefined;
    const message = `The server did not start:\n${said.split("\n").slice(-30).join("\n")}`;
    throw portTaken.test(said) ? new PortTakenError(message) : new Error(message);
  };
  try {
    await waitUntil("the server to be ready", 300_000, isReady);
  } catch (error) {
    killAtOnce(await listTree(child.pid ?? 0));
    throw error;
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  child.kill("SIGTERM");
  const timer = setTimeout(() => void listTree(child.pid ?? 0).then(killAtOnce), 60_000);
  await exited;
  clearTimeout(timer);
}

/**
 * The URL of the embedded database, whose pid file says where it listens. The password is in the
 * data folder.
 */
export function readDatabaseUrl(dataFolder: string): string {
  const pidFile = readFileSync(join(dataFolder, "postgres", "postmaster.pid"), "utf8");
  const [, , , port, socketFolder = ""] = pidFile.split("\n").map((line) => line.trim());
  const password = readFileSync(join(dataFolder, "postgres-password"), "utf8").trim();
  const host = socketFolder === "" ? "" : `?host=${encodeURIComponent(socketFolder)}`;
  return `postgresql://catchment:${password}@127.0.0.1:${port}/catchment${host}`;
}
