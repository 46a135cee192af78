import { z } from "zod";
import { AppError, invalidField } from "#lib/base/errors.ts";
import { newId } from "#lib/base/ids.ts";
import { stringifyExactJson } from "#lib/core/mapping/json/stringify-exact-json.ts";
import {
  describeChanges,
  listBreakingChanges,
  type SchemaChange,
} from "#lib/core/sending/compare-schemas.ts";
import { chooseVersion } from "#lib/core/sending/payload-version.ts";
import { readEventData, toEventBody } from "#lib/core/sending/read-published-event.ts";
import { describeMismatch } from "#lib/core/sending/schema-finding.ts";
import { eventTypeNotFound } from "#lib/db/event-types/event-types.ts";
import { countPins } from "#lib/db/event-types/type-figures.ts";
import {
  addTypeVersion,
  changeTypeVersion,
  listTypeVersions,
  lockEventType,
  type TypeVersion,
} from "#lib/db/event-types/type-versions.ts";
import { listNewestBodies } from "#lib/db/events/events.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import { recordId } from "#lib/schema/field/common.ts";
import {
  type EventTypeVersionInput,
  eventTypeVersionPatchSchema,
  eventTypeVersionSchema,
  firstVersion,
} from "#lib/schema/send/payload-version.ts";
import { audit } from "#lib/services/frame/audit.ts";
import { type ServiceContext, service } from "#lib/services/frame/service.ts";
import { busyServer, webThreads } from "#lib/services/threads/web-threads.ts";
import { transformEvent } from "#lib/threads/transform/transform-event.ts";
import { checkEventData, requireUsableSchema, toPlain } from "./event-types.ts";

export type ComparedVersion = TypeVersion & {
  /** What it allows that the version before doesn't. */
  readonly breaking: readonly SchemaChange[];
  /** The number of subscriptions that get it. */
  readonly subscribers: number;
};

/** The maximum per event type. */
const maxVersions = 50;
/** The newest stored events that a new schema is tried on. */
const triedEvents = 100;

/** The versions of an event type, newest first. Throws `not_found`. */
export const listEventTypeVersions = service({
  permission: "subscriptions:read",
  input: z.strictObject({ name: recordId }),
  run: async ({ db, actor, now }, { name }): Promise<readonly ComparedVersion[]> => {
    const versions = await listCompared(db, actor.accountId, name, now());
    if (versions.length === 0) throw eventTypeNotFound();
    return versions.toReversed();
  },
});

/** Oldest first. */
async function listCompared(
  db: SqlStatements,
  accountId: string,
  name: string,
  now: Date,
): Promise<readonly ComparedVersion[]> {
  const versions = await listTypeVersions(db, accountId, name);
  if (versions.length === 0) return [];
  const pins = await countPins(db, accountId, name);
  const chosen = pins.map(({ pinned, count }) => ({
    index: chooseVersion(versions, pinned, now.getTime()),
    count,
  }));
  return versions.map((version, index) => ({
    ...version,
    breaking: listChanges(versions[index - 1], version),
    subscribers: chosen.reduce((sum, pin) => sum + (pin.index === index ? pin.count : 0), 0),
  }));
}

function listChanges(
  before: TypeVersion | undefined,
  { schema }: Pick<TypeVersion, "schema">,
): readonly SchemaChange[] {
  return listBreakingChanges(toPlain(before?.schema ?? null), toPlain(schema));
}

const namedVersion = eventTypeVersionSchema.extend({ name: recordId });

export type VersionCheck = {
  /** What would break receivers of the version before. */
  readonly breaking: readonly SchemaChange[];
  /** The newest stored events, and those of them that don't match the new schema. */
  readonly stored: {
    readonly checked: number;
    readonly mismatched: number;
    /** The difference of the newest one that doesn't match. Null: all match. */
    readonly reason: string | null;
  };
  /** The reason why it can't be published. Null: it can. */
  readonly problem: string | null;
};

/** What publishing a version would do, without publishing it. */
export const checkEventTypeVersion = service({
  permission: "subscriptions:read",
  input: namedVersion,
  run: async (context, { name, ...input }): Promise<VersionCheck> => {
    const before = await readNewest(context, name);
    const breaking = listChanges(before, input);
    const stored = await tryOnStored(context, name, input);
    const problem = await findProblem(context, { name, before, input });
    return { breaking, stored, problem: problem?.message ?? null };
  },
});

/** Publishes a version of an event type: its newest from now on. */
export const createEventTypeVersion = service({
  permission: "subscriptions:write",
  input: namedVersion,
  run: async (context, { name, ...input }): Promise<ComparedVersion> => {
    const { db, actor, now } = context;
    const owner = { accountId: actor.accountId, name };
    const before = await readNewest(context, name);
    const problem = await findProblem(context, { name, before, input });
    if (problem !== null) throw problem;
    const version = input.version ?? now().toISOString().slice(0, 10);
    return await db.$transaction(async (tx) => {
      await lockEventType(tx, owner);
      const versions = await listTypeVersions(tx, owner.accountId, name);
      if (versions.at(-1)?.version !== before.version)
        throw new AppError(
          "conflict",
          "Another version was published meanwhile. Look at it first.",
        );
      if (versions.length >= maxVersions)
        throw new AppError("conflict", `An event type has at most ${maxVersions} versions.`);
      if (before.version !== firstVersion && version <= before.version)
        throw invalidField("version", `must be a date after ${before.version}`);
      await addTypeVersion(tx, owner, { ...input, version });
      const targets = [{ type: "event_type", id: name }];
      await audit(context, { event: "event_type.version_published", targets }, tx);
      const after = (await listCompared(tx, owner.accountId, name, now())).at(-1);
      if (after === undefined) throw eventTypeNotFound();
      return after;
    });
  },
});

/**
 * Says until when a version lives, or what it changed, or corrects its transform. The newest version
 * doesn't end.
 */
export const updateEventTypeVersion = service({
  permission: "subscriptions:write",
  input: eventTypeVersionPatchSchema.extend({ name: recordId, version: recordId }),
  run: async (context, { name, version, ...patch }): Promise<ComparedVersion> => {
    const { db, actor, now } = context;
    const owner = { accountId: actor.accountId, name };
    return await db.$transaction(async (tx) => {
      await lockEventType(tx, owner);
      const versions = await listTypeVersions(tx, owner.accountId, name);
      const index = versions.findIndex((each) => each.version === version);
      const found = versions[index];
      if (found === undefined)
        throw new AppError("not_found", "This event type has no such version.");
      const endsAt = toEnd(patch.endsAt, found);
      const note = patch.note === undefined ? found.note : patch.note || null;
      const before = versions[index - 1];
      const { transform = found.transform } = patch;
      if (transform !== found.transform) {
        if (before === undefined) throw invalidField("transform", noneBefore, "not_allowed");
        await requireTransform(context, { name, before, input: { ...found, transform } });
      }
      await changeTypeVersion(tx, { ...owner, version }, { endsAt, note, transform });
      const targets = [{ type: "event_type", id: name }];
      await audit(context, { event: "event_type.version_changed", targets }, tx);
      const after = (await listCompared(tx, owner.accountId, name, now()))[index];
      if (after === undefined) throw eventTypeNotFound();
      return after;
    });
  },
});

const noneBefore = "must be null: there is no version before the first";

function toEnd(endsAt: number | null | undefined, found: TypeVersion): Date | null {
  if (endsAt === undefined) return found.endsAt;
  if (endsAt !== null && found.isNewest)
    throw invalidField("endsAt", "must be null: the newest version doesn't end", "not_allowed");
  return endsAt === null ? null : new Date(endsAt);
}

async function readNewest({ db, actor }: ServiceContext, name: string): Promise<TypeVersion> {
  const newest = (await listTypeVersions(db, actor.accountId, name)).at(-1);
  if (newest === undefined) throw eventTypeNotFound();
  return newest;
}

type Tried = {
  readonly name: string;
  readonly before: TypeVersion;
  readonly input: EventTypeVersionInput;
};

/** The reason why a version can't be published. Null: it can. */
async function findProblem(context: ServiceContext, tried: Tried): Promise<AppError | null> {
  try {
    await requireUsableSchema(context.actor.accountId, tried.input);
    await requireTransform(context, tried);
    return null;
  } catch (error) {
    if (error instanceof AppError && error.code === "invalid_request") return error;
    throw error;
  }
}

/** A version that breaks receivers has a transform, which is tried on its example. */
async function requireTransform(
  { actor }: ServiceContext,
  { name, before, input }: Tried,
): Promise<void> {
  const { accountId } = actor;
  const { transform: source, example } = input;
  const breaking = listChanges(before, input);
  if (source === null && breaking.length === 0) return;
  if (source === null) {
    const what = `must be given, because receivers of version ${before.version} would break`;
    throw invalidField("transform", `${what}: ${describeChanges(breaking)}`, "required");
  }
  if (example === null)
    throw invalidField("example", "must be given: the transform is tried on it", "required");
  const written = stringifyExactJson(example);
  if (!written.ok) throw invalidField("example", `can't be written: ${written.message}`);
  const id = newId();
  const event = { type: name, version: input.version ?? null, dataJson: written.text };
  const body = Buffer.from(toEventBody(id, Date.now(), event));
  const view = { id, publicId: id, type: name, body };
  const result = await transformEvent(webThreads(), view, { accountId, source });
  if (!result.ok && result.isBusy) throw busyServer();
  if (!result.ok) throw invalidField("transform", `fails on the example: ${result.message}`);
  const mismatch = await checkEventData(accountId, before.schema, result.json);
  if (mismatch === null) return;
  const what = `gives data that doesn't match version ${before.version}`;
  throw invalidField("transform", `${what}: ${describeMismatch(mismatch)}`, "schema_mismatch");
}

/** Tries a new schema on the newest stored events. */
async function tryOnStored(
  { db, actor }: ServiceContext,
  name: string,
  { schema }: EventTypeVersionInput,
): Promise<VersionCheck["stored"]> {
  const { accountId } = actor;
  const bodies = await listNewestBodies(db, accountId, name, triedEvents);
  const written = schema === null ? null : stringifyExactJson(schema);
  if (written === null || !written.ok)
    return { checked: bodies.length, mismatched: 0, reason: null };
  const check = { schema: written.text, dataJsons: bodies.map(readEventData) };
  const limitsMs = { run: 5_000, check: 5_000 };
  const outcome = await webThreads().run("checkData", check, { accountId, limitsMs });
  if (outcome.kind !== "done") throw busyServer();
  const mismatches = outcome.value.filter((mismatch) => mismatch !== null);
  const [newest = null] = mismatches;
  return {
    checked: bodies.length,
    mismatched: mismatches.length,
    reason: newest === null ? null : describeMismatch(newest),
  };
}
