import { once } from "node:events";
import { chownSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newId } from "#lib/base/ids.ts";
import { parseCidrList } from "#lib/core/sending/address/allow-list.ts";
import { type NewDelivery, storeDeliveries } from "#lib/db/deliveries/store-deliveries.ts";
import { createDatabase, type Database } from "#lib/db/postgres/client.ts";
import { queueSettings } from "#lib/db/postgres/plan-settings.ts";
import { createSqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { notifyRunsDue } from "#lib/db/queue/notify.ts";
import { createBrokers } from "#lib/net/brokers/create-brokers.ts";
import { createHttpClient } from "#lib/net/http-client.ts";
import { openSealer } from "#lib/open-sealer.ts";
import { createAction } from "#lib/services/actions/write-actions.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { RunWorker } from "#lib/worker/worker.ts";
import { withConnection } from "#server/database/database-connection.ts";
import { migrate, readMigrations } from "#server/database/migrate.ts";
import { startEmbeddedPostgres } from "#server/postgres/embedded-postgres.ts";
import { prepareDataFolder } from "#server/system/data-folder.ts";
import { migrationsFolder } from "#server/system/paths.ts";
import { findServiceUser } from "#server/system/service-user.ts";

type Call = { readonly body: string; readonly at: number };

type ControlStage = {
  readonly db: Database;
  /** Called for each request. Returns its status, and when to send the response. */
  respond: (call: Call) => { readonly status: number; readonly afterMs: number };
  /** Adds an action of a new hook that calls the receiver with the body of the delivery. */
  addAction(fields: object): Promise<{ readonly hookId: string; readonly actionId: string }>;
  store(hookId: string, bodies: readonly object[]): Promise<void>;
  /** Starts workers with connections and memory of their own. */
  startWorkers(count: number): Promise<void>;
  countOpen(): Promise<number>;
  close(): Promise<void>;
};

/** A database, a receiver, and workers, without HTTP in front. */
export async function openStage(): Promise<ControlStage> {
  const folder = mkdtempSync(join(tmpdir(), "catchment-control-"));
  const user = findServiceUser();
  if (user !== undefined) chownSync(folder, user.uid, user.gid);
  const postgres = await startEmbeddedPostgres({ folder: prepareDataFolder(folder), user });
  const { url } = postgres;
  await withConnection(url, (client) =>
    migrate({ url, client, migrations: readMigrations(migrationsFolder) }),
  );
  const allow = parseCidrList("127.0.0.0/8");
  if (!allow.ok) throw new Error(allow.message);
  const sealer = openSealer("a secret for measuring that is long enough");
  const db = createDatabase({
    url,
    settings: queueSettings,
    poolSize: 4,
    applicationName: "bench",
  });
  const [accountId] = [newId()];
  await db.account.create({ data: { id: accountId, slug: "main", name: "main" } });
  const closing: (() => Promise<unknown>)[] = [];
  const stage: ControlStage = {
    db,
    respond: () => ({ status: 200, afterMs: 0 }),
    async addAction(fields) {
      const hookId = newId();
      await db.$executeRaw`
        insert into hooks (id, account_id, key, name, provider, methods)
        values (${hookId}::uuid, ${accountId}::uuid, ${hookId}, 'h', 'generic', '{POST}')`;
      const context = testContext(db, accountId, {
        sealer,
        variables: { CATCHMENT_EGRESS_ALLOW: "127.0.0.0/8" },
      });
      const { id: actionId } = await createAction(context, {
        id: hookId,
        name: "sink",
        request: { method: "POST", url: `http://127.0.0.1:${port}/`, forward: {} },
        ...fields,
      });
      return { hookId, actionId };
    },
    async store(hookId, bodies) {
      for (let from = 0; from < bodies.length; from += 500)
        await storeDeliveries(
          db,
          bodies.slice(from, from + 500).map((body) => toDelivery(accountId, hookId, body)),
        );
      notifyRunsDue(db);
    },
    async startWorkers(count) {
      for (let index = 0; index < count; index += 1) {
        const own = createSqlDatabase({
          url,
          settings: queueSettings,
          poolSize: 6,
          applicationName: `worker ${index}`,
        });
        const client = createHttpClient({ allow: allow.cidrs, ownOrigins: [] });
        const brokers = createBrokers({ allow: allow.cidrs });
        const worker = new RunWorker({
          db: own,
          databaseUrl: url,
          client,
          brokers,
          portalClient: client,
          sealer,
          version: "0",
        });
        closing.unshift(async () => {
          await worker.stop({ graceMs: 0 });
          await Promise.all([client.close(), brokers.close()]);
          await own.$disconnect();
        });
        while (!worker.isReady) await new Promise((resume) => setTimeout(resume, 20));
      }
    },
    countOpen: () => db.queuedRun.count(),
    async close() {
      for (const end of closing) await end();
      receiver.closeAllConnections();
      receiver.close();
      await db.$disconnect();
      await postgres.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  const receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString("utf8");
      const { status, afterMs } = stage.respond({ body, at: performance.now() });
      setTimeout(() => response.writeHead(status).end(), afterMs);
    });
  });
  receiver.listen(0, "127.0.0.1");
  await once(receiver, "listening");
  const { port } = receiver.address() as AddressInfo;
  return stage;
}

function toDelivery(accountId: string, hookId: string, body: object): NewDelivery {
  return {
    id: newId(),
    accountId,
    hookId,
    status: "accepted",
    reason: null,
    detail: null,
    receivedAtMs: Date.now(),
    method: "POST",
    path: "",
    query: "",
    headersJson: '[["Content-Type","application/json"]]',
    contentType: "application/json",
    body: Buffer.from(JSON.stringify(body)),
    eventId: null,
    eventType: null,
    keyHash: null,
    replayHash: null,
    verificationOutcome: "not_configured",
    verificationScheme: null,
    isSample: false,
    sourceIp: "127.0.0.1",
  };
}
