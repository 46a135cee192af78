/** The paths of rules, which were names between dots, and are written so that they lead to the same values. */
import { hash } from "node:crypto";
import { expect, it } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { readPayload } from "#lib/core/mapping/payload/read-payload.ts";
import { identifyEvent } from "#lib/core/verify/dedupe/identify-event.ts";
import { createTestDatabase } from "#lib/db/testing/test-database.ts";
import { listSources } from "#lib/schema/field/list-sources.ts";
import { dedupeRuleSchema } from "#lib/schema/receive/event-rules.ts";
import { hookPublishSchema } from "#lib/schema/receive/hook.ts";
import { maskedFieldList } from "#lib/schema/receive/masked-fields.ts";
import { migrationsFolder } from "#server/system/paths.ts";
import { withConnection } from "./database-connection.ts";
import { migrate, readMigrations } from "./migrate.ts";

const migration = "20261128151500_quoted_names";
const inBody = (path: string) => ({ from: "body", path });

const rules: Readonly<Record<string, readonly [before: unknown, after: unknown]>> = {
  plain: [inBody("data.0.id"), inBody("data.0.id")],
  brackets: [inBody("data[email]"), inBody('["data[email]"]')],
  index: [inBody("order.items[0]"), inBody('order["items[0]"]')],
  quotes: [inBody(`say"hi".it's\\`), inBody(`["say\\"hi\\""]["it's\\\\"]`)],
  several: [
    [{ from: "all", of: [inBody("a[]"), { from: "header", name: "x-id" }] }, inBody("id")],
    [{ from: "all", of: [inBody('["a[]"]'), { from: "header", name: "x-id" }] }, inBody("id")],
  ],
  except: [
    { from: "content", except: ["sent_at", "meta[try].n"], withinSeconds: 60 },
    { from: "content", except: ["sent_at", '["meta[try]"].n'], withinSeconds: 60 },
  ],
};

it("a rule keeps its values and its events' identities, and can be saved again", {
  tags: "variant",
}, async () => {
  const database = await createTestDatabase({ empty: true });
  const { url } = database;
  try {
    await withConnection(url, async (client) => {
      const migrations = readMigrations(migrationsFolder);
      const first = migrations.findIndex(({ name }) => name === migration);
      await migrate({ url, client, migrations: migrations.slice(0, first) });
      const accountId = newId();
      await client.query(
        "insert into accounts (id, slug, name, masked_fields) values ($1, 'main', 'main', $2)",
        [accountId, ["**.email", "data[card].*", "Card Number"]],
      );
      for (const [name, [before]] of Object.entries(rules))
        await client.query(
          `insert into hooks (id, account_id, key, name, provider, methods, dedupe, event_type, publish, verification)
          values ($1, $2, $1::uuid::text, $3, 'generic', '{POST}', $4, $5, $6, $7)`,
          [
            newId(),
            accountId,
            name,
            JSON.stringify(before),
            JSON.stringify(inBody("event[type]")),
            JSON.stringify({ eventType: null, recipientPath: "customer[id]" }),
            JSON.stringify({ kind: "token", source: inBody("auth[token]") }),
          ],
        );
      await migrate({ url, client, migrations });
      const { rows } = await client.query(
        "select name, dedupe, event_type, publish, verification from hooks",
      );
      expect(rows).toHaveLength(Object.keys(rules).length);
      for (const { name, dedupe, event_type, publish, verification } of rows) {
        expect(dedupe).toEqual(rules[name]?.[1]);
        expect(dedupeRuleSchema.parse(dedupe)).toEqual(dedupe);
        expect(event_type).toEqual(inBody('["event[type]"]'));
        expect(hookPublishSchema.parse(publish).recipientPath).toBe('["customer[id]"]');
        expect(verification).toEqual({ kind: "token", source: inBody('["auth[token]"]') });
        expect(identify(dedupe)).toEqual(identities[name] ?? identify(rules[name]?.[0]));
      }
      const accounts = await client.query("select masked_fields from accounts");
      const masks = accounts.rows[0]?.masked_fields;
      expect(masks).toEqual(["**.email", '["data[card]"].*', "Card Number"]);
      expect(maskedFieldList.parse(masks)).toEqual(masks);
    });
  } finally {
    await database.drop();
  }
});

const sent = {
  id: 1,
  data: [{ id: 7 }],
  "data[email]": "a@b.example",
  order: { "items[0]": "x" },
  'say"hi"': { "it's\\": 12 },
  "a[]": "y",
  "meta[try]": { n: 1 },
};

/** The identities that the version before gave these names. */
const identities: Readonly<Record<string, unknown>> = {
  index: ["x", hashOf("s", "order.items[0]", "x")],
  quotes: ["12", hashOf("n", `say"hi".it's\\`, "12")],
};

function hashOf(type: string, name: string, value: string): string {
  return hash("sha256", Buffer.from(`${type}${name.length}:${name}${value}`, "utf16le"), "hex");
}

function identify(rule: unknown) {
  const body = Buffer.from(JSON.stringify(sent));
  const payload = readPayload(body, "application/json");
  const headers = { "x-id": ["9"] };
  const { eventId, keyHash } = identifyEvent(listSources(rule as never), {
    headers,
    body,
    payload,
  });
  return [eventId, keyHash?.toString("hex")];
}
