import type { Client } from "pg";
import { StartError } from "./start-error.ts";

const oldestVersion = 150_000;
const honestSettings = ["fsync", "synchronous_commit", "full_page_writes"] as const;

/**
 * A database that we may acknowledge deliveries on: new enough, writable, and with the settings on that make a commit
 * outlive a power cut. With one of them off it would say "committed" and lose it.
 */
export async function checkDatabase(client: Client): Promise<void> {
  const { rows } = await client.query<Record<string, string>>(
    `select name, setting from pg_settings where name = any($1)`,
    [["server_version_num", "server_version", "transaction_read_only", ...honestSettings]],
  );
  const settings = new Map(rows.map((row) => [row.name, row.setting ?? ""]));
  requireVersion(Number(settings.get("server_version_num")), settings.get("server_version") ?? "");
  requireHonesty(settings);
  if (settings.get("transaction_read_only") === "on") {
    throw new StartError("The database is read-only: point DATABASE_URL at the primary server.");
  }
  await requireCreate(client);
}

function requireVersion(number: number, text: string): void {
  if (number >= oldestVersion) return;
  throw new StartError(
    `The database is PostgreSQL ${text}, and Catchment needs 15 or newer: update it, or use another.`,
  );
}

function requireHonesty(settings: ReadonlyMap<string | undefined, string>): void {
  const off = honestSettings.filter((name) => settings.get(name) === "off");
  if (off.length === 0) return;
  throw new StartError(
    `The database would lose acknowledged deliveries in a power cut, because ${off.join(" and ")} ${off.length === 1 ? "is" : "are"} off: turn ${off.length === 1 ? "it" : "them"} on.`,
  );
}

/** Not only for migrations: every week gets tables of its own. Since PostgreSQL 15 not everybody may create them. */
async function requireCreate(client: Client): Promise<void> {
  const { rows } = await client.query<{ user: string; schema: string | null; may_create: boolean }>(
    `select current_user as "user", current_schema() as schema,
      coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) as may_create`,
  );
  const { user = "", schema = null, may_create: mayCreate = false } = rows[0] ?? {};
  if (mayCreate) return;
  throw new StartError(
    `The database's user ${user} may not create tables in the schema ${schema ?? "public"}: make that user the owner of the database, or grant CREATE on the schema.`,
  );
}
