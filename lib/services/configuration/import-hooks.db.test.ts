import { expect, test } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { defaultDedupe } from "#lib/core/verify/hook/hook-rules.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { configurationFormat } from "#lib/schema/configuration.ts";
import { createHook } from "#lib/services/hooks/write-hooks.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { importConfiguration, readConfiguration } from "./import-configuration.ts";

const { db } = withDatabase();

test("a hook whose provider changes has the rules of the file, and not those of the provider", async () => {
  const accountId = newId();
  await db.account.create({ data: { id: accountId, slug: "acme", name: "Acme" } });
  const context = testContext(db, accountId);
  const { hook } = await createHook(context, { name: "Orders" });
  const dedupe = defaultDedupe("generic");
  const file = readConfiguration({
    format: configurationFormat,
    hooks: [{ name: "Orders", provider: "github", dedupe }],
  });
  const apply = async () => {
    const options = { secrets: null, keepsCatchUrls: false, isApplied: true };
    const result = await importConfiguration(context, file, options);
    return result.ok ? result.report.changed : result.errors;
  };
  expect(await apply()).toEqual(['hook "Orders": provider']);
  const saved = await db.hook.findUniqueOrThrow({ where: { id: hook.id } });
  expect([saved.provider, saved.dedupe]).toEqual(["github", dedupe]);
  expect(await apply()).toEqual([]);
});
