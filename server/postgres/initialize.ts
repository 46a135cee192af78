import { spawn } from "node:child_process";
import { chownSync, mkdirSync, renameSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import type { SystemUser } from "#server/system/service-user.ts";
import { applicationUser, createApplicationRole } from "./application-role.ts";
import type { PostgresBinaries } from "./binaries.ts";
import { embeddedSettings } from "./settings.ts";

type InitializeOptions = {
  readonly binaries: PostgresBinaries;
  readonly user: SystemUser | undefined;
  /** The final folder of the cluster. PostgreSQL's user can enter the folder above it. */
  readonly cluster: string;
  readonly password: string;
  /** The password of the role that the application connects as. */
  readonly applicationPassword: string;
};

/** The superuser that creates the cluster: for psql and backups, never for serving requests. */
export const adminUser = "catchment";
export const databaseName = "catchment";

/**
 * Creates the cluster in a temporary place and moves it in one step, so that an interrupted start
 * leaves nothing that looks like a database. Text sorts by code point (PostgreSQL's own `C.UTF-8`),
 * so that an update of the system's locales can't corrupt an index.
 *
 * Also creates write-ahead log files. Creating one in the middle of a flood writes every byte twice
 * and blocks everything: at 64 connections the 99th percentile was 30 to 50 ms without these and 20
 * ms with them. Later, a checkpoint renames files that are no longer needed (PostgreSQL manual
 * §28.5), as the one here does.
 */
export async function initializeCluster(options: InitializeOptions): Promise<void> {
  const { binaries, user, cluster, password, applicationPassword } = options;
  const unfinished = `${cluster}.new`;
  const passwordFile = `${cluster}-initdb-password`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { mode: 0o700 });
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  try {
    if (user !== undefined) {
      chownSync(unfinished, user.uid, user.gid);
      chownSync(passwordFile, user.uid, user.gid);
    }
    await run(binaries.initdb, initdbArguments(unfinished, passwordFile), "", user);
    const settings = [
      "-c",
      "log_checkpoints=off",
      "-c",
      `min_wal_size=${embeddedSettings.min_wal_size}`,
    ];
    const statements = [
      createApplicationRole(applicationPassword),
      // The database's owner may create in its schema: since PostgreSQL 15 it belongs to
      // pg_database_owner.
      `CREATE DATABASE ${databaseName} OWNER ${applicationUser}`,
      ...fillLog(unfinished),
      "CHECKPOINT",
    ];
    const single = ["--single", "-D", unfinished, ...settings, "postgres"];
    await run(binaries.postgres, single, statements.map((line) => `${line}\n`).join(""), user);
  } finally {
    rmSync(passwordFile, { force: true });
  }
  renameSync(unfinished, cluster);
}

/**
 * 16 MB each: half of what `min_wal_size` keeps later anyway, enough for 100,000 deliveries or
 * more.
 */
const reservedLogFiles = 32;
/** With less free space than this, no log files are created in advance. */
const minFreeBytes = 8 * 1024 ** 3;

function fillLog(folder: string): string[] {
  const disk = statfsSync(folder);
  if (disk.bavail * disk.bsize < minFreeBytes) return [];
  // PostgreSQL only switches away from a log file that has content.
  return Array.from(
    { length: reservedLogFiles },
    () => "SELECT pg_logical_emit_message(false, '', ''), pg_switch_wal()",
  );
}

function initdbArguments(folder: string, passwordFile: string): string[] {
  return [
    `--pgdata=${folder}`,
    `--pwfile=${passwordFile}`,
    `--username=${adminUser}`,
    "--auth=scram-sha-256",
    "--encoding=UTF8",
    "--locale=C",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--no-instructions",
  ];
}

/** PostgreSQL's programs don't get our environment, which contains secrets. */
export const postgresProcessEnv: NodeJS.ProcessEnv = {
  NODE_ENV: "production",
  LC_ALL: "C",
  PATH: "/usr/local/bin:/usr/bin:/bin",
};

function run(
  program: string,
  args: string[],
  input: string,
  user: SystemUser | undefined,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      ...user,
      cwd: "/",
      env: postgresProcessEnv,
      detached: true,
    });
    let output = "";
    child.stdout.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
    child.stderr.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
    child.once("error", reject);
    child.once("close", (code) => {
      if (code === 0) return resolve();
      reject(new Error(`${program} ended with code ${code}: ${output.trim().slice(-2000)}`));
    });
    child.stdin.end(input);
  });
}
