import { cache } from "react";
import { parseExactJson } from "#lib/core/json/parse-exact-json.ts";
import { mapFew } from "#lib/core/map-few.ts";
import { buildPayloadTree, isCutSomewhere } from "#lib/core/payload-tree/payload-tree.ts";
import { TextBudget } from "#lib/core/payload-tree/text-budget.ts";
import { getEvent } from "#lib/db/events/events.ts";
import { countSends } from "#lib/db/events/list-parts.ts";
import { listRunsOfEvent } from "#lib/db/runs/list-runs.ts";
import { readRunRows } from "#lib/db/runs/run-rows.ts";
import { getRun } from "#lib/db/runs/runs.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";
import { isAboutToChange, viewAttempts } from "#lib/web/runs/delivery-runs.ts";

/** Limits in bytes of the page. */
const budgets = { tree: 320_000, raw: 200_000, messages: 200_000 };
/** The newest sends are shown with their attempts. */
const maxSends = 20;

/**
 * One event with its sends, cut to what a page can hold. Read once for its page and title. Throws
 * `not_found`.
 */
export const readEventPage = cache((context: ServiceContext, id: string) =>
  readEvent(context, context.actor.accountId, id),
);

async function readEvent(context: ServiceContext, accountId: string, eventId: string) {
  const { db } = context;
  const event = await getEvent(db, accountId, eventId);
  const { internalId } = event;
  // First, so that whatever ends meanwhile has the page read once more.
  const runs = await listRunsOfEvent(db, accountId, internalId);
  const newest = runs.toReversed().slice(0, maxSends);
  const ids = newest.map(({ id }) => id);
  const [rows, details, counts] = await Promise.all([
    readRunRows(db, accountId, ids),
    mapFew(ids, (id) => getRun(db, accountId, id)),
    countSends(db, accountId, [internalId]),
  ]);
  const budget = new TextBudget(budgets.messages);
  const names = new Map(rows.map((row) => [row.id, row]));
  const sends = counts.get(internalId) ?? [];
  const { body, ...shown } = event;
  return {
    nowMs: Date.now(),
    event: shown,
    body: viewData(body),
    counts: sends,
    sends: details.map((run) => {
      const row = names.get(run.id);
      return {
        id: run.id,
        subscriptionId: run.subscriptionId,
        receiverUrl: row?.receiverUrl ?? null,
        description: row?.subscriptionDescription ?? null,
        status: run.status,
        reason: run.reason,
        nextAttemptAt: run.nextAttemptAt,
        createdAt: run.createdAt,
        isResend: runs.some(
          ({ id, subscriptionId }) => subscriptionId === run.subscriptionId && id < run.id,
        ),
        ...viewAttempts(run, budget),
      };
    }),
    moreSends: sends.reduce((sum, { count }) => sum + count, 0) - details.length,
    isMoving: runs.some((run) => isAboutToChange(run, Date.now())),
  };
}

/** `data` as a tree, and the whole body as every receiver gets it. */
function viewData(body: Uint8Array) {
  const text = Buffer.from(body).toString("utf8");
  const parsed = parseExactJson(text);
  const data = parsed.ok ? Object(parsed.value).data : undefined;
  const tree = parsed.ok ? buildPayloadTree(data, new TextBudget(budgets.tree), "data") : null;
  return {
    tree,
    isTreeCut: tree !== null && isCutSomewhere(tree),
    notStored: null,
    treeProblem: parsed.ok ? null : parsed.message,
    fault: null,
    raw: { form: "text" as const, ...new TextBudget(budgets.raw).take(text) },
  };
}
