import { createServer } from "node:net";
import { errorCode } from "#lib/errors.ts";
import { StartError } from "./start-error.ts";

/**
 * Fails with one sentence if this address can't be listened on. The listener itself opens it later.
 */
export async function requireFreePort(host: string, port: number): Promise<void> {
  try {
    await listenOnce(host, port);
  } catch (error) {
    throw toStartError(host, port, error);
  }
}

/** A loopback port that was free a moment ago. */
export async function findFreePort(): Promise<number> {
  return await listenOnce("127.0.0.1", 0);
}

/** True if this loopback port can be opened now. */
export async function isFreePort(port: number): Promise<boolean> {
  return await listenOnce("127.0.0.1", port).then(
    () => true,
    () => false,
  );
}

function listenOnce(host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen({ host, port, exclusive: true }, () => {
      const address = server.address();
      const bound = typeof address === "object" && address !== null ? address.port : port;
      server.close(() => resolve(bound));
    });
  });
}

function toStartError(host: string, port: number, error: unknown): unknown {
  switch (errorCode(error)) {
    case "EADDRINUSE":
      return new StartError(
        `Port ${port} on ${host} is already in use: stop the program that listens there, or set PORT to a free port.`,
      );
    case "EACCES":
      return new StartError(
        `Port ${port} may not be opened by this user: set PORT to one above 1023, with a reverse proxy in front.`,
      );
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return new StartError(
        `HOST is ${host}, which is not an address of this machine: set it to ` +
          "127.0.0.1, to 0.0.0.0 or to an address that this machine has.",
      );
    default:
      return error;
  }
}
