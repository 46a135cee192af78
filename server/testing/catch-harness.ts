/** The real catch endpoint for tests, on a free port, with a real database. */
import { once } from "node:events";
import type { Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { type CatchOptions, type RunningCatch, startCatch } from "#lib/catch/start-catch.ts";
import { storeHandshakeSecret } from "#lib/catch/store-handshake-secret.ts";
import { createDatabase, type Database } from "#lib/db/postgres/client.ts";
import { createSqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { testSealer } from "#lib/db/testing/test-sealer.ts";
import { CheckThreads } from "#lib/event-schemas/check-threads.ts";
import { EventCatalog } from "#lib/event-schemas/event-catalog.ts";
import { createListener, type ListenerOptions } from "#server/http/http-listener.ts";

export type CatchUnderTest = {
  readonly port: number;
  readonly server: Server;
  readonly running: RunningCatch;
  readonly db: Database;
  stop(): Promise<void>;
};

export type TestCatchOptions = Partial<CatchOptions> &
  Partial<ListenerOptions> & { readonly confirmUrl?: (url: string) => Promise<boolean> };

export async function startTestCatch(
  databaseUrl: string,
  { confirmUrl = async () => false, ...options }: TestCatchOptions = {},
): Promise<CatchUnderTest> {
  const connection = { url: databaseUrl, poolSize: 4, statementTimeoutMs: 4_000 };
  const sql = createSqlDatabase({ ...connection, applicationName: "test-catch" });
  const db = createDatabase({ ...connection, applicationName: "test" });
  const maxBodyBytes = options.maxBodyBytes ?? 10 * 1024 * 1024;
  const threads = new CheckThreads();
  const running = startCatch({
    db: sql,
    databaseUrl,
    sealer: testSealer,
    signingKeys: { find: () => undefined, load: async () => false },
    handshakes: {
      keepSecret: (hook, secret) => storeHandshakeSecret(db, hook, secret, testSealer),
      confirmUrl,
    },
    checkEvents: new EventCatalog({ db: sql, runChecks: threads.run, now: Date.now }).check,
    publicUrl: "https://hooks.example",
    trustedProxies: [],
    hookRatePerSecond: 0,
    clientRatePerSecond: 0,
    ...options,
    maxBodyBytes,
    rejectedBodyBytes: options.rejectedBodyBytes ?? 64 * 1024,
    rejectedBytesPerDay: options.rejectedBytesPerDay ?? 16 * 1024 * 1024,
  });
  const server = createListener({
    onCatch: running.handle,
    onOther: (_request, response) => response.writeHead(404).end("other"),
    ...options,
    maxBodyBytes,
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  let stopping: Promise<void> | undefined;
  const stop = async () => {
    server.close();
    server.closeIdleConnections();
    await running.stop();
    await threads.close();
    server.closeAllConnections();
    await Promise.all([sql.$disconnect(), db.$disconnect()]);
  };
  return {
    port: (server.address() as AddressInfo).port,
    server,
    running,
    db,
    stop: () => {
      stopping ??= stop();
      return stopping;
    },
  };
}

export type TestResponse = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: Record<string, string>;
};

/** Sends one request with `fetch`, without following redirects. */
export async function send(
  port: number,
  path: string,
  init: RequestInit = {},
): Promise<TestResponse> {
  const url = `http://127.0.0.1:${port}${path}`;
  const response = await fetch(url, { method: "POST", redirect: "manual", ...init });
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.includes("json") === true && text !== "";
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: isJson ? JSON.parse(text) : {},
  };
}

/** Text and bytes are sent as they are. */
export function sendJson(
  port: number,
  path: string,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<TestResponse> {
  const isRaw = typeof value === "string" || value instanceof Uint8Array;
  const body = isRaw ? (value as BodyInit) : JSON.stringify(value);
  return send(port, path, { body, headers: { "content-type": "application/json", ...headers } });
}

/**
 * Sends raw bytes and collects the response until the server closes, or until `until` returns true.
 */
export async function sendRaw(
  port: number,
  parts: string | Uint8Array | readonly (string | Uint8Array)[],
  options: { until?: (received: string) => boolean; end?: boolean } = {},
): Promise<{ received: string; closed: boolean; elapsedMs: number }> {
  const startedAt = performance.now();
  const socket: Socket = connect(port, "127.0.0.1");
  let received = "";
  const result = new Promise<{ received: string; closed: boolean; elapsedMs: number }>(
    (resolve) => {
      const finish = (closed: boolean) => {
        clearTimeout(timer);
        socket.destroy();
        resolve({ received, closed, elapsedMs: performance.now() - startedAt });
      };
      const timer = setTimeout(() => finish(false), 120_000);
      socket.on("data", (chunk) => {
        received += chunk.toString("latin1");
        if (options.until?.(received) === true) finish(false);
      });
      socket.on("error", () => {});
      socket.on("close", () => finish(true));
    },
  );
  await Promise.race([once(socket, "connect"), result]);
  for (const part of typeof parts === "string" || parts instanceof Uint8Array ? [parts] : parts) {
    socket.write(typeof part === "string" ? Buffer.from(part, "latin1") : part);
  }
  if (options.end === true) socket.end();
  return result;
}

/** The statuses of all responses on a connection. */
export function readStatuses(received: string): number[] {
  return [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}
