import { z } from "zod";
import { AppError, invalidField } from "#lib/base/errors.ts";
import { stringifyExactJson } from "#lib/core/mapping/json/stringify-exact-json.ts";
import { describeChanges, listBreakingChanges } from "#lib/core/sending/compare-schemas.ts";
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
import { listTypeVersions } from "#lib/db/event-types/type-versions.ts";
import { listKnownTypes as findKnownTypes } from "#lib/db/events/known-types.ts";
import type { Transaction } from "#lib/db/postgres/client.ts";
import { noFields, recordId } from "#lib/schema/field/common.ts";
import type { JsonValue } from "#lib/schema/field/json-value.ts";
import {
  catalogTypeName,
  eventTypeImportSchema,
  eventTypeQuerySchema,
  eventTypeSchema,
} from "#lib/schema/send/event-type.ts";
import { firstVersion } from "#lib/schema/send/payload-version.ts";
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

const ofVersion = z.strictObject({ name: recordId, version: recordId.optional() });

/** One of them, with the example and the schema of a version. Throws `not_found`. */
export const getCatalogType = service({
  permission: "subscriptions:read",
  input: ofVersion,
  portalInput: ofVersion,
  run: async (context, { name, version }) => {
    const type = await readCatalogType(context, context.actor.accountId, name, version);
    if (type === null) throw eventTypeNotFound();
    return type;
  },
});

/**
 * An event type of the catalog as the account's customers see it. Null: it isn't in it.
 *
 * @param wanted a version. Omitted, or one that it doesn't have: the newest
 */
export async function readCatalogType(
  { db }: ServiceParts,
  accountId: string,
  name: string,
  wanted?: string,
) {
  const type = await findEventType(db, accountId, name);
  if (type === null) return null;
  const versions = await listTypeVersions(db, accountId, name);
  const { description, deprecated } = type;
  const { schema, example, version } = versions.find((each) => each.version === wanted) ?? type;
  const json = { schema: writeJson(schema), example: writeJson(example) };
  const names = versions.map((each) => each.version).toReversed();
  return { name, description, deprecated, ...json, version, versions: names };
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
    for (const entry of entries) await requireUnbroken(tx, accountId, entry);
    await upsertEventTypes(tx, accountId, entries);
    if ((await countEventTypes(tx, accountId)) > maxEventTypes)
      throw new AppError("conflict", `The catalog has at most ${maxEventTypes} event types.`);
    const targets = entries.map(({ name }) => ({ type: "event_type", id: name }));
    await audit(context, { event: "event_type.saved", targets }, tx);
  });
}

/** A type with versions promises the data of each. Throws `invalid_request` if that would change. */
async function requireUnbroken(
  tx: Transaction,
  accountId: string,
  { name, schema }: NamedEventType,
): Promise<void> {
  const stored = await findEventType(tx, accountId, name);
  if (stored === null || stored.version === firstVersion) return;
  const changes = listBreakingChanges(toPlain(stored.schema), toPlain(schema));
  if (changes.length === 0) return;
  const what = `would break receivers of version ${stored.version} of ${name}`;
  const detail = `${what}: ${describeChanges(changes)}. Publish a new version instead`;
  throw invalidField("schema", detail, "not_allowed");
}

/** A JSON value with plain numbers. */
export function toPlain(value: JsonValue): JsonValue {
  return JSON.parse(JSON.stringify(value));
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
export async function requireUsableSchema(
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
