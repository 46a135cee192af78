import { cache } from "react";
import { parseExactJson } from "#lib/core/mapping/json/parse-exact-json.ts";
import { buildPayloadTree, isCutSomewhere } from "#lib/core/mapping/payload-tree/payload-tree.ts";
import { TextBudget } from "#lib/core/mapping/payload-tree/text-budget.ts";
import { listEvents, readEventSends, readFirstSends } from "#lib/services/events/read-events.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";
import { isAboutToChange, viewAttempts } from "#lib/web/runs/delivery-runs.ts";
import { readSentVersion } from "./sent-version.ts";

/** Limits in bytes of the page. */
const budgets = { tree: 320_000, raw: 200_000, messages: 200_000 };

/**
 * One event with its sends, cut to what a page can hold. Read once for its page and title. Throws
 * `not_found`.
 */
export const readEventPage = cache(async (context: ServiceContext, id: string) => {
  const { event, runs, rows, details, counts } = await readEventSends(context, { id });
  const nowMs = context.now().getTime();
  const budget = new TextBudget(budgets.messages);
  const names = new Map(rows.map((row) => [row.id, row]));
  const { body, ...shown } = event;
  return {
    nowMs,
    event: shown,
    body: viewData(body),
    counts,
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
        version: readSentVersion(run, body),
        ...viewAttempts(run, budget),
      };
    }),
    moreSends: counts.reduce((sum, { count }) => sum + count, 0) - details.length,
    isMoving: runs.some((run) => isAboutToChange(run, nowMs)),
  };
});

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

/** The newest event after this one, with its receivers' responses. Null: there is none. */
export async function readArrivedEvent(context: ServiceContext, afterId: string) {
  const { items } = await listEvents(context, { limit: "1" });
  const [event] = items;
  if (event === undefined || event.internalId <= afterId) return null;
  return await readSentEvent(context, event.internalId);
}

/** An event with its receivers' responses. Throws `not_found`. */
export async function readSentEvent(context: ServiceContext, eventId: string) {
  const { event, runs, rows } = await readFirstSends(context, { id: eventId });
  const nowMs = context.now().getTime();
  return {
    internalId: event.internalId,
    publicId: event.id,
    type: event.type,
    sends: rows.map((row) => ({
      id: row.id,
      subscriptionId: row.subscriptionId,
      receiverUrl: row.receiverUrl,
      description: row.subscriptionDescription,
      status: row.status,
      httpStatus: row.httpStatus,
      detail: row.reason?.detail ?? null,
    })),
    moreSends: runs.length - rows.length,
    isMoving: runs.some((run) => isAboutToChange(run, nowMs)),
  };
}
