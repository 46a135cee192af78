/** Settings that a migration changes: what was a default, and what was never recorded. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { defaultDedupe } from "#lib/core/verify/hook/hook-rules.ts";
import { createDatabase, type Database } from "#lib/db/postgres/client.ts";
import { createTestDatabase, type TestDatabase } from "#lib/db/testing/test-database.ts";
import { migrationsFolder } from "#server/system/paths.ts";
import { withConnection } from "./database-connection.ts";
import { migrate, readMigrations } from "./migrate.ts";

const firstNewMigration = "20261123090100_portal_receivers";

const content = { from: "content" };
const header = (name: string) => ({ from: "header", name });
const fields = (...paths: string[]) => ({
  from: "all",
  of: paths.map((path) => ({ from: "body", path })),
});
const figmaFields = ["webhook_id", "event_type", "timestamp"];

/** The defaults that the version before needed. */
const oldDefaults: Readonly<Record<string, unknown>> = {
  "cal-com": content,
  contentful: [header("x-contentful-idempotency-key"), content],
  figma: [
    fields(...figmaFields, "comment_id"),
    fields(...figmaFields, "file_key"),
    fields(...figmaFields),
  ],
  "help-scout": { ...content, withinSeconds: 86_400 },
  "mercado-pago": [{ from: "body", path: "id" }, content],
  netlify: content,
  pandadoc: content,
  twilio: [header("i-twilio-idempotency-token"), { ...content, withinSeconds: 60 }],
  woocommerce: [
    { from: "all", of: [header("x-wc-webhook-delivery-id"), content] },
    { ...content, withinSeconds: 3600 },
  ],
};
const ownRule = [header("x-of-the-owner"), content];

type OldSubscription = {
  readonly link?: { readonly capability: string; readonly before: "change" | "creation" };
  readonly isChanged?: boolean;
  readonly recipient?: string;
  readonly pendingReason?: string;
};
/** Changed a day ago or never, and made a week ago. */
const subscriptions = {
  changedUnderLink: {
    link: { capability: "subscriptions:write", before: "change" },
    isChanged: true,
  },
  unchangedUnderLink: { link: { capability: "subscriptions:write", before: "creation" } },
  changedUnderReadingLink: {
    link: { capability: "subscriptions:read", before: "change" },
    isChanged: true,
  },
  changedWithoutLink: { isChanged: true },
  pending: { pendingReason: "challenge: The connection was refused." },
  pendingOtherwise: { pendingReason: "other: Something else." },
} as const satisfies Record<string, OldSubscription>;

let database: TestDatabase;
let db: Database;
const accountId = newId();

beforeAll(async () => {
  database = await createTestDatabase({ empty: true });
  const { url } = database;
  const migrations = readMigrations(migrationsFolder);
  const first = migrations.findIndex(({ name }) => name === firstNewMigration);
  await withConnection(url, async (client) => {
    await migrate({ url, client, migrations: migrations.slice(0, first) });
    await client.query("insert into accounts (id, slug, name) values ($1, 'main', 'main')", [
      accountId,
    ]);
    for (const [provider, rule] of Object.entries(oldDefaults))
      for (const [name, dedupe] of Object.entries({ default: rule, own: ownRule, none: null }))
        await client.query(
          "insert into hooks (id, account_id, key, name, provider, methods, dedupe) values ($1, $2, $1::uuid::text, $3, $4, '{POST}', $5)",
          [newId(), accountId, name, provider, dedupe === null ? null : JSON.stringify(dedupe)],
        );
    for (const [name, given] of Object.entries(subscriptions)) {
      const { link, isChanged = false, pendingReason }: OldSubscription = given;
      await client.query("insert into recipients (account_id, id) values ($1, $2)", [
        accountId,
        name,
      ]);
      await client.query(
        `insert into subscriptions (id, account_id, recipient, receiver_url, event_types, status, status_reason, created_at, updated_at)
        values ($1, $2, $3, 'https://r.example', '{*}', $4, $5, now() - interval '7 d', now() - $6::int * interval '1 d')`,
        [
          newId(),
          accountId,
          name,
          pendingReason === undefined ? "active" : "pending",
          pendingReason,
          isChanged ? 1 : 7,
        ],
      );
      if (link !== undefined)
        await client.query(
          `insert into portal_links (id, account_id, recipient, token_hash, capabilities, created_at, expires_at)
          values ($1, $2, $3, $4, $5, now() - $6::int * interval '1 d', now() + interval '1 d')`,
          [
            newId(),
            accountId,
            name,
            Buffer.from(name),
            [link.capability],
            link.before === "creation" ? 8 : 2,
          ],
        );
    }
    await migrate({ url, client, migrations });
  });
  db = createDatabase({ url, poolSize: 2, applicationName: "upgrade-test" });
});
afterAll(async () => {
  await db?.$disconnect();
  await database?.drop();
});

it("a hook with its provider's old rule gets the new one, and any other rule stays", async () => {
  const hooks = await db.hook.findMany({ select: { provider: true, name: true, dedupe: true } });
  expect(hooks).toHaveLength(Object.keys(oldDefaults).length * 3);
  const expected = ({ provider, name }: (typeof hooks)[number]) =>
    ({ default: defaultDedupe(provider), own: ownRule })[name] ?? null;
  for (const hook of hooks)
    expect([hook.provider, hook.name, hook.dedupe]).toEqual([
      hook.provider,
      hook.name,
      expected(hook),
    ]);
});

it("a receiver URL that people of the portal may have changed counts as theirs, and no other", async () => {
  const rows = await db.subscription.findMany({
    where: { receiverByPortal: true },
    select: { recipient: true },
  });
  expect(rows).toEqual([{ recipient: "changedUnderLink" }]);
});

it("the reason of an old failed challenge no longer says what failed", async () => {
  const rows = await db.subscription.findMany({
    where: { status: "pending" },
    select: { recipient: true, statusReason: true },
    orderBy: { recipient: "asc" },
  });
  expect(rows).toEqual([
    {
      recipient: "pending",
      statusReason: "challenge: The receiver URL has not answered the challenge yet.",
    },
    { recipient: "pendingOtherwise", statusReason: "other: Something else." },
  ]);
});
