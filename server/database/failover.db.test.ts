import { afterAll, beforeAll, expect, test } from "vitest";
import { createDatabase, type Database } from "#lib/db/postgres/client.ts";
import { type Listener, type ListenSession, listen } from "#lib/db/postgres/listen.ts";
import { createSqlDatabase, type SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { isDatabaseUnavailable, sqlStateOf } from "#lib/db/postgres/sql-state.ts";
import { migrationsFolder } from "#server/system/paths.ts";
import { startTwoServers, type TwoServers } from "#server/testing/two-servers.ts";
import { withConnection } from "./database-connection.ts";
import { migrate, readMigrations } from "./migrate.ts";

let servers: TwoServers;
let db: SqlDatabase;
let models: Database;
beforeAll(async () => {
  servers = await startTwoServers();
  const { url } = servers;
  db = createSqlDatabase({ url, poolSize: 4, applicationName: "failover pool" });
  models = createDatabase({ url, poolSize: 1, applicationName: "failover models" });
});
afterAll(async () => {
  await db?.$disconnect();
  await models?.$disconnect();
  await servers?.stop();
});

const portOf = (url: string) => Number(new URL(url).port);

async function readPort(database: SqlDatabase | Database = db): Promise<number | undefined> {
  const [row] = await database.$queryRaw<{ port: number }[]>`select inet_server_port() as port`;
  return row?.port;
}

test("pools and commands connect to the primary, though the standby is first in the list", async () => {
  const primary = portOf(servers.primary.url);
  expect(await Promise.all([1, 2, 3, 4].map(() => readPort()))).toEqual(Array(4).fill(primary));
  expect(await readPort(models)).toBe(primary);
  await withConnection(servers.url, async (client) => {
    const { rows } = await client.query("select pg_is_in_recovery() as standby");
    expect(rows).toEqual([{ standby: false }]);
  });
});

test("migrations are applied through the list of hosts", async () => {
  const migrations = readMigrations(migrationsFolder);
  const { url } = servers;
  const apply = () => withConnection(url, (client) => migrate({ url, client, migrations }));
  expect((await apply()).length).toBe(migrations.length);
  expect(await apply()).toEqual([]);
});

test("a wrong password and a missing database are told with the host that says so", async () => {
  const wrong = (from: RegExp | string, to: string) =>
    withConnection(servers.url.replace(from, to), async () => undefined);
  await expect(wrong(/:[^:@]+@/, ":wrong@")).rejects.toThrow(
    /^The database at 127\.0\.0\.1:\d+ does not let the user catchment_app in/,
  );
  await expect(wrong(/\/catchment\?/, "/nothing?")).rejects.toThrow(
    /^There is no database nothing at 127\.0\.0\.1:\d+/,
  );
  await expect(
    withConnection("postgresql://a:b@127.0.0.1:1,127.0.0.1:2/c", async () => undefined),
  ).rejects.toThrow(
    "No host of the database takes writes: 127.0.0.1:1 can't be reached (ECONNREFUSED), " +
      "127.0.0.1:2 can't be reached (ECONNREFUSED): start one of them, or correct DATABASE_URL.",
  );
});

async function countOn(adminUrl: string, name: string): Promise<number> {
  return await withConnection(adminUrl, async (client) => {
    const sql = "select count(*)::int as open from pg_stat_activity where application_name = $1";
    return (await client.query<{ open: number }>(sql, [name])).rows[0]?.open ?? 0;
  });
}

const write = () => db.$executeRaw`insert into workers (name) values ('failover')`;

test("when the leader becomes read-only, nothing keeps a connection to it", async () => {
  const heard: { connections: number; losses: number; payloads: string[] } = {
    ...{ connections: 0, losses: 0, payloads: [] },
  };
  const takeLock = (session: ListenSession) => session.query("select pg_advisory_lock(7, 7)", []);
  const listener: Listener = listen({
    url: servers.url,
    applicationName: "failover listener",
    channels: ["news"],
    // A busy machine would take the connection for dead, and lose it twice.
    heartbeatMs: 600_000,
    onNotification: (_channel, payload) => heard.payloads.push(payload),
    onConnected: async (session) => {
      await takeLock(session);
      heard.connections += 1;
    },
    onLost: () => {
      heard.losses += 1;
    },
  });
  await expect.poll(() => heard.connections).toBe(1);
  // Each of four connections has the statement prepared.
  await Promise.all([1, 2, 3, 4].map(() => db.$queryRaw`select 1 as one from pg_sleep(0.05)`));
  expect(await countOn(servers.primary.adminUrl, "failover pool")).toBe(4);
  await servers.failOver();
  const refused = await write().catch((error: unknown) => error);
  expect([sqlStateOf(refused), isDatabaseUnavailable(refused)]).toEqual(["25006", true]);
  expect(await write()).toBe(1);
  const standby = portOf(servers.standby.url);
  expect(await Promise.all([1, 2, 3, 4].map(() => readPort()))).toEqual(Array(4).fill(standby));
  await Promise.all([1, 2, 3, 4].map(() => db.$queryRaw`select 1 as one from pg_sleep(0.05)`));
  for (const name of ["failover pool", "failover models", "failover listener"])
    await expect.poll(() => countOn(servers.primary.adminUrl, name)).toBe(0);
  expect(await readPort(models)).toBe(standby);
  // The listener listens at the new leader, and has its lock there.
  await expect.poll(() => heard).toMatchObject({ connections: 2, losses: 1 });
  await db.$executeRaw`select pg_notify('news', 'from the new leader')`;
  await expect.poll(() => heard.payloads).toEqual(["from the new leader"]);
  const locks = await db.$queryRaw<
    { app: string }[]
  >`select application_name as app from pg_locks join pg_stat_activity using (pid)
    where locktype = 'advisory' and classid = 7 and objid = 7`;
  expect(locks).toEqual([{ app: "failover listener" }]);
  await listener.close();
});

test("a commit that is canceled before it was replicated isn't reported as written", async () => {
  const asAdmin = (sql: string) =>
    withConnection(servers.standby.adminUrl, (client) => client.query(sql));
  const setNames = async (names: string) => {
    await asAdmin(`alter system set synchronous_standby_names = '${names}'`);
    await asAdmin("select pg_reload_conf()");
  };
  await setNames("nobody");
  const cancel = () =>
    asAdmin(
      "select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep' and application_name = 'failover pool'",
    );
  /** A change doesn't wait yet while the server is reading the setting. */
  const cancelWaiting = async (change: () => Promise<unknown>): Promise<Error> => {
    for (;;) {
      let outcome: unknown;
      const settled = change()
        .catch((error: unknown) => error)
        .then((result) => {
          outcome = result;
        });
      while (outcome === undefined) await cancel();
      await settled;
      if (outcome instanceof Error) return outcome;
    }
  };
  for (const change of [
    write,
    () => db.$transaction((tx) => tx.$executeRaw`delete from workers`),
  ]) {
    const error = await cancelWaiting(change);
    expect([sqlStateOf(error), isDatabaseUnavailable(error)]).toEqual(["57014", true]);
  }
  await setNames("");
  await expect.poll(() => write().catch(() => 0)).toBe(1);
});

test("without a writable host, statements fail at once as for a database that is away", async () => {
  await withConnection(servers.standby.adminUrl, async (client) => {
    await client.query("alter system set default_transaction_read_only = on");
    await client.query("select pg_reload_conf()");
  });
  await expect.poll(() => write().then(() => null, sqlStateOf)).toBe("57P03");
  const error = await write().catch((thrown: unknown) => thrown);
  expect(isDatabaseUnavailable(error)).toBe(true);
  expect(String((error as Error).message)).not.toContain("catchment_app");
});
