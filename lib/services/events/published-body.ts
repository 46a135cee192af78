import { z } from "zod";
import { AppError } from "#lib/base/errors.ts";
import { type PublishedEvent, readPublishedEvent } from "#lib/core/sending/read-published-event.ts";
import type { Finding } from "#lib/core/sending/schema-finding.ts";
import { findEventType } from "#lib/db/event-types/event-types.ts";
import { eventLimits } from "#lib/schema/send/event.ts";
import { checkEventData } from "#lib/services/event-types.ts";
import type { ServiceParts } from "#lib/services/frame/service-parts.ts";

/** The body of `POST /events` as text, so that receivers get each digit as it was typed. */
export const publishedBody = z.strictObject({
  body: z.string().refine((text) => Buffer.byteLength(text) <= eventLimits.bytes, {
    error: "must have at most 1 MiB",
  }),
});

/** Throws `invalid_json` or `invalid_request`, as the API does. */
export function readBody(body: string): PublishedEvent {
  const read = readPublishedEvent(Buffer.from(body));
  if (!read.ok) throw new AppError(read.problem.code, read.problem.detail, toErrors(read.problem));
  const [event] = read.events;
  if (event === undefined) throw new Error("A body holds one event");
  return event;
}

export type CheckedEvent = {
  /** True if the catalog has a schema for the event's type. */
  readonly hasSchema: boolean;
  readonly finding: Finding;
};

/** Checks an event against the schema of its type. */
export async function checkEvent(
  { db }: ServiceParts,
  accountId: string,
  { type, dataJson }: PublishedEvent,
): Promise<CheckedEvent> {
  const entry = await findEventType(db, accountId, type);
  if (entry === null || entry.schema === null) return { hasSchema: false, finding: null };
  const mismatch = await checkEventData(accountId, entry.schema, dataJson);
  const isRequired = entry.onMismatch === "reject";
  return { hasSchema: true, finding: mismatch === null ? null : { ...mismatch, isRequired } };
}

function toErrors({ errors }: { readonly errors?: AppError["errors"] | undefined }) {
  return errors === undefined ? {} : { errors };
}
