import { z } from "zod";
import { AppError, invalidField } from "#lib/base/errors.ts";
import { stringifyExactJson } from "#lib/core/mapping/json/stringify-exact-json.ts";
import type { SchemaTrial } from "#lib/core/sending/event-schema.ts";
import type { ImportedTypes } from "#lib/core/sending/read-openapi.ts";
import type { Mismatch } from "#lib/core/sending/schema-finding.ts";
import { lockAccount } from "#lib/db/accounts/lock-account.ts";
import { findPublicCatalog, readSenderSettings } from "#lib/db/accounts/sender-settings.ts";
import {
  countEventTypes,
  type EventTypeRecord,
  eventTypeNotFound,
  listCatalog as findCatalog,
  getEventType as findEntry,
  findEventType,
  listEventTypes as findEventTypes,
  type NamedEventType,
  removeEventType,
  upsertEventTypes,
} from "#lib/db/event-types/event-types.ts";
import { readTypeFigures } from "#lib/db/event-types/type-figures.ts";
import { listKnownTypes as findKnownTypes } from "#lib/db/events/known-types.ts";
import { noFields, recordId } from "#lib/schema/field/common.ts";
import type { JsonValue } from "#lib/schema/field/json-value.ts";
import {
  catalogTypeName,
  eventTypeImportSchema,
  eventTypeQuerySchema,
  eventTypeSchema,
} from "#lib/schema/send/event-type.ts";
import { audit } from "#lib/services/frame/audit.ts";
import { type ServiceContext, service } from "#lib/services/frame/service.ts";
import type { ServiceParts } from "#lib/services/frame/service-parts.ts";
import { busyServer, webThreads } from "#lib/services/threads/web-threads.ts";
import { isBusy } from "#lib/threads/thread-outcome.ts";

export type { EventTypeRecord } from "#lib/db/event-types/event-types.ts";

/** Throws `not_found` if it isn't in the catalog. */
export const getEventType = service({
  permission: "subscriptions:read",
  input: z.strictObject({ name: recordId }),
  run: ({ db, actor }, { name }) => findEntry(db, actor.accountId, name),
});

/** The catalog, in the order of its names. */
export const listEventTypes = service({
  permission: "subscriptions:read",
  input: eventTypeQuerySchema,
  run: ({ db, actor }, query) => findEventTypes(db, actor.accountId, query, query),
});

/** The time over which the events of a type are counted. */
const countedMs = 7 * 86_400_000;

/** The catalog with the subscribers of each type, and its events of the last week. */
export const listEventTypeRows = service({
  permission: "subscriptions:read",
  input: eventTypeQuerySchema,
  run: async ({ db, actor, now }, query) => {
    const { items, nextCursor } = await findEventTypes(db, actor.accountId, query, query);
    const names = items.map(({ name }) => name);
    const fromMs = now().getTime() - countedMs;
    const figures = await readTypeFigures(db, actor.accountId, names, fromMs);
    const none = { subscribers: 0, events: 0 };
    return {
      items: items.map((type) => ({ ...type, ...(figures.get(type.name) ?? none) })),
      nextCursor,
    };
  },
});

/** The event types that the account sends, by name. */
export const listCatalog = service({
  permission: "subscriptions:read",
  input: noFields,
  portalInput: noFields,
  run: ({ db, actor }) => findCatalog(db, actor.accountId),
});

/** The maximum in a list to choose from. A longer list is of no help. */
const maxKnown = 300;

/** Event types to offer: those in the catalog, and those that were published. */
export const listKnownTypes = service({
  permission: "subscriptions:read",
  input: noFields,
  run: ({ db, actor }) => findKnownTypes(db, actor.accountId, maxKnown),
});

const byName = z.strictObject({ name: recordId });

/** One of them, with its example and its schema. Throws `not_found`. */
export const getCatalogType = service({
  permission: "subscriptions:read",
  input: byName,
  portalInput: byName,
  run: async (context, { name }) => {
    const type = await readCatalogType(context, context.actor.accountId, name);
    if (type === null) throw eventTypeNotFound();
    return type;
  },
});

/** An event type of the catalog as the account's customers see it. Null: it isn't in it. */
export async function readCatalogType({ db }: ServiceParts, accountId: string, name: string) {
  const type = await findEventType(db, accountId, name);
  if (type === null) return null;
  const { description, deprecated, schema, example } = type;
  return { name, description, deprecated, schema: writeJson(schema), example: writeJson(example) };
}

/** The catalog that an account shows to everyone. Null: it has none, or keeps it to itself. */
export async function readPublicCatalog({ db }: ServiceParts, slug: string) {
  const account = await findPublicCatalog(db, slug);
  if (account === null) return null;
  const { accountId, accountName } = account;
  const [settings, entries] = await Promise.all([
    readSenderSettings(db, accountId),
    findCatalog(db, accountId),
  ]);
  return { accountId, name: settings.portalName ?? accountName, settings, entries };
}

function writeJson(value: JsonValue): string | null {
  if (value === null) return null;
  const written = stringifyExactJson(value);
  return written.ok ? written.text : null;
}

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
    return await findEntry(db, actor.accountId, entry.name);
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

/** Removes an entry of the catalog. Events that were published keep their type. */
export const deleteEventType = service({
  permission: "subscriptions:write",
  input: z.strictObject({ name: recordId }),
  run: async (context, { name }): Promise<void> => {
    await context.db.$transaction(async (tx) => {
      if (!(await removeEventType(tx, context.actor.accountId, name))) throw eventTypeNotFound();
      const targets = [{ type: "event_type", id: name }];
      await audit(context, { event: "event_type.deleted", targets }, tx);
    });
  },
});

const limitsMs = { run: 2_000 };
const maxWaitMs = 10_000;

/**
 * Throws `invalid_request` if the schema can't be compiled, if that takes too long, or if the
 * example doesn't match it.
 */
async function requireUsableSchema(
  accountId: string,
  { schema, example }: SchemaTrial,
): Promise<void> {
  if (schema === null) return;
  const options = { accountId, limitsMs, maxWaitMs };
  // The copy turns exact numbers into plain ones: a thread can't receive classes.
  const plain: SchemaTrial = JSON.parse(JSON.stringify({ schema, example }));
  const outcome = await webThreads().run("findSchemaProblem", plain, options);
  if (isBusy(outcome)) throw busyServer();
  if (outcome.kind !== "done") throw tooSlow();
  const problem = outcome.value;
  if (problem === null) return;
  const isExample = problem.path !== "schema";
  throw invalidField(
    problem.path,
    problem.message,
    isExample ? "schema_mismatch" : "invalid_value",
  );
}

function tooSlow() {
  return invalidField("schema", "can't be used: it takes too long to check");
}

/** The event types of an OpenAPI document. Throws `invalid_request` if there are none. */
async function readOpenApiTypes(accountId: string, document: unknown): Promise<ImportedTypes> {
  const options = { accountId, limitsMs: { run: 10_000 }, maxWaitMs };
  const outcome = await webThreads().run("readOpenApi", document, options);
  if (isBusy(outcome)) throw busyServer();
  if (outcome.kind !== "done") throw invalidField("document", "takes too long to read");
  if (!outcome.value.ok) throw invalidField("document", outcome.value.message);
  const { entries, skipped } = outcome.value;
  return { entries, skipped };
}

const dataLimitsMs = { run: 5_000, check: 1_000 };

/**
 * The first difference between data and the schema of its type, by the code that checks published
 * events. Null: it matches, or there is no schema.
 *
 * @param dataJson the data as JSON
 */
export async function checkEventData(
  accountId: string,
  schema: JsonValue,
  dataJson: string,
): Promise<Mismatch | null> {
  if (schema === null) return null;
  const written = stringifyExactJson(schema);
  if (!written.ok) throw new Error(`A stored schema can't be written: ${written.message}`);
  const check = { schema: written.text, dataJsons: [dataJson] };
  const outcome = await webThreads().run("checkData", check, {
    accountId,
    limitsMs: dataLimitsMs,
    maxWaitMs,
  });
  if (isBusy(outcome)) throw busyServer();
  if (outcome.kind === "done") return outcome.value[0] ?? null;
  const message = "can't be checked, because the schema of this event type takes too long";
  return { kind: "unchecked", path: "data", message };
}
