import { z } from "zod";
import { readMaskedFields, saveMaskedFields } from "#lib/db/accounts/masked-fields.ts";
import { maskedFieldsSchema } from "#lib/schema/receive/masked-fields.ts";
import { audit } from "#lib/services/frame/audit.ts";
import { service } from "#lib/services/frame/service.ts";

/** The fields of payloads that viewers see masked. */
export const getMaskedFields = service({
  permission: "account:read",
  input: z.strictObject({}),
  run: ({ db, actor }) => readMaskedFields(db, actor.accountId),
});

/** Replaces them, for every page and call from the next request on. */
export const putMaskedFields = service({
  permission: "account:write",
  input: maskedFieldsSchema,
  run: async (context, { fields }): Promise<readonly string[]> => {
    const { db, actor } = context;
    return await db.$transaction(async (tx) => {
      const before = await readMaskedFields(tx, actor.accountId);
      await saveMaskedFields(tx, actor.accountId, fields);
      const targets = [{ type: "account", id: actor.accountId }];
      const change = { before: { fields: before }, after: { fields } };
      await audit(context, { event: "masked_fields.changed", targets, ...change }, tx);
      return fields;
    });
  },
});
