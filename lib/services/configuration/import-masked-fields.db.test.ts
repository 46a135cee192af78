import { expect, test } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { withDatabase } from "#lib/db/testing/with-database.ts";
import { configurationFormat } from "#lib/schema/configuration.ts";
import { putMaskedFields } from "#lib/services/masked-fields.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { importConfiguration, readConfiguration } from "./import-configuration.ts";

const { db } = withDatabase();

test("an import masks more fields, and unmasks none", async () => {
  const id = newId();
  await db.account.create({ data: { id, slug: "acme", name: "Acme" } });
  const context = testContext(db, id);
  await putMaskedFields(context, { fields: ["**.phone", "card.*"] });
  const importFields = async (maskedFields: unknown) => {
    const file = readConfiguration({ format: configurationFormat, maskedFields });
    const options = { secrets: null, keepsCatchUrls: false, isApplied: true };
    return await importConfiguration(context, file, options);
  };
  expect(await importFields(["card.*", "**.email"])).toMatchObject({
    ok: true,
    report: { added: ['masked field "**.email"'], kept: ['masked field "**.phone"'] },
  });
  const stored = async () => (await db.account.findFirstOrThrow()).maskedFields;
  const fields = ["**.phone", "card.*", "**.email"];
  expect(await stored()).toEqual(fields);
  const many = Array.from({ length: 50 }, (_, index) => `f${index}`);
  expect(await importFields(many)).toMatchObject({
    ok: false,
    errors: [{ path: "maskedFields.fields", message: "at most 50 fields" }],
  });
  await expect(importFields(["a..b"])).rejects.toThrow("has an empty name");
  expect(await stored()).toEqual(fields);
});
