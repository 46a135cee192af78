import pg from "pg";
import type { DatabaseHost } from "#lib/core/env/database-url.ts";
import { ReadOnlyHostError } from "./no-writable-host-error.ts";

/** The longest time that one host has to say whether it is writable. */
const timeoutMs = 2_000;

/** Connects, and rejects unless the server takes writes. */
export async function askHost(host: DatabaseHost): Promise<void> {
  const client = new pg.Client({
    connectionString: host.url,
    application_name: "catchment host",
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
  });
  client.on("error", () => {});
  const status = watchStatus(client);
  try {
    await client.connect();
    await requireWritable(client, status);
  } finally {
    client.end().catch(() => {});
  }
}

export type ServerStatus = { isReadOnly: boolean | undefined };

/**
 * Since version 14, PostgreSQL says by itself whether a new session can write (manual §55.2.7), so it
 * takes no statement to know.
 */
export function watchStatus(client: pg.Client): ServerStatus {
  const status: ServerStatus = { isReadOnly: undefined };
  client.connection.on("parameterStatus", ({ parameterName, parameterValue }: Parameter) => {
    if (!readOnlyParameters.has(parameterName)) return;
    status.isReadOnly = status.isReadOnly === true || parameterValue === "on";
  });
  return status;
}

type Parameter = { readonly parameterName: string; readonly parameterValue: string };
const readOnlyParameters = new Set(["in_hot_standby", "default_transaction_read_only"]);

/** Asks the server if it didn't say: poolers leave the parameters out. */
export async function requireWritable(client: pg.Client, status: ServerStatus): Promise<void> {
  const isReadOnly = status.isReadOnly ?? (await readIsReadOnly(client));
  if (isReadOnly) throw new ReadOnlyHostError("The server is read-only");
}

async function readIsReadOnly(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ transaction_read_only: string }>(
    "show transaction_read_only",
  );
  return rows[0]?.transaction_read_only !== "off";
}
