import { setTimeout as delay } from "node:timers/promises";
import type { Client } from "pg";
import { errorCode } from "#lib/base/errors.ts";
import { requireDatabaseUrl } from "#lib/core/env/database-url.ts";
import { HostClient } from "#lib/db/postgres/hosts/host-client.ts";
import {
  NoWritableHostError,
  readOnlyState,
} from "#lib/db/postgres/hosts/no-writable-host-error.ts";
import { DatabaseAwayError, errorMessage, StartError } from "#server/system/start-error.ts";

/**
 * Connects for the start, runs `run`, and disconnects. Problems with the address, password, or
 * server are reported in one sentence, which never contains the password.
 */
export async function withConnection<T>(
  url: string,
  run: (client: Client, url: string) => Promise<T>,
): Promise<T> {
  const client = await connect(url);
  try {
    return await run(client, url);
  } finally {
    await client.end().catch(() => {});
  }
}

const connectTimeoutMs = 5_000;
const startingUpWaitMs = 30_000;

async function connect(url: string): Promise<Client> {
  const deadline = performance.now() + startingUpWaitMs;
  while (true) {
    const client = createClient(url);
    // The server may end the session at any time. The next query reports it.
    client.on("error", () => {});
    try {
      await client.connect();
      return client;
    } catch (error) {
      await client.end().catch(() => {});
      if (!endsByItself(error) || performance.now() > deadline) throw toStartError(url, error);
      await delay(250);
    }
  }
}

/** The driver reads the files of `sslrootcert`, `sslcert`, and `sslkey` here. */
function createClient(url: string): Client {
  try {
    return new HostClient({
      connectionString: url,
      connectionTimeoutMillis: connectTimeoutMs,
      application_name: "catchment start",
    });
  } catch (error) {
    if (!(error instanceof Error) || !("path" in error)) throw error;
    throw new StartError(
      `The file ${error.path} that DATABASE_URL names can't be read (${reasonOf(error)}): correct its path, or ` +
        "make it readable for this user.",
    );
  }
}

/** The server is recovering (57P03), or one of several is about to become the leader. */
function endsByItself(error: unknown): boolean {
  if (!(error instanceof NoWritableHostError)) return errorCode(error) === "57P03";
  const codes = error.failures.map((failure) => errorCode(failure.error) ?? "");
  return codes.some((code) => code === "57P03" || code === readOnlyState);
}

function toStartError(url: string, error: unknown): StartError {
  const { hosts, database, user } = requireDatabaseUrl(url);
  if (!(error instanceof NoWritableHostError))
    return explain(error, { place: hosts[0].name, database, user });
  // An error that the operator has to correct comes before a server that is away.
  const [first, ...others] = error.failures;
  const wrong = error.failures.find((failure) => isRejection(failure.error)) ?? first;
  if (wrong !== undefined && (isRejection(wrong.error) || others.length === 0))
    return explain(wrong.error, { place: wrong.name, database, user });
  return new DatabaseAwayError(`${error.message}: start one of them, or correct DATABASE_URL.`);
}

/** The server is there, and rejects the connection. */
function isRejection(error: Error): boolean {
  const code = errorCode(error) ?? "";
  return ["28P01", "28000", "3D000", "53300", ...unknownAuthority].includes(code);
}

const unknownAuthority = [
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
];

type Where = { readonly place: string; readonly database: string; readonly user: string };

function explain(error: unknown, { place, database, user }: Where): StartError {
  const code = errorCode(error) ?? "";
  if (unknownAuthority.includes(code))
    return new StartError(
      `The database at ${place} shows a certificate of an authority that this machine ` +
        `does not know (${reasonOf(error)}): add sslrootcert with the authority's file to ` +
        "DATABASE_URL, or sslmode=no-verify to take any certificate.",
    );
  switch (code) {
    case "28P01":
    case "28000":
      return new StartError(
        `The database at ${place} does not let the user ${user} in: check the user and password in DATABASE_URL.`,
      );
    case "3D000":
      return new StartError(
        `There is no database ${database} at ${place}: create it, or correct the name in DATABASE_URL.`,
      );
    case "53300":
      return new StartError(
        `The database at ${place} has no connection left: raise its max_connections.`,
      );
    case readOnlyState:
      return new StartError(
        `The database at ${place} is read-only: point DATABASE_URL at the primary server.`,
      );
    default:
      return new DatabaseAwayError(
        `The database at ${place} can't be reached (${reasonOf(error)}): start it, or correct DATABASE_URL.`,
      );
  }
}

function reasonOf(error: unknown): string {
  return errorCode(error) ?? errorMessage(error);
}
