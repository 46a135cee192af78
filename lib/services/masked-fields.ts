import { z } from "zod";
import { readUtf8 } from "#lib/core/mapping/payload/read-utf8.ts";
import { isWhollyMasked, maskBody } from "#lib/core/people/mask/mask-body.ts";
import { startMasking } from "#lib/core/people/mask/mask-state.ts";
import { readMaskedFields, saveMaskedFields } from "#lib/db/accounts/masked-fields.ts";
import { getDelivery } from "#lib/db/deliveries/deliveries.ts";
import { listDeliveries } from "#lib/db/deliveries/list-deliveries.ts";
import { maskText } from "#lib/schema/receive/mask-text.ts";
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

export type MaskedPreview = {
  readonly deliveryId: string;
  readonly hookName: string;
  readonly eventType: string | null;
  /** The body as a viewer sees it, at most its start. */
  readonly body: string;
  readonly isCut: boolean;
  /** The number of masked values. Null: the whole body is masked. */
  readonly masked: number | null;
};

const maxChars = 8_000;

/** Shows the newest delivery as viewers would see it with these fields. Null: there is none. */
export const previewMaskedFields = service({
  permission: "account:write",
  input: maskedFieldsSchema,
  run: async ({ db, actor }, { fields }): Promise<MaskedPreview | null> => {
    const { items } = await listDeliveries(db, actor.accountId, {}, { limit: 20 });
    const newest = items.find(({ bodySize }) => bodySize > 0);
    if (newest === undefined) return null;
    const { id, hookName, eventType, body } = await getDelivery(db, actor.accountId, newest.id);
    const shown = maskBody(body, startMasking(fields));
    const text = indent(readUtf8(shown) ?? "");
    return {
      ...{ deliveryId: id, hookName, eventType },
      body: text.slice(0, maxChars).toWellFormed(),
      isCut: text.length > maxChars,
      masked: isWhollyMasked(shown) ? null : text.split(maskText).length - 1,
    };
  },
});

function indent(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    // A form, or a body that is masked as a whole.
    return text;
  }
}
