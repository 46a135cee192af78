import { chownSync, mkdirSync } from "node:fs";
import { Client } from "pg";
import { makeAccess, startServer } from "#e2e/harness/server-under-test.ts";
import { waitUntil } from "#e2e/harness/wait-until.ts";
import { type FaultProxy, startFaultProxy } from "#lib/db/testing/fault-proxy.ts";
import { startEmbeddedPostgres } from "../../server/postgres/embedded-postgres.ts";
import { prepareDataFolder } from "../../server/system/data-folder.ts";
import { findServiceUser } from "../../server/system/service-user.ts";

type FaultAction = {
  readonly url: string;
  readonly timeoutMs: number;
};

export type FaultStage = {
  /** The network between Catchment and PostgreSQL. */
  readonly network: FaultProxy;
  /** The superuser's connection, which bypasses the network fault and can always write. */
  readonly database: Client;
  /** Creates a hook whose deliveries are sent to each of these once. @returns its catch URL */
  addHook(name: string, actions: readonly FaultAction[]): Promise<string>;
  /** Sends deliveries numbered from 0 on, a few at a time. @returns the send time by number */
  deliver(
    catchUrl: string,
    count: number,
    options?: { readonly perSecond?: number },
  ): Promise<number[]>;
  /** Waits until no run is open. */
  untilDone(timeoutMs: number): Promise<void>;
  stop(): Promise<void>;
};

/**
 * The delay before the worker's own session comes back, after everything else. It is shorter than
 * the worker waits for its session.
 */
const slowest = { applicationName: "catchment worker lock", delayMs: 1_500 };

/** `checkout`: the folder of another version. Undefined: this one. */
export async function setFaultStage(
  folder: string,
  checkout: string | undefined,
): Promise<FaultStage> {
  const user = findServiceUser();
  mkdirSync(`${folder}/postgres`);
  const dataFolder = prepareDataFolder(`${folder}/postgres`);
  if (user !== undefined) chownSync(dataFolder, user.uid, user.gid);
  const postgres = await startEmbeddedPostgres({ folder: dataFolder, user });
  const database = new Client({
    connectionString: postgres.adminUrl,
    options: "-c default_transaction_read_only=off",
  });
  await database.connect();
  const network = await startFaultProxy(postgres.url, { slowest });
  const env = { DATABASE_URL: network.url };
  const server = await startServer({ folder, env, checkout }, makeAccess());

  async function post(path: string, body: unknown): Promise<Record<string, unknown>> {
    const response = await fetch(new URL(path, server.origin), {
      method: "POST",
      headers: { authorization: `Bearer ${server.apiToken}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Record<string, unknown>;
  }

  return {
    network,
    database,
    async addHook(name, actions) {
      const hook = await post("/api/v1/hooks", { name });
      for (const { url, timeoutMs } of actions) {
        const request = { method: "POST", url, body: { number: "{{ data.number }}" } };
        const retry = { maxAttempts: 1 };
        await post(`/api/v1/hooks/${String(hook.id)}/actions`, { name, request, timeoutMs, retry });
      }
      return String(hook.catchUrl);
    },
    async deliver(catchUrl, count, { perSecond = Number.POSITIVE_INFINITY } = {}) {
      const deliveredAt: number[] = [];
      const startedAt = performance.now();
      let next = 0;
      const work = async (): Promise<void> => {
        for (let number = next++; number < count; number = next++) {
          const early = startedAt + (number / perSecond) * 1_000 - performance.now();
          if (early > 0) await new Promise((resolve) => setTimeout(resolve, early));
          deliveredAt[number] = performance.now();
          const body = JSON.stringify({ data: { number } });
          const response = await fetch(catchUrl, { method: "POST", body, headers: json });
          if (!response.ok) throw new Error(`A delivery was answered ${response.status}`);
        }
      };
      await Promise.all(Array.from({ length: 16 }, work));
      return deliveredAt;
    },
    async untilDone(timeoutMs) {
      await waitUntil("all runs to end", timeoutMs, async () => {
        const { rows } = await database.query("select 1 from queue limit 1");
        return rows.length === 0 ? true : undefined;
      });
    },
    async stop() {
      await server.stop();
      await network.close();
      await database.end();
      await postgres.stop();
    },
  };
}

const json = { "content-type": "application/json" };
