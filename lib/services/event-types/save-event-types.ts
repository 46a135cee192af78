import { AppError } from "#lib/base/errors.ts";
import type { ImportedTypes } from "#lib/core/sending/read-openapi.ts";
import { lockAccount } from "#lib/db/accounts/lock-account.ts";
import {
  countEventTypes,
  type EventTypeRecord,
  getEventType,
  type NamedEventType,
  upsertEventTypes,
} from "#lib/db/event-types/event-types.ts";
import {
  catalogTypeName,
  eventTypeImportSchema,
  eventTypeSchema,
} from "#lib/schema/send/event-type.ts";
import { audit } from "#lib/services/frame/audit.ts";
import { type ServiceContext, service } from "#lib/services/frame/service.ts";
import { readOpenApiTypes, requireUsableSchema } from "./check-event-schema.ts";

/** The maximum per account. More would make every publisher's cache large. */
const maxEventTypes = 2_000;

/** Creates an entry of the catalog, or replaces it. */
export const putEventType = service({
  permission: "subscriptions:write",
  input: eventTypeSchema.extend({ name: catalogTypeName }),
  run: async (context, entry): Promise<EventTypeRecord> => {
    const { db, actor } = context;
    await requireUsableSchema(actor.accountId, entry);
    await saveEventTypes(context, [entry]);
    return await getEventType(db, actor.accountId, entry.name);
  },
});

export type EventTypeImport = Omit<ImportedTypes, "entries"> & {
  /** The names of the entries. */
  readonly imported: readonly string[];
};

/** Replaces entries with the same name. `skipped` lists the entries that can't be used, and why. */
export const importEventTypes = service({
  permission: "subscriptions:write",
  input: eventTypeImportSchema,
  run: async (context, { document }): Promise<EventTypeImport> => {
    const { entries, skipped } = await readOpenApiTypes(context.actor.accountId, document);
    await saveEventTypes(context, entries);
    return { imported: entries.map(({ name }) => name), skipped };
  },
});

/** Saves all entries or none. */
async function saveEventTypes(
  context: ServiceContext,
  entries: readonly NamedEventType[],
): Promise<void> {
  const { accountId } = context.actor;
  await context.db.$transaction(async (tx) => {
    await lockAccount(tx, accountId);
    await upsertEventTypes(tx, accountId, entries);
    if ((await countEventTypes(tx, accountId)) > maxEventTypes)
      throw new AppError("conflict", `The catalog has at most ${maxEventTypes} event types.`);
    const targets = entries.map(({ name }) => ({ type: "event_type", id: name }));
    await audit(context, { event: "event_type.saved", targets }, tx);
  });
}
