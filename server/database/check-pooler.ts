import type { Client } from "pg";
import { errorCode } from "#lib/base/errors.ts";
import { HostClient } from "#lib/db/postgres/hosts/host-client.ts";
import { StartError } from "#server/system/start-error.ts";

/**
 * Refuses a connection pooler that shares sessions, such as PgBouncer in transaction mode. A worker's
 * life is an advisory lock of its session, and LISTEN, prepared statements, and settings are the
 * session's too. Behind such a pooler they would be anyone's, and nothing would say so.
 *
 * A server tells each session its process, and a pooler tells something else. Only then is it tried
 * out, so a direct connection pays for one statement.
 */
export async function checkPooler(url: string, client: Client): Promise<void> {
  const told = (client as Client & { readonly processID: number | null }).processID;
  const first = await readProcess(client);
  if (told === first) return;
  if (await isShared(url, client, first))
    throw new StartError(
      "A connection pooler in transaction mode is in front of the database, such as PgBouncer with " +
        "pool_mode = transaction, and Catchment needs sessions of its own (advisory locks, LISTEN, prepared " +
        "statements): point DATABASE_URL at PostgreSQL itself, as Catchment has pools of its own.",
    );
  await requireSettings(url);
}

/** A pooler takes the session that was used last, but needn't. */
const tries = 4;

/** Whether others get the session of `client` while it rests. They keep theirs, in a transaction. */
async function isShared(url: string, client: Client, first: number): Promise<boolean> {
  const others: Client[] = [];
  try {
    for (let tried = 0; tried < tries; tried += 1) {
      const other = await connect(url);
      others.push(other);
      await other.query("begin");
      if ((await readProcess(other)) === first) return true;
      if ((await readProcess(client)) !== first) return true;
    }
    return false;
  } catch (error) {
    // A pooler that shares sessions between statements refuses transactions.
    if (errorCode(error)?.startsWith("08") === true) return true;
    throw error;
  } finally {
    for (const other of others) await other.end().catch(() => {});
  }
}

async function readProcess(client: Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  return rows[0]?.pid ?? 0;
}

/** With one session for each connection, it still has to be given our settings. */
async function requireSettings(url: string): Promise<void> {
  const refused = (reason: string) =>
    new StartError(
      `A connection pooler in front of the database doesn't pass the settings of a session on (${reason}), ` +
        "without which times would be read wrongly: point DATABASE_URL at PostgreSQL itself, as " +
        "Catchment has pools of its own.",
    );
  let client: Client | undefined;
  try {
    client = await connect(url, { options: "-c datestyle=German", statement_timeout: 12_345 });
    const { rows } = await client.query<{ datestyle: string; timeout: string }>(
      "select current_setting('datestyle') as datestyle, current_setting('statement_timeout') as timeout",
    );
    const [{ datestyle = "", timeout = "" } = {}] = rows;
    if (!datestyle.startsWith("German")) throw refused("options");
    if (timeout !== "12345ms") throw refused("statement_timeout");
  } catch (error) {
    if (errorCode(error) !== "08P01") throw error;
    throw refused(error instanceof Error ? error.message : "08P01");
  } finally {
    await client?.end().catch(() => {});
  }
}

async function connect(
  url: string,
  settings: { readonly options?: string; readonly statement_timeout?: number } = {},
): Promise<Client> {
  const client: Client = new HostClient({
    connectionString: url,
    application_name: "catchment start",
    connectionTimeoutMillis: 5_000,
    ...settings,
  });
  client.on("error", () => {});
  await client.connect();
  return client;
}
