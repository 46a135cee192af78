import { z } from "zod";
import { mapFew } from "#lib/base/map-few.ts";
import { getEvent } from "#lib/db/events/events.ts";
import { countSends, readEventStarts } from "#lib/db/events/list-parts.ts";
import { listRunsOfEvent } from "#lib/db/runs/list-runs.ts";
import { readRunRows } from "#lib/db/runs/run-rows.ts";
import { getRun } from "#lib/db/runs/runs.ts";
import { byId, maxPageSize, recordId } from "#lib/schema/field/common.ts";
import { service } from "#lib/services/frame/service.ts";

/** The counts of the sends of listed events, and the starts of their bodies, by internal id. */
export const readEventParts = service({
  permission: "events:read",
  input: z.strictObject({ ids: z.array(recordId).max(maxPageSize) }),
  run: async ({ db, actor }, { ids }) => {
    const [sends, starts] = await Promise.all([
      countSends(db, actor.accountId, ids),
      readEventStarts(db, actor.accountId, ids),
    ]);
    return { sends, starts };
  },
});

const shownRows = 5;

/** An event with all its sends, and the rows of the first ones. Throws `not_found`. */
export const readFirstSends = service({
  permission: "events:read",
  input: byId,
  run: async ({ db, actor }, { id }) => {
    const event = await getEvent(db, actor.accountId, id);
    const runs = await listRunsOfEvent(db, actor.accountId, event.internalId);
    const ids = runs.slice(0, shownRows).map((run) => run.id);
    return { event, runs, rows: await readRunRows(db, actor.accountId, ids) };
  },
});

/** The newest sends are read with their attempts. */
const maxDetails = 20;

/** An event with its sends, and the attempts of the newest ones. Throws `not_found`. */
export const readEventSends = service({
  permission: "events:read",
  input: byId,
  run: async ({ db, actor }, { id }) => {
    const { accountId } = actor;
    const event = await getEvent(db, accountId, id);
    // First, so that whatever ends meanwhile has the page read once more.
    const runs = await listRunsOfEvent(db, accountId, event.internalId);
    const ids = runs
      .toReversed()
      .slice(0, maxDetails)
      .map((run) => run.id);
    const [rows, details, counts] = await Promise.all([
      readRunRows(db, accountId, ids),
      mapFew(ids, (runId) => getRun(db, accountId, runId)),
      countSends(db, accountId, [event.internalId]),
    ]);
    return { event, runs, rows, details, counts: counts.get(event.internalId) ?? [] };
  },
});
