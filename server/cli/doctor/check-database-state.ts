import type { Client } from "pg";
import { type Finding, failure, ok, type Result, warning } from "#lib/base/command-line/finding.ts";
import { deriveSealKey } from "#lib/core/people/seal/derive-key.ts";
import { checkDatabase } from "#server/database/check-database.ts";
import { checkPooler } from "#server/database/check-pooler.ts";
import { compareMigrations, readMigrations } from "#server/database/migrate.ts";
import { migrationsFolder } from "#server/system/paths.ts";
import { StartError } from "#server/system/start-error.ts";
import { evaluateClock, evaluateMigrations, evaluateSealKey } from "./evaluate-facts.ts";

/** Checks everything that one connection to the database can tell. Changes nothing. */
export async function checkDatabaseState(
  url: string,
  client: Client,
  keys: Keys,
): Promise<Finding[]> {
  const settings = await checkSettings(url, client);
  return [
    { check: "Sessions", ...(await checkSessions(url, client)) },
    ...settings.map((result) => ({ check: "Database", ...result })),
    { check: "Connections", ...(await checkConnections(client)) },
    { check: "Schema", ...(await checkSchema(client)) },
    { check: "Clock", ...(await checkClock(client)) },
    { check: "Secret key", ...(await checkSecretKey(client, keys)) },
  ];
}

/** Null: the installation has none. */
type Keys = { readonly secretKey: string | null; readonly previousKey: string | null };

async function checkSessions(url: string, client: Client): Promise<Result> {
  try {
    await checkPooler(url, client);
    return ok("Each connection has a session of its own.");
  } catch (error) {
    return toFailure(error);
  }
}

/** Uses the messages of the start itself. Their second part says what to change. */
async function checkSettings(url: string, client: Client): Promise<Result[]> {
  try {
    const warnings = await checkDatabase(client, url);
    if (warnings.length > 0) return warnings.map(({ event, fields }) => explain(event, fields));
    const { rows } = await client.query<{ version: string }>(
      "select current_setting('server_version') as version",
    );
    return [ok(`PostgreSQL ${rows[0]?.version} makes every commit durable.`)];
  } catch (error) {
    return [toFailure(error)];
  }
}

/** The second part of the start's own message says what to change. */
function toFailure(error: unknown): Result {
  if (!(error instanceof StartError)) throw error;
  const [what = "", change] = error.message.split(/: (?=[^:]*$)/);
  return failure(
    `${what.replace(/\.$/, "")}.`,
    capitalize(change ?? "Correct the database's settings."),
  );
}

function explain(event: string, fields: Readonly<Record<string, unknown>>): Result {
  if (event === "database.wal_compression")
    return warning(
      `wal_compression is ${fields.setting}, which costs more than it saves.`,
      `As a superuser: ${fields.change}`,
    );
  return warning(
    `The role ${fields.user} is a superuser, which Catchment doesn't need.`,
    "Give Catchment its own role that owns its database.",
  );
}

async function checkConnections(client: Client): Promise<Result> {
  const { rows } = await client.query<{ used: number; allowed: number }>(
    `select (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as used,
      current_setting('max_connections')::int as allowed`,
  );
  const { used = 0, allowed = 0 } = rows[0] ?? {};
  const text = `${used} of ${allowed} connections are in use.`;
  return used > allowed * 0.8 ? warning(text, "Raise max_connections.") : ok(text);
}

async function checkSchema(client: Client): Promise<Result> {
  return evaluateMigrations(await compareMigrations(client, readMigrations(migrationsFolder)));
}

async function checkClock(client: Client): Promise<Result> {
  const before = Date.now();
  const { rows } = await client.query<{ now_ms: number }>(
    "select (extract(epoch from clock_timestamp()) * 1000)::float8 as now_ms",
  );
  const roundTripMs = Date.now() - before;
  return evaluateClock((rows[0]?.now_ms ?? before) - before - roundTripMs / 2, roundTripMs);
}

async function checkSecretKey(client: Client, { secretKey, previousKey }: Keys): Promise<Result> {
  if (secretKey === null)
    return failure(
      "The secret key is missing, so Catchment can't start.",
      "Put the file secret-key back into the data folder, or set CATCHMENT_SECRET_KEY to that key.",
    );
  const { rows: tables } = await client.query<{ found: boolean }>(
    "select to_regclass('seal_check') is not null as found",
  );
  const keyId = deriveSealKey(secretKey).id;
  const previousKeyId = previousKey === null ? null : deriveSealKey(previousKey).id;
  if (tables[0]?.found !== true) return evaluateSealKey({ keyId, previousKeyId, sealedWith: null });
  const { rows } = await client.query<{ key_id: string }>("select key_id from seal_check");
  return evaluateSealKey({ keyId, previousKeyId, sealedWith: rows[0]?.key_id ?? null });
}

function capitalize(text: string): string {
  return `${text[0]?.toUpperCase() ?? ""}${text.slice(1)}`;
}
