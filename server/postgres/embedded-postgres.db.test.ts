import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { checkDatabase } from "#server/database/check-database.ts";
import { withConnection } from "#server/database/database-connection.ts";
import { migrate, readMigrations } from "#server/database/migrate.ts";
import { prepareDataFolder } from "#server/system/data-folder.ts";
import { migrationsFolder } from "#server/system/paths.ts";
import { findServiceUser } from "#server/system/service-user.ts";
import { isAlive, waitFor } from "#server/testing/wait-for.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "./embedded-postgres.ts";

const user = findServiceUser();
const smallBuffers = { shared_buffers: "16MB" };
let folder: string;
let postgres: EmbeddedPostgres;

beforeAll(async () => {
  folder = prepareDataFolder(mkdtempSync(join(tmpdir(), "catchment-pg-")));
  if (user !== undefined) chownSync(folder, user.uid, user.gid);
  postgres = await start();
});

afterAll(async () => {
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
});

function start(place = folder): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres({ folder: place, user, settings: smallBuffers });
}

function postmasterPid(): number | undefined {
  try {
    return Number(readFileSync(join(folder, "postgres", "postmaster.pid"), "utf8").split("\n")[0]);
  } catch {
    return undefined;
  }
}

function query(sql: string, url = postgres.url): Promise<Record<string, unknown>[]> {
  return withConnection(
    url,
    async (client) => (await client.query(sql)).rows as Record<string, unknown>[],
  );
}

test("keeps committed data and requires the password", async () => {
  await withConnection(postgres.url, checkDatabase);
  const url = new URL(postgres.url);
  url.password = "wrong";
  await expect(withConnection(url.toString(), checkDatabase)).rejects.toThrow(
    /does not let the user/,
  );
});

test("the cluster and passwords are private, and no password file of initdb is left", () => {
  expect(statSync(join(folder, "postgres")).mode & 0o777).toBe(0o700);
  expect(statSync(join(folder, "postgres-password")).mode & 0o777).toBe(0o600);
  expect(statSync(join(folder, "postgres-app-password")).mode & 0o777).toBe(0o600);
  const files = ["postgres", "postgres-app-password", "postgres-password", "postgres.log"];
  expect(readdirSync(folder).sort()).toEqual(files);
});

test("a killed PostgreSQL comes back on the same address with its committed data", async () => {
  await query("create table kept (id int)");
  await query("insert into kept values (1)");
  const pid = await waitFor("the server", postmasterPid);
  process.kill(pid, "SIGKILL");
  await waitFor("another server", () => {
    const next = postmasterPid();
    return next !== undefined && next !== pid && isAlive(next);
  });
  await expect.poll(() => query("select id from kept").catch(() => [])).toEqual([{ id: 1 }]);
});

test("log files are created before they are needed", async () => {
  const [log] = await query("select count(*)::int as files from pg_ls_waldir()", postgres.adminUrl);
  const disk = statfsSync(folder);
  if (disk.bavail * disk.bsize > 10 * 1024 ** 3) expect(log?.files).toBeGreaterThanOrEqual(32);
});

test("a session that outlives its killed server doesn't keep the next one from starting", {
  tags: "variant",
}, async () => {
  // Also if the data folder is a link to another disk.
  const link = `${folder}-link`;
  symlinkSync(folder, link);
  onTestFinished(() => rmSync(link));
  await postgres.stop();
  postgres = await start(link);
  const client = new Client({ connectionString: postgres.url });
  client.on("error", () => {});
  await client.connect();
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  const session = rows[0]?.pid ?? 0;
  // Like one that waits for a lock whose holder is dead: it never notices anything again.
  process.kill(session, "SIGSTOP");
  const pid = await waitFor("the server", postmasterPid);
  process.kill(pid, "SIGKILL");
  await waitFor("its end", () => !isAlive(pid));
  await expect.poll(() => query("select 1 as one").catch(() => [])).toEqual([{ one: 1 }]);
  await expect.poll(() => isAlive(session)).toBe(false);
  await client.end().catch(() => {});
  await postgres.stop();
  postgres = await start();
});

test("a server left behind by a killed run is stopped by the next start", async () => {
  await postgres.stop();
  const run = spawn(process.execPath, ["--input-type=module", "--eval", startAndWait], {
    env: { ...process.env, CLUSTER: JSON.stringify({ folder, user, settings: smallBuffers }) },
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(run.stdout, "data");
  run.kill("SIGKILL");
  await once(run, "exit");
  const orphan = await waitFor("the server", postmasterPid);
  expect(isAlive(orphan)).toBe(true);
  postgres = await start();
  expect(postgres.history).toBe("orphan stopped");
  expect(postmasterPid()).not.toBe(orphan);
  expect(await query("select id from kept")).toEqual([{ id: 1 }]);
});

const startAndWait = `
import { startEmbeddedPostgres } from "#server/postgres/embedded-postgres.ts";
await startEmbeddedPostgres(JSON.parse(process.env.CLUSTER));
console.log("ready");
`;

test("stopping leaves no process, and the next start finds the data", async () => {
  const pid = await waitFor("the server", postmasterPid);
  await postgres.stop();
  expect(isAlive(pid)).toBe(false);
  postgres = await start();
  expect(postgres.history).toBe("found");
  expect(await query("select id from kept")).toEqual([{ id: 1 }]);
});

test("starts although another process has the id of a killed server, as after the restart of a container", async () => {
  await postgres.stop();
  const other = spawn("sleep", ["600"], { ...user, cwd: "/", stdio: "ignore" });
  const path = join(folder, "postgres", "postmaster.pid");
  const left = [other.pid, join(folder, "postgres"), 0, 1, "", "127.0.0.1", "", "ready"];
  writeFileSync(path, `${left.join("\n")}\n`, { mode: 0o600 });
  if (user !== undefined) chownSync(path, user.uid, user.gid);
  try {
    postgres = await start();
    expect(postgres.history).toBe("found");
    expect(isAlive(other.pid ?? 0)).toBe(true);
  } finally {
    other.kill();
  }
});

test("the application is not a superuser and owns everything in its database", async () => {
  const [role] =
    await query(`select rolsuper or rolcreaterole or rolcreatedb or rolreplication as is_mighty
    from pg_roles where rolname = current_user`);
  expect(role).toEqual({ is_mighty: false });
  for (const forbidden of [
    "select pg_read_file('/etc/passwd')",
    "copy (select 1) to program 'true'",
    "alter system set fsync = off",
    "create role intruder superuser",
  ])
    await expect(query(forbidden), forbidden).rejects.toThrow(/permission denied|must be/i);
});

test("a cluster without the application's role is upgraded at the next start, with its data", {
  tags: "variant",
}, async () => {
  // The migrations need an empty schema.
  await query("drop table if exists kept");
  const migrations = readMigrations(migrationsFolder);
  await withConnection(postgres.url, (client) =>
    migrate({ url: postgres.url, client, migrations }),
  );
  await query(
    "create type mood as enum ('good'); create sequence loose; create table kept as select 1 as id",
  );
  const [{ tables } = {}] = await query(
    "select count(*)::int as tables from pg_class where relkind = 'r'",
  );
  // The state that earlier versions created: the superuser owns everything, and there is no other
  // role.
  await query(takeEverythingBack, postgres.adminUrl);
  await postgres.stop();
  rmSync(join(folder, "postgres-app-password"));
  postgres = await start();
  expect(
    await query(`select relname from pg_class
    where relnamespace = 'public'::regnamespace and relowner <> current_user::regrole`),
  ).toEqual([]);
  expect(await query("select id from kept")).toEqual([{ id: 1 }]);
  expect(await query("select count(*)::int as tables from pg_class where relkind = 'r'")).toEqual([
    { tables },
  ]);
  // Later weeks need to create tables and change existing ones.
  await query(
    "alter table deliveries add column extra int; drop function if exists nothing; drop type mood",
  );
  await query(
    "alter table deliveries drop column extra; create table another (id int); drop table another",
  );
});

const takeEverythingBack = `do $$
declare
  statement text;
begin
  alter database catchment owner to catchment;
  for statement in
    select format('alter table %s owner to catchment', oid::regclass) from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
    union all select format('alter routine %s owner to catchment', oid::regprocedure) from pg_proc
    where pronamespace = 'public'::regnamespace
  loop
    execute statement;
  end loop;
  alter type mood owner to catchment;
  alter sequence loose owner to catchment;
  drop role catchment_app;
end $$`;

test("a start without the password of an existing cluster is rejected", async () => {
  const other = mkdtempSync(join(tmpdir(), "catchment-pg-"));
  mkdirSync(join(other, "postgres"));
  writeFileSync(join(other, "postgres", "PG_VERSION"), "18\n");
  prepareDataFolder(other);
  await expect(startEmbeddedPostgres({ folder: other, user })).rejects.toThrow(
    /password of the embedded database/,
  );
  rmSync(other, { recursive: true });
});

test("a killed PostgreSQL comes back without its port if another program has taken it", async () => {
  const port = Number(new URL(postgres.url).port);
  const cluster = join(folder, "postgres");
  const pid = await waitFor("the server", postmasterPid);
  // It can't restart before the port is taken.
  renameSync(cluster, `${cluster}-away`);
  process.kill(pid, "SIGKILL");
  const other = createServer().on("error", () => {});
  await waitFor("the port", () => other.listening || void other.listen(port, "127.0.0.1"));
  renameSync(`${cluster}-away`, cluster);
  onTestFinished(() => void other.close());
  await expect.poll(() => query("select id from kept").catch(() => [])).toEqual([{ id: 1 }]);
});
