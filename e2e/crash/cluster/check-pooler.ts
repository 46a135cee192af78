import { chownSync, mkdirSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { makeAccess, startServer } from "#e2e/harness/server-under-test.ts";
import { waitUntil } from "#e2e/harness/wait-until.ts";
import { findFreePort } from "#server/system/free-port.ts";
import { findServiceUser } from "#server/system/service-user.ts";
import type { Programs } from "./programs.ts";
import { start } from "./spawned.ts";

type Behind = {
  /** PostgreSQL itself. */
  readonly url: string;
  readonly programs: Programs;
  readonly folder: string;
};

export type PoolerVerdict = {
  readonly invariant: "F1";
  readonly promise: string;
  readonly breaches: readonly string[];
};

/** Why a start behind PgBouncer has to be refused, by its mode. */
const reasons = {
  transaction: /connection pooler in transaction mode is in front of the database/,
  statement: /connection pooler in transaction mode is in front of the database/,
  session: /connection pooler in front of the database doesn't pass the settings/,
} as const;

/** Starts behind Debian's PgBouncer in each of its modes, and finds starts without the right reason. */
export async function checkPoolers({ url, programs, folder }: Behind): Promise<PoolerVerdict> {
  const breaches: string[] = [];
  for (const [mode, reason] of Object.entries(reasons)) {
    const own = join(folder, `pgbouncer-${mode}`);
    const pooler = await startPooler({ url, programs, folder: own }, mode);
    try {
      const said = await startServer(
        { folder: own, env: { DATABASE_URL: pooler.url } },
        makeAccess(),
      ).then(
        async (server) => {
          await server.stop();
          return "it started";
        },
        (error: unknown) => String(error),
      );
      if (!reason.test(said)) breaches.push(`in ${mode} mode: ${said}`);
    } finally {
      await pooler.stop();
    }
  }
  const promise = "a start behind PgBouncer is refused with the reason, in each of its modes";
  return { invariant: "F1", promise, breaches };
}

async function startPooler(
  { url, programs, folder }: Behind,
  mode: string,
): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const user = findServiceUser();
  const { hostname, port: target, username, password, pathname } = new URL(url);
  const port = await findFreePort();
  mkdirSync(folder, { mode: 0o755 });
  const [file, users] = [join(folder, "pgbouncer.ini"), join(folder, "users.txt")];
  writeFileSync(users, `"${username}" "${password}"\n`);
  writeFileSync(
    file,
    [
      "[databases]",
      `${pathname.slice(1)} = host=${hostname} port=${target}`,
      "[pgbouncer]",
      "listen_addr = 127.0.0.1",
      `listen_port = ${port}`,
      "unix_socket_dir =",
      "auth_type = scram-sha-256",
      `auth_file = ${users}`,
      `pool_mode = ${mode}`,
      "",
    ].join("\n"),
  );
  if (user !== undefined)
    for (const path of [folder, file, users]) chownSync(path, user.uid, user.gid);
  const logFile = join(folder, "pgbouncer.log");
  const pooler = start(programs.pgbouncer, [file], { env: programs.env, logFile, user });
  await waitUntil("PgBouncer", 30_000, () => {
    if (pooler.hasEnded()) throw new Error(`PgBouncer ended: see ${logFile}`);
    return canConnect(port);
  });
  return {
    url: `postgresql://${username}:${password}@127.0.0.1:${port}${pathname}`,
    stop: () => pooler.stop(),
  };
}

function canConnect(port: number): Promise<true | undefined> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => resolve(true)).once("error", () => resolve(undefined));
    socket.once("close", () => socket.destroy()).once("connect", () => socket.end());
  });
}
