import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checkDatabase } from "./check-database.ts";
import { prepareDataFolder } from "./data-folder.ts";
import { withConnection } from "./database-connection.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "./embedded-postgres.ts";
import { findPostgresUser } from "./postgres/system-user.ts";
import { isAlive, waitFor } from "./testing/wait-for.ts";

const user = findPostgresUser();
let folder: string;
let postgres: EmbeddedPostgres;

beforeAll(async () => {
  folder = prepareDataFolder(mkdtempSync(join(tmpdir(), "catchment-pg-")), user?.gid);
  postgres = await start();
});

afterAll(async () => {
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
});

function start(): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres({ folder, user, settings: { shared_buffers: "16MB" } });
}

function postmasterPid(): number | undefined {
  try {
    return Number(readFileSync(join(folder, "postgres", "postmaster.pid"), "utf8").split("\n")[0]);
  } catch {
    return undefined;
  }
}

function query(sql: string): Promise<Record<string, unknown>[]> {
  return withConnection(
    postgres.url,
    async (client) => (await client.query(sql)).rows as Record<string, unknown>[],
  );
}

test("keeps what it acknowledges, and asks for the password", async () => {
  await withConnection(postgres.url, checkDatabase);
  const url = new URL(postgres.url);
  url.password = "wrong";
  await expect(withConnection(url.toString(), checkDatabase)).rejects.toThrow(/does not let the user/);
});

test("the cluster and the password are closed to everybody else, and no password file of initdb is left", () => {
  expect(statSync(join(folder, "postgres")).mode & 0o777).toBe(0o700);
  expect(statSync(join(folder, "postgres-password")).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder).sort()).toEqual(["postgres", "postgres-password", "postgres.log"]);
});

test("a PostgreSQL that is killed comes back on the same address with what was committed", async () => {
  await query("create table kept (id int)");
  await query("insert into kept values (1)");
  const pid = await waitFor("the server", postmasterPid);
  process.kill(pid, "SIGKILL");
  await waitFor("another server", () => {
    const next = postmasterPid();
    return next !== undefined && next !== pid && isAlive(next);
  });
  await expect
    .poll(() => query("select id from kept").catch(() => []), { timeout: 20_000 })
    .toEqual([{ id: 1 }]);
});

test("files of the log are there before they are needed", async () => {
  const [log] = await query("select count(*)::int as files from pg_ls_waldir()");
  const disk = statfsSync(folder);
  if (disk.bavail * disk.bsize > 10 * 1024 ** 3) expect(log?.files).toBeGreaterThanOrEqual(32);
});

test("a session that outlives its killed server does not keep the next one from starting", async () => {
  const client = new Client({ connectionString: postgres.url });
  client.on("error", () => {});
  await client.connect();
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  const session = rows[0]?.pid ?? 0;
  // As one that waits for a lock whose holder is dead: it never notices anything again.
  process.kill(session, "SIGSTOP");
  const pid = await waitFor("the server", postmasterPid);
  process.kill(pid, "SIGKILL");
  await waitFor("its end", () => !isAlive(pid));
  await expect
    .poll(() => query("select 1 as one").catch(() => []), { timeout: 20_000 })
    .toEqual([{ one: 1 }]);
  await expect.poll(() => isAlive(session)).toBe(false);
  await client.end().catch(() => {});
});

test("a server that a killed run left behind is stopped by the next start", async () => {
  const orphan = await waitFor("the server", postmasterPid);
  const before = postgres;
  // What the killed run would still hold is given up here, without stopping the server.
  const next = await start();
  expect(next.history).toBe("orphan stopped");
  expect(isAlive(orphan)).toBe(false);
  postgres = next;
  expect(await query("select id from kept")).toEqual([{ id: 1 }]);
  before.abandon();
});

test("stopping leaves nothing running, and the next start finds the data", async () => {
  const pid = await waitFor("the server", postmasterPid);
  await postgres.stop();
  expect(isAlive(pid)).toBe(false);
  postgres = await start();
  expect(postgres.history).toBe("found");
  expect(await query("select id from kept")).toEqual([{ id: 1 }]);
});

test("a start without the password of an existing cluster is refused", async () => {
  const other = mkdtempSync(join(tmpdir(), "catchment-pg-"));
  mkdirSync(join(other, "postgres"));
  writeFileSync(join(other, "postgres", "PG_VERSION"), "18\n");
  prepareDataFolder(other, user?.gid);
  await expect(startEmbeddedPostgres({ folder: other, user })).rejects.toThrow(
    /password of the embedded database/,
  );
  rmSync(other, { recursive: true });
});

test.runIf(user !== undefined)(
  "root's own folder, which PostgreSQL's user can't enter, is one sentence",
  async () => {
    const closed = mkdtempSync(join(tmpdir(), "catchment-closed-"));
    chmodSync(closed, 0o700);
    const inside = prepareDataFolder(join(closed, "data"), user?.gid);
    await expect(startEmbeddedPostgres({ folder: inside, user })).rejects.toThrow(
      /set CATCHMENT_DATA_DIR to a folder/,
    );
    rmSync(closed, { recursive: true });
  },
);
