import { z } from "zod";
import { newId } from "#lib/base/ids.ts";
import { stringifyExactJson } from "#lib/core/mapping/json/stringify-exact-json.ts";
import { proposeType } from "#lib/core/sending/event-type-patterns.ts";
import type { EventView } from "#lib/core/sending/filter-input.ts";
import { toEventBody } from "#lib/core/sending/read-published-event.ts";
import { findEventType } from "#lib/db/event-types/event-types.ts";
import { findNewestVersion, listTypeVersions } from "#lib/db/event-types/type-versions.ts";
import type { EventRecord } from "#lib/db/events/event-record.ts";
import { getEvent } from "#lib/db/events/events.ts";
import { listKnownTypes } from "#lib/db/events/known-types.ts";
import { publicEventId } from "#lib/schema/send/event.ts";
import { type TransformCheckInput, transformCheckSchema } from "#lib/schema/send/subscription.ts";
import { type ServiceContext, service } from "#lib/services/frame/service.ts";
import { busyServer, webThreads } from "#lib/services/threads/web-threads.ts";
import { shareReads, toPinnedVersion } from "#lib/threads/transform/to-pinned-version.ts";
import { transformBody } from "#lib/threads/transform/transform-event.ts";
import { findOwnEvents, mapOwnEvents, passesFilter, toEventView } from "./own-events.ts";
import { requireTransform } from "./transform-rules.ts";

/** An error of a transform, and where it is in the code. */
type TransformError = {
  readonly message: string;
  /** Counted from 1. Null: that isn't known. */
  readonly line: number | null;
  readonly column: number | null;
};

type Tried =
  /** Null: it returned null, so nothing would be sent. */
  | { readonly ok: true; readonly body: string | null }
  | { readonly ok: false; readonly error: TransformError };

type TriedEvent = {
  /** Null: the example of its type, which no one has published. */
  readonly id: string | null;
  readonly type: string;
};

export type TransformPreview = {
  /** The newest events that it would have got, to choose from. */
  readonly choices: readonly TriedEvent[];
  readonly event: TriedEvent;
  /** What the transform gets as `payload`, at most its start. */
  readonly input: string;
  /** What would be sent, at most its start. Null: nothing, or it failed. */
  readonly output: string | null;
  readonly error: TransformError | null;
};

const previewSchema = transformCheckSchema.omit({ filter: true }).extend({
  /** Null: the newest one that it would have got, or else an example. */
  eventId: publicEventId.nullable(),
  isExample: z.boolean().default(false),
});

/** What a page shows of a body, and one more character, which says that there are more. */
const maxChars = 20_001;
const maxChoices = 10;

/**
 * Shows what a transform makes of a stored event, or of the example of an event type. Sends nothing.
 * Who sees masked fields sees what it makes of masked values. Throws `not_found`.
 */
export const previewTransform = service({
  permission: "events:read",
  input: previewSchema,
  run: async (context, { eventId, isExample, ...input }): Promise<TransformPreview> => {
    const { db, actor } = context;
    const at = { searched: 200, wanted: maxChoices };
    const choices = await findOwnEvents(context, input, at);
    const chosen = isExample ? undefined : (eventId ?? choices[0]?.internalId);
    const stored = chosen === undefined ? null : await getEvent(db, actor.accountId, chosen);
    const view = stored === null ? await makeExample(context, input) : toEventView(stored);
    const { read, made } = await tryOn(context, { ...input, filter: null }, view);
    return {
      choices: choices.map(({ id, type }) => ({ id, type })),
      event: { id: stored?.id ?? null, type: view.type },
      input: read.slice(0, maxChars),
      output: made?.ok === true ? (made.body?.slice(0, maxChars) ?? null) : null,
      error: made?.ok === false ? made.error : null,
    };
  },
});

export type TransformCheck = {
  /** The number of stored events that it ran on. */
  readonly checked: number;
  readonly failed: number;
  /** Those that it returned null for. */
  readonly skipped: number;
  /** The newest ones that it fails for. */
  readonly failures: readonly (TransformError & {
    readonly eventId: string;
    readonly type: string;
  })[];
};

/** The newest stored events that a transform is tried on. */
const triedEvents = 100;
const searchedEvents = 1_000;
const maxFailures = 20;
/** A slow transform is tried on fewer. */
const maxCheckMs = 15_000;

/**
 * Tries a transform on the newest stored events that a subscription would have got. Sends nothing.
 * Throws `template_invalid` if it can't be loaded.
 */
export const checkTransform = service({
  permission: "events:read",
  input: transformCheckSchema,
  run: async (context, input): Promise<TransformCheck> => {
    await requireTransform(context.actor.accountId, input.transform);
    const at = { searched: searchedEvents, wanted: triedEvents };
    const events = await findOwnEvents(context, input, at);
    const endsAtMs = Date.now() + maxCheckMs;
    const results = await mapOwnEvents(context, events, async (event) => {
      if (Date.now() > endsAtMs) return null;
      const { made } = await tryOn(context, input, toEventView(event));
      return made === null ? null : { event, made };
    });
    return tally(results.filter((result) => result !== null));
  },
});

type Result = { readonly event: EventRecord; readonly made: Tried };

function tally(results: readonly Result[]): TransformCheck {
  const failures = results.flatMap(({ event: { id: eventId, type }, made }) =>
    made.ok ? [] : [{ eventId, type, ...made.error }],
  );
  return {
    checked: results.length,
    failed: failures.length,
    skipped: results.filter(({ made }) => made.ok && made.body === null).length,
    failures: failures.slice(0, maxFailures),
  };
}

type Trial = {
  /** What the transform gets as `payload`. */
  readonly read: string;
  /** Null: its filter doesn't match. */
  readonly made: Tried | null;
};

/** Runs a transform on an event, in the version that the subscription gets. */
async function tryOn(
  context: ServiceContext,
  { transform: source, version, filter }: TransformCheckInput,
  event: EventView,
): Promise<Trial> {
  const { db, actor } = context;
  const { accountId } = actor;
  const payloadVersion = version ?? (await findNewestVersion(db, accountId));
  const findVersions = shareReads((account, type) => listTypeVersions(db, account, type));
  const parts = { threads: webThreads(), findVersions };
  const pinned = await toPinnedVersion(event, { accountId, payloadVersion }, parts);
  if (!pinned.ok) return { read: toText(event), made: fail(pinned.message, null) };
  const read = toText(pinned.event);
  if (filter !== null && !(await passesFilter(context, pinned.event, filter)))
    return { read, made: null };
  const made = await transformBody(parts.threads, pinned.event, { accountId, source });
  if (made.ok) return { read, made };
  if (made.isBusy) throw busyServer();
  return { read, made: fail(made.message, made.place) };
}

function toText({ body }: EventView): string {
  return Buffer.from(body).toString("utf8");
}

function fail(
  message: string,
  place: { readonly line: number; readonly column: number } | null,
): Tried {
  const { line = null, column = null } = place ?? {};
  return { ok: false, error: { message, line, column } };
}

const maxKnown = 300;

/** An event with the example of a type that the subscription gets, as a test event has it. */
async function makeExample(
  { db, actor }: ServiceContext,
  { eventTypes }: Pick<TransformCheckInput, "eventTypes">,
): Promise<EventView> {
  const { accountId } = actor;
  const known = await listKnownTypes(db, accountId, maxKnown);
  const type = proposeType(eventTypes, known);
  const entry = await findEventType(db, accountId, type);
  const written = stringifyExactJson(entry?.example ?? { message: "This is a test event." });
  const dataJson = written.ok ? written.text : "{}";
  const version = entry?.version ?? null;
  const id = newId();
  const body = Buffer.from(toEventBody(id, Date.now(), { type, version, dataJson }));
  return { id, publicId: id, type, body };
}
