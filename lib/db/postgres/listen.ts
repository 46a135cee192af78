import { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { Client, QueryResultRow } from "pg";
import { toError } from "#lib/base/errors.ts";
import { withTimeLimit } from "#lib/base/with-time-limit.ts";
import { HostClient } from "./hosts/host-client.ts";

type ListenOptions = {
  readonly url: string;
  /** The name shown in pg_stat_activity. */
  readonly applicationName: string;
  readonly channels: readonly string[];
  onNotification(channel: string, payload: string): void;
  /**
   * Runs on every new connection, after it listens and before notifications count. Notifications
   * sent while disconnected are lost, so check for changes here. If it throws, the connection is
   * closed and opened again.
   */
  onConnected?(session: ListenSession): Promise<void> | void;
  /** Called when the session is over, and everything it held (advisory locks) is released. */
  onLost?(error: Error): void;
  /**
   * The interval in milliseconds at which an idle connection is checked. It has half of that time
   * to respond. Default: 2,500.
   */
  readonly heartbeatMs?: number;
};

/** One connection, for things that live as long as it does. */
export type ListenSession = {
  query<Row extends QueryResultRow>(sql: string, values: readonly unknown[]): Promise<Row[]>;
};

export type Listener = {
  isConnected(): boolean;
  close(): Promise<void>;
};

/**
 * Keeps one dedicated connection that listens (a pool can't, because it shares connections).
 * Reconnects automatically, after 50 ms at first and half a second at most. A heartbeat detects a
 * dead connection within 4 s.
 */
export function listen(options: ListenOptions): Listener {
  const stop = new AbortController();
  let isConnected = false;

  async function run(): Promise<void> {
    let failures = 0;
    while (!stop.signal.aborted) {
      const socket = new Socket();
      const client = createClient(options, socket);
      const lost = whenLost(client);
      try {
        await connect(client, options);
        isConnected = true;
        failures = 0;
        await Promise.race([lost, keepAlive(client, options.heartbeatMs ?? 2_500, stop.signal)]);
      } catch (error) {
        if (isConnected && !stop.signal.aborted) options.onLost?.(toError(error));
      }
      isConnected = false;
      await end(client, socket);
      if (stop.signal.aborted) return;
      await delay(Math.min(50 * 2 ** failures, maxPauseMs), undefined, {
        signal: stop.signal,
      }).catch(() => {});
      failures += 1;
    }
  }

  const running = run();
  return {
    isConnected: () => isConnected,
    async close() {
      stop.abort();
      await running;
    },
  };
}

/**
 * The maximum pause before reconnecting. Rescuers wait this long for a worker to reconnect, so it
 * must be short (see `rescuer.ts`).
 */
const maxPauseMs = 500;
const connectTimeoutMs = 2_000;

function createClient(
  { url, applicationName, heartbeatMs = 2_500 }: ListenOptions,
  socket: Socket,
): Client {
  return new HostClient({
    stream: () => socket,
    connectionString: url,
    application_name: applicationName,
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: Math.max(500, heartbeatMs / 2),
    keepAlive: true,
  });
}

/** Rejects when the connection breaks or the server ends it. */
function whenLost(client: Client): Promise<never> {
  const lost = new Promise<never>((_resolve, reject) => {
    client.on("error", reject);
    client.on("end", () => reject(new Error("The connection was closed.")));
  });
  // It may break before anything awaits it.
  lost.catch(() => {});
  return lost;
}

async function connect(client: Client, options: ListenOptions): Promise<void> {
  client.on("notification", ({ channel, payload }) =>
    options.onNotification(channel, payload ?? ""),
  );
  await client.connect();
  // The server also has to detect a machine that vanished: its locks must not outlive it. These
  // settings have no effect on a Unix socket.
  await client.query(
    "set tcp_keepalives_idle = 3; set tcp_keepalives_interval = 2; set tcp_keepalives_count = 3; set tcp_user_timeout = 8000",
  );
  for (const channel of options.channels)
    await client.query(`listen ${client.escapeIdentifier(channel)}`);
  await options.onConnected?.({
    async query<Row extends QueryResultRow>(sql: string, values: readonly unknown[]) {
      const { rows } = await client.query<Row>(sql, [...values]);
      return rows;
    },
  });
}

async function keepAlive(client: Client, heartbeatMs: number, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await delay(heartbeatMs, undefined, { signal }).catch(() => {});
    if (signal.aborted) return;
    await client.query("select 1");
  }
}

async function end(client: Client, socket: Socket): Promise<void> {
  // `end` waits for the server's response, which never comes from a dead peer.
  await withTimeLimit(
    client.end().catch(() => {}),
    500,
    () => {},
  );
  socket.destroy();
}
