import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll } from "vitest";
import { createApiToken } from "#lib/db/accounts/api-tokens.ts";
import { createSqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { addAccount } from "#lib/db/testing/test-subscription.ts";
import { type OpenDatabase, withDatabase } from "#lib/db/testing/with-database.ts";
import { CheckThreads } from "#lib/event-schemas/check-threads.ts";
import { EventCatalog } from "#lib/event-schemas/event-catalog.ts";
import { type PublishOptions, startPublish } from "#lib/publish/start-publish.ts";
import type { ApiScope } from "#lib/schema/account/scopes.ts";
import { createListener } from "#server/http/http-listener.ts";
import { sendJson, type TestResponse } from "./catch-harness.ts";

type PublishUnderTest = {
  readonly port: number;
  stop(): Promise<void>;
};

/** The publish path on a free port. Other requests are answered with `other`. */
export async function startTestPublish(
  databaseUrl: string,
  options: Partial<PublishOptions> = {},
): Promise<PublishUnderTest> {
  const db = createSqlDatabase({
    url: databaseUrl,
    poolSize: 4,
    applicationName: "test-publish",
    statementTimeoutMs: 4_000,
  });
  const threads = new CheckThreads();
  const publishing = startPublish({
    db,
    databaseUrl,
    catalog: new EventCatalog({ db, runChecks: threads.run, now: Date.now }),
    trustedProxies: [],
    accountRatePerSecond: 0,
    clientRatePerSecond: 0,
    ...options,
  });
  const server = createListener({
    onCatch: (_request, response) => response.writeHead(404).end("catch"),
    onPublish: publishing.handle,
    onOther: (_request, response) => response.writeHead(404).end("other"),
    maxBodyBytes: 1024 * 1024,
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const stop = async () => {
    server.close();
    server.closeIdleConnections();
    await publishing.stop();
    await threads.close();
    server.closeAllConnections();
    await db.$disconnect();
  };
  let stopping: Promise<void> | undefined;
  return {
    port: (server.address() as AddressInfo).port,
    stop: () => {
      stopping ??= stop();
      return stopping;
    },
  };
}

type PublishBench = OpenDatabase & {
  readonly published: PublishUnderTest;
  /** An account with a token. */
  addPublisher(scopes?: readonly ApiScope[]): Promise<TestPublisher>;
  /** POST /api/v1/events, or another path. */
  publish(token: string, body: unknown, options?: PublishCall): Promise<TestResponse>;
};

type TestPublisher = {
  readonly accountId: string;
  readonly token: string;
  readonly tokenId: string;
};

type PublishCall = {
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly port?: number;
};

export const batchPath = "/api/v1/events/batch";

/** A fresh database with the publish path, for a test file. */
export function withPublish(options: Partial<PublishOptions> = {}): PublishBench {
  const database = withDatabase({ poolSize: 6 });
  let published: PublishUnderTest | undefined;
  beforeAll(async () => {
    published = await startTestPublish(database.url, options);
  });
  afterAll(() => published?.stop());
  const use = () => {
    if (published === undefined) throw new Error("Nothing is open outside of a test");
    return published;
  };
  return {
    ...database,
    get published() {
      return use();
    },
    async addPublisher(scopes = ["events:write"]) {
      const accountId = await addAccount(database.db);
      const { id, token } = await createApiToken(database.db, accountId, {
        name: "t",
        userId: null,
        scopes,
        expiresAt: null,
      });
      return { accountId, token, tokenId: id };
    },
    publish: (token, body, { path = "/api/v1/events", headers = {}, port = use().port } = {}) =>
      sendJson(port, path, body, { authorization: `Bearer ${token}`, ...headers }),
  };
}
