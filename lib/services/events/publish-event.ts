import { AppError } from "#lib/base/errors.ts";
import { newId } from "#lib/base/ids.ts";
import { describeMismatch, type Finding } from "#lib/core/sending/schema-finding.ts";
import { toNewEvent } from "#lib/core/sending/to-new-event.ts";
import { storeEvents } from "#lib/db/events/store-events.ts";
import { notifyRunsDue } from "#lib/db/queue/notify.ts";
import { audit } from "#lib/services/frame/audit.ts";
import { service } from "#lib/services/frame/service.ts";
import { checkEvent, publishedBody, readBody } from "./published-body.ts";
import { readReach } from "./read-reach.ts";

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
    const { finding } = await checkEvent(context, accountId, event);
    requireMatch(finding);
    const warning = finding === null ? null : describeMismatch(finding);
    const arrival = { id: newId(), givenId: event.publicId, receivedAtMs: now().getTime() };
    const made = toNewEvent({ ...arrival, accountId, warning }, event);
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
