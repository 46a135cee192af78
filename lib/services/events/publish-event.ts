import { z } from "zod";
import { AppError } from "#lib/base/errors.ts";
import { newId } from "#lib/base/ids.ts";
import { explainReach } from "#lib/core/sending/explain-reach.ts";
import { type PublishedEvent, readPublishedEvent } from "#lib/core/sending/read-published-event.ts";
import {
  describeMismatch,
  type EventCheck,
  type Finding,
  unknownVersion,
} from "#lib/core/sending/schema-finding.ts";
import { toNewEvent } from "#lib/core/sending/to-new-event.ts";
import { type EventTypeRecord, findEventType } from "#lib/db/event-types/event-types.ts";
import { listTypeVersions } from "#lib/db/event-types/type-versions.ts";
import {
  findMatching,
  isSubscribed,
  type MatchingSubscription,
} from "#lib/db/events/find-reach.ts";
import type { Topic } from "#lib/db/events/match-subscriptions.ts";
import { storeEvents } from "#lib/db/events/store-events.ts";
import type { Database } from "#lib/db/postgres/client.ts";
import { notifyRunsDue } from "#lib/db/queue/notify.ts";
import { listSubscriptions } from "#lib/db/subscriptions/list-subscriptions.ts";
import { eventLimits } from "#lib/schema/send/event.ts";
import { firstVersion } from "#lib/schema/send/payload-version.ts";
import { checkEventData } from "#lib/services/event-types.ts";
import { audit } from "#lib/services/frame/audit.ts";
import { service } from "#lib/services/frame/service.ts";
import type { ServiceParts } from "#lib/services/frame/service-parts.ts";

type PublishedNow = {
  readonly id: string;
  readonly type: string;
  /** The number of its sends. */
  readonly runs: number;
  /** The difference between its data and the schema of its type. */
  readonly warning: string | null;
  /** The reason why it has no sends, in sentences. */
  readonly problem: string | null;
};

/** The body of `POST /events` as text, so that receivers get each digit as it was typed. */
const publishedBody = z.strictObject({
  body: z.string().refine((text) => Buffer.byteLength(text) <= eventLimits.bytes, {
    error: "must have at most 1 MiB",
  }),
});

/**
 * Publishes one event for a person. Programs publish by `POST /events`, which the listener process
 * answers: both check the same body and run the same statement.
 */
export const publishEvent = service({
  permission: "events:write",
  input: publishedBody,
  run: async (context, { body }): Promise<PublishedNow> => {
    const { db, actor, now } = context;
    const { accountId } = actor;
    const event = readBody(body);
    const { finding, version } = await checkEvent(context, accountId, event);
    requireMatch(finding);
    const warning = finding === null ? null : describeMismatch(finding);
    const arrival = { id: newId(), givenId: event.publicId, receivedAtMs: now().getTime() };
    const made = toNewEvent({ ...arrival, accountId, warning }, { ...event, version });
    const { publicId: id, type } = made;
    const stored = await db.$transaction(async (tx) => {
      const [row] = await storeEvents(tx, [made]);
      if (row?.outcome !== "stored")
        throw new AppError("conflict", "An event was published with this id. Use a new id.");
      const targets = [{ type: "event", id, name: type }];
      await audit(context, { event: "event.published", targets }, tx);
      return row;
    });
    if (stored.runs > 0) notifyRunsDue(db);
    const problem = stored.runs > 0 ? null : (await readReach(db, { accountId, ...event })).problem;
    return { id, type, runs: stored.runs, warning, problem };
  },
});

/** Throws `schema_mismatch` if the type only accepts data that matches its schema. */
function requireMatch(finding: Finding): void {
  if (finding?.isRequired !== true) return;
  const { path, message } = finding;
  throw new AppError("schema_mismatch", `${path}: ${message}.`, {
    errors: [{ path, code: "schema_mismatch", message }],
  });
}

export type EventPreview = CheckedEvent & { readonly reach: Reach };

/** Tells what publishing an event would do, without publishing it. */
export const previewEvent = service({
  permission: "events:write",
  input: publishedBody,
  run: async (context, { body }): Promise<EventPreview> => {
    const event = readBody(body);
    const { accountId } = context.actor;
    const [checked, reach] = await Promise.all([
      checkEvent(context, accountId, event),
      readReach(context.db, { accountId, ...event }),
    ]);
    return { ...checked, reach };
  },
});

/** Throws `invalid_json` or `invalid_request`, as the API does. */
function readBody(body: string): PublishedEvent {
  const read = readPublishedEvent(Buffer.from(body));
  if (!read.ok) throw new AppError(read.problem.code, read.problem.detail, toErrors(read.problem));
  const [event] = read.events;
  if (event === undefined) throw new Error("A body holds one event");
  return event;
}

type CheckedEvent = {
  /** True if the catalog has a schema for the event's type. */
  readonly hasSchema: boolean;
} & EventCheck;

/** Checks an event against the schema of its type, in the version that it names. */
export async function checkEvent(
  { db }: ServiceParts,
  accountId: string,
  { type, version: named, dataJson }: PublishedEvent,
): Promise<CheckedEvent> {
  const entry = await findEventType(db, accountId, type);
  const chosen = await findVersion(db, accountId, { type, named, entry });
  if (chosen === null) return { hasSchema: false, finding: unknownVersion, version: named };
  const { version, schema } = chosen;
  if (entry === null || schema === null) return { hasSchema: false, finding: null, version };
  const mismatch = await checkEventData(accountId, schema, dataJson);
  const finding =
    mismatch === null ? null : { ...mismatch, isRequired: entry.onMismatch === "reject" };
  return { hasSchema: true, finding, version };
}

type NamedVersion = {
  readonly type: string;
  readonly named: string | null;
  readonly entry: EventTypeRecord | null;
};

/** The version of an event's data, and its schema. Null: its type has no such version. */
async function findVersion(db: Database, accountId: string, { type, named, entry }: NamedVersion) {
  const newest = entry ?? { version: firstVersion, schema: null };
  if (named === null || named === newest.version) return newest;
  const versions = await listTypeVersions(db, accountId, type);
  return versions.find(({ version }) => version === named) ?? null;
}

function toErrors({ errors }: { readonly errors?: AppError["errors"] | undefined }) {
  return errors === undefined ? {} : { errors };
}

type Reach = {
  /** The active subscriptions that an event would be sent to now. */
  readonly subscriptions: readonly MatchingSubscription[];
  /** The reason why there are none, in sentences. Null: there are some. */
  readonly problem: string | null;
  /** The recipient of a subscription that gets the type, if none here does. Undefined: no one. */
  readonly elsewhere?: string | null;
};

/** The subscriptions that an event reaches, or the reason why it reaches none. */
async function readReach(db: Database, topic: Topic): Promise<Reach> {
  const matching = await findMatching(db, topic);
  const subscriptions = matching.filter(({ status }) => status === "active");
  if (subscriptions.length > 0) return { subscriptions, problem: null };
  const { accountId, type, recipient } = topic;
  const filter = { status: "active", eventType: type } as const;
  const [subscribed, { items }] = await Promise.all([
    isSubscribed(db, topic),
    listSubscriptions(db, accountId, filter, { limit: 1 }),
  ]);
  const elsewhere = items[0]?.recipient;
  const statuses = matching.map(({ status }) => status);
  const facts = { type, recipient, statuses, isSubscribed: subscribed, elsewhere };
  const problem = explainReach(facts);
  return { subscriptions, problem, ...(elsewhere !== undefined && { elsewhere }) };
}
