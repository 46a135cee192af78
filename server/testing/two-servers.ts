import { execFileSync } from "node:child_process";
import { chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { withConnection } from "#server/database/database-connection.ts";
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from "#server/postgres/embedded-postgres.ts";
import { prepareDataFolder } from "#server/system/data-folder.ts";
import { findServiceUser } from "#server/system/service-user.ts";

export type TwoServers = {
  /** Both in one URL, the standby first. */
  readonly url: string;
  readonly primary: EmbeddedPostgres;
  readonly standby: EmbeddedPostgres;
  /** Makes the primary read-only while it runs, and the standby a primary. */
  failOver(): Promise<void>;
  stop(): Promise<void>;
};

/** A real primary, and a real standby that follows it. */
export async function startTwoServers(): Promise<TwoServers> {
  const user = findServiceUser();
  const folder = mkdtempSync(join(tmpdir(), "catchment-two-"));
  if (user !== undefined) chownSync(folder, user.uid, user.gid);
  const [first, second] = ["first", "second"].map((name) => join(folder, name)) as [string, string];
  const prepared = prepareDataFolder(first);
  if (user !== undefined) chownSync(prepared, user.uid, user.gid);
  await (await startEmbeddedPostgres({ folder: first, user })).stop();
  execFileSync("cp", ["-a", first, second]);
  writeFileSync(join(second, "postgres", "standby.signal"), "");
  const primary = await startEmbeddedPostgres({ folder: first, user });
  const { port, username, password } = new URL(primary.adminUrl);
  const conninfo = `host=127.0.0.1 port=${port} user=${username} password=${password}`;
  const settings = { primary_conninfo: conninfo };
  const standby = await startEmbeddedPostgres({ folder: second, user, settings });
  const [a, b] = [new URL(standby.url), new URL(primary.url)];
  const login = `${b.username}:${b.password}`;
  return {
    url: `postgresql://${login}@${a.host},${b.host}${b.pathname}?target_session_attrs=read-write`,
    primary,
    standby,
    async failOver() {
      await withConnection(primary.adminUrl, async (client) => {
        await client.query("alter system set default_transaction_read_only = on");
        await client.query("select pg_reload_conf()");
      });
      await untilReadOnly(primary.adminUrl);
      await withConnection(standby.adminUrl, (client) => client.query("select pg_promote()"));
    },
    async stop() {
      await primary.stop();
      await standby.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A new session has the setting once the server has read it, and told the sessions that are open. */
async function untilReadOnly(url: string): Promise<void> {
  for (let isReadOnly = false; !isReadOnly; )
    isReadOnly = await withConnection(url, async (client) => {
      const { rows } = await client.query("show default_transaction_read_only");
      return rows[0].default_transaction_read_only === "on";
    });
}
