import { randomInt } from "node:crypto";
import { createServer } from "node:net";
import { errorCode } from "#lib/base/errors.ts";
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

/** Linux gives ports from 32768 on to outgoing connections, macOS and Windows those from 49152 on. */
const [minPort, maxPort] = [10_000, 32_767];

/**
 * A loopback port that was free a moment ago. It stays free until it is opened, and while its program
 * restarts: no outgoing connection gets a port of this range, only a program that asks for this one.
 */
export async function findFreePort(): Promise<number> {
  for (let tries = 0; tries < 100; tries += 1) {
    const port = randomInt(minPort, maxPort + 1);
    if (await isFreePort(port)) return port;
  }
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
