import { setTimeout as delay } from "node:timers/promises";
import { Client } from "pg";
import { errorCode } from "#lib/errors.ts";
import { errorMessage, StartError } from "#server/system/start-error.ts";

/**
 * Connects for the start, runs `run`, and disconnects. Problems with the address, password, or
 * server are reported in one sentence, which never contains the password.
 */
export async function withConnection<T>(
  url: string,
  run: (client: Client) => Promise<T>,
): Promise<T> {
  const client = await connect(url);
  try {
    return await run(client);
  } finally {
    await client.end().catch(() => {});
  }
}

const connectTimeoutMs = 5_000;
const startingUpWaitMs = 30_000;

async function connect(url: string): Promise<Client> {
  const deadline = performance.now() + startingUpWaitMs;
  while (true) {
    const client = new Client({
      connectionString: url,
      connectionTimeoutMillis: connectTimeoutMs,
      application_name: "catchment start",
    });
    // The server may end the session at any time. The next query reports it.
    client.on("error", () => {});
    try {
      await client.connect();
      return client;
    } catch (error) {
      await client.end().catch(() => {});
      // 57P03: the server is recovering, which ends by itself.
      if (errorCode(error) !== "57P03" || performance.now() > deadline)
        throw toStartError(url, error);
      await delay(250);
    }
  }
}

function toStartError(url: string, error: unknown): StartError {
  const { hostname, port, pathname, username, searchParams } = new URL(url);
  // The way in which libpq names the folder of a socket.
  const place = searchParams.get("host") ?? `${hostname || "localhost"}:${port || "5432"}`;
  switch (errorCode(error)) {
    case "28P01":
    case "28000":
      return new StartError(
        `The database at ${place} does not let the user ${username} in: check the user and password in DATABASE_URL.`,
      );
    case "3D000":
      return new StartError(
        `There is no database ${pathname.slice(1)} at ${place}: create it, or correct the name in DATABASE_URL.`,
      );
    case "DEPTH_ZERO_SELF_SIGNED_CERT":
    case "SELF_SIGNED_CERT_IN_CHAIN":
    case "UNABLE_TO_GET_ISSUER_CERT_LOCALLY":
    case "UNABLE_TO_VERIFY_LEAF_SIGNATURE":
      return new StartError(
        `The database at ${place} shows a certificate of an authority that this machine ` +
          `does not know (${reasonOf(error)}): add sslrootcert with the authority's file to ` +
          "DATABASE_URL, or sslmode=no-verify to take any certificate.",
      );
    case "53300":
      return new StartError(
        `The database at ${place} has no connection left: raise its max_connections.`,
      );
    default:
      return new StartError(
        `The database at ${place} can't be reached (${reasonOf(error)}): start it, or correct DATABASE_URL.`,
      );
  }
}

function reasonOf(error: unknown): string {
  return errorCode(error) ?? errorMessage(error);
}
