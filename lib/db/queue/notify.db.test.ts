import { expect, it, onTestFinished } from "vitest";
import { createDatabase } from "#lib/db/postgres/client.ts";
import { listen } from "#lib/db/postgres/listen.ts";
import { createSqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { notifyRunsDue, runsDueChannel } from "./notify.ts";

const { url, db } = withDatabase();

it.each([
  ["models", createDatabase],
  ["plain SQL", createSqlDatabase],
])("a database for %s is disconnected once its notifications are sent", async (name, open) => {
  const heard: string[] = [];
  const listener = listen({
    url,
    applicationName: "listener",
    channels: [runsDueChannel],
    // A connection that a busy machine takes for dead would miss what it listens for.
    heartbeatMs: 600_000,
    onNotification: (_channel, payload) => heard.push(payload),
  });
  onTestFinished(() => listener.close());
  await expect.poll(() => listener.isConnected()).toBe(true);
  const limits = { connectTimeoutMs: 60_000, statementTimeoutMs: 120_000 };
  const own = open({ url, poolSize: 2, applicationName: name, ...limits });
  notifyRunsDue(own);
  // This one waits for the gap after the first.
  notifyRunsDue(own);
  await own.$disconnect();
  await db.$executeRaw`select pg_notify(${runsDueChannel}, 'disconnected')`;
  await expect.poll(() => heard).toEqual(["", "", "disconnected"]);
});
