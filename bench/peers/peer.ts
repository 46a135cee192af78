import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { waitUntil } from "#e2e/harness/wait-until.ts";
import type { LoadShape } from "../load/start-load.ts";

/** A running alternative to Catchment, measured beside it. */
export type Peer = {
  readonly name: string;
  readonly port: number;
  /** The path that deliveries are sent to. */
  readonly path: string;
  /** Its processes, with its own store. */
  readonly pids: readonly number[];
  /** Its store is the PostgreSQL of the run, whose processor time counts too. */
  readonly sharesPostgres: boolean;
  readonly folder: string;
  readonly shape: LoadShape;
  stop(): Promise<void>;
};

export type PeerOptions = {
  /** A folder of the run, for data and logs. */
  readonly folder: string;
  readonly sinkUrl: string;
  readonly shape: LoadShape;
  /** Creates an empty database in the PostgreSQL of the run. @returns its URL */
  readonly createDatabase: (name: string) => Promise<string>;
};

/** A peer that can be measured. */
export type PeerKind = {
  readonly name: string;
  /** The data that it keeps and its guarantees, for the table. */
  readonly keeps: string;
  /** The target for our throughput divided by its throughput. Null: no target. */
  readonly target: number | null;
  /** The target for our processor time per delivery divided by its own. Null: no target. */
  readonly processorTarget: number | null;
  /** Installs it, once. */
  install(say: (line: string) => void): Promise<void>;
  start(options: PeerOptions): Promise<Peer>;
};

const cache = fileURLToPath(new URL("../../node_modules/.cache/bench-peers/", import.meta.url));

/** Installs packages into a cache, once. Our own dependencies don't change. @returns the folder */
export async function installPackages(
  name: string,
  packages: readonly string[],
  say: (line: string) => void,
): Promise<string> {
  const folder = join(cache, name);
  const done = join(folder, "installed");
  if (existsSync(done) && readFileSync(done, "utf8") === packages.join(" ")) return folder;
  say(`installing ${packages.join(", ")} into ${folder}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }\n');
  const args = ["install", "--save-exact", "--no-audit", "--no-fund", ...packages];
  await promisify(execFile)("npm", args, { cwd: folder, maxBuffer: 16 * 1024 * 1024 });
  writeFileSync(done, packages.join(" "));
  return folder;
}

export type PeerProgram = { readonly pid: number; stop(): Promise<void> };

type ProgramOptions = {
  readonly name: string;
  readonly command: readonly string[];
  readonly folder: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly isUp: () => Promise<true | undefined>;
};

/** Starts a program, and waits until it is up. Its output goes to a file in the folder. */
export async function startProgram(options: ProgramOptions): Promise<PeerProgram> {
  const { name, folder, env, isUp } = options;
  const [program = "", ...args] = options.command;
  const logFile = join(folder, `${name}.log`);
  const log = openSync(logFile, "a");
  const child = spawn(program, args, {
    cwd: folder,
    stdio: ["ignore", log, log],
    env: { ...process.env, NODE_ENV: "production", ...env },
  });
  const exited = once(child, "exit");
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  const stop = async () => {
    if (!hasEnded()) child.kill("SIGTERM");
    await exited;
  };
  await waitUntil(name, 60_000, async () => {
    if (hasEnded()) throw new Error(`${name}: ${readFileSync(logFile, "utf8")}`);
    return await isUp();
  }).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return { pid: child.pid ?? 0, stop };
}
