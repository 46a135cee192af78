import { createHash } from "node:crypto";
import { z } from "zod";
import { AppError, invalidField } from "#lib/base/errors.ts";
import { mapFew } from "#lib/base/map-few.ts";
import { listDeliveries } from "#lib/services/deliveries/read-deliveries.ts";
import { replayDelivery } from "#lib/services/deliveries/replay-deliveries.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";
import { countBulkRuns, listRuns, retryRuns } from "#lib/services/runs.ts";
import type { Result } from "../frame/result.ts";
import { id, type ToolCall, tool } from "../frame/tool.ts";

const maxDeliveries = 20;

const time = z.string().max(40).optional();
const failedFilter = z.strictObject({
  hookId: id.optional(),
  actionId: id.optional(),
  reason: z.string().max(64).optional().describe("A code, such as attempts_exhausted"),
  from: time.describe("When the run was made, ISO 8601"),
  to: time,
});

export const replay = tool({
  name: "replay",
  title: "Replay deliveries",
  description:
    "Calls receivers again: runs actions on up to 20 deliveries, or retries all failed runs that match " +
    "a filter. First call it as it " +
    "is: a dry run that says what would happen and returns confirm. Then, once the person agrees: " +
    "dryRun false with that confirm.",
  permissions: ["deliveries:write", "deliveries:read"],
  isDestructive: true,
  input: z.strictObject({
    deliveryIds: z.array(id).min(1).max(maxDeliveries).optional(),
    actionIds: z
      .array(id)
      .min(1)
      .max(maxDeliveries)
      .optional()
      .describe("With deliveryIds: only these actions. Default: all enabled ones"),
    failed: failedFilter.optional().describe("Instead of deliveryIds: retry these failed runs"),
    dryRun: z.boolean().default(true),
    confirm: z.string().max(1_000).optional().describe("From the dry run"),
  }),
  run: async (call, { dryRun, confirm, ...wanted }) => {
    if ((wanted.deliveryIds === undefined) === (wanted.failed === undefined))
      throw invalidField("deliveryIds", "is required, or failed: one of them");
    if (wanted.failed !== undefined && wanted.actionIds !== undefined)
      throw invalidField("actionIds", "is only for deliveryIds. Use failed.actionId");
    if (dryRun) return await tryOut(call, wanted);
    requireConfirm(call, wanted, confirm);
    const question = await describeReplay(call.context, wanted);
    const reply = call.confirm(question);
    if (reply.kind === "ask") return reply.result;
    if (reply.kind === "no")
      return { lines: ["Nothing was replayed: the person said no."], data: { replayed: 0 } };
    return await run(call.context, wanted);
  },
});

type Wanted = {
  readonly deliveryIds?: readonly string[] | undefined;
  readonly actionIds?: readonly string[] | undefined;
  readonly failed?: z.output<typeof failedFilter> | undefined;
};

async function tryOut(call: ToolCall, wanted: Wanted): Promise<Result> {
  const { context } = call;
  const { deliveryIds, failed } = wanted;
  const confirm = makeConfirm(call, wanted);
  const next = `To do it: replay with dryRun false and this confirm, within ${confirmMinutes} minutes.`;
  if (failed !== undefined) {
    const count = await countBulkRuns(context, { kind: "retry", filter: toFilter(failed) });
    const shown = count === null ? "More runs than can be counted" : `${count} failed runs`;
    return { lines: [`Dry run: ${shown} would be retried.`, next], data: { runs: count, confirm } };
  }
  const rows = await readRows(context, deliveryIds ?? []);
  const lines = rows.map(({ id: of, status, runs }) => {
    const ran = runs.map((run) => `action ${run.actionId} ${run.status}`).join(", ");
    return `${of} ${status}; so far: ${ran || "no run"}`;
  });
  const again = rows.flatMap(({ runs }) => runs.filter(({ status }) => status === "succeeded"));
  const warning =
    again.length === 0 || wanted.actionIds !== undefined
      ? []
      : [
          `${again.length} runs of these have succeeded, and would run again. Name actionIds to choose.`,
        ];
  return {
    lines: [`Dry run: ${await describeReplay(context, wanted)}`, ...lines, ...warning, next],
    data: { deliveries: rows, confirm },
  };
}

/** States and ids only: nothing that a provider sent. */
async function readRows(context: ServiceContext, ids: readonly string[]) {
  const { items } = await listDeliveries(context, {
    ids: ids.join(","),
    limit: String(maxDeliveries),
  });
  const missing = ids.find((each) => !items.some(({ id: of }) => of === each));
  if (missing !== undefined)
    throw new AppError("not_found", `No delivery ${missing.slice(0, 64)} was found.`);
  return await mapFew(items, async ({ id: of, status }) => {
    const { items: found } = await listRuns(context, { deliveryId: of, limit: "20" });
    const runs = found.map((run) => ({ id: run.id, actionId: run.actionId, status: run.status }));
    return { id: of, status, runs };
  });
}

/** One sentence for a person. */
async function describeReplay(context: ServiceContext, { deliveryIds, actionIds, failed }: Wanted) {
  if (failed !== undefined) {
    const count = await countBulkRuns(context, { kind: "retry", filter: toFilter(failed) });
    return `Retry ${count ?? "very many"} failed runs now? Their receivers are called again.`;
  }
  const count = deliveryIds?.length ?? 0;
  const what = count === 1 ? "1 delivery" : `${count} deliveries`;
  const which =
    actionIds === undefined ? "all enabled actions" : `${actionIds.length} of its actions`;
  return `Run ${which} again on ${what}? Receivers are called again.`;
}

async function run(context: ServiceContext, wanted: Wanted): Promise<Result> {
  const { deliveryIds = [], actionIds, failed } = wanted;
  if (failed !== undefined) {
    const job = await retryRuns(context, { filter: toFilter(failed) });
    const url = `${context.env.publicUrl}/jobs/${job.id}`;
    return {
      lines: [`Bulk job ${job.id} retries ${job.total ?? "very many"} runs: ${url}`],
      data: { jobId: job.id, total: job.total, url },
    };
  }
  const results = [];
  for (const each of deliveryIds) results.push(await replayOne(context, each, actionIds));
  const done = results.filter(({ error }) => error === null).length;
  return {
    lines: [
      `Replayed ${done} of ${results.length} deliveries. Ask why about one to see how its runs end.`,
      ...results.map(({ deliveryId, runs, error }) =>
        error === null ? `${deliveryId}: runs ${runs.join(", ")}` : `${deliveryId}: ${error}`,
      ),
    ],
    data: { replayed: done, deliveries: results },
  };
}

async function replayOne(
  context: ServiceContext,
  deliveryId: string,
  actionIds: readonly string[] | undefined,
) {
  try {
    const input = { id: deliveryId, ...(actionIds && { actionIds: [...actionIds] }) };
    const runs = await replayDelivery(context, input);
    return { deliveryId, runs: runs.map((each) => each.id), error: null };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { deliveryId, runs: [], error: error.message };
  }
}

function toFilter(failed: z.output<typeof failedFilter>) {
  return { ...failed, status: "failed" as const };
}

const confirmMinutes = 10;

function placeOf({ actor }: ToolCall) {
  const { accountId, tokenId } = actor;
  return { accountId, table: "mcp", rowId: tokenId, field: "replay" };
}

function hashOf(wanted: Wanted): string {
  return createHash("sha256").update(JSON.stringify(wanted)).digest("base64url");
}

/** What a dry run has shown to this token, sealed. */
function makeConfirm(call: ToolCall, wanted: Wanted): string {
  const { sealer, now } = call.context;
  const untilMs = now().getTime() + confirmMinutes * 60_000;
  const text = `${untilMs} ${hashOf(wanted)}`;
  return Buffer.from(sealer.seal(Buffer.from(text), placeOf(call))).toString("base64url");
}

function requireConfirm(call: ToolCall, wanted: Wanted, confirm: string | undefined): void {
  if (confirm === undefined)
    throw invalidField("confirm", "is required: make a dry run first, and show it to the person");
  const opened = call.context.sealer.open(Buffer.from(confirm, "base64url"), placeOf(call));
  const text = opened.ok ? Buffer.from(opened.plaintext).toString() : "";
  const [until = "0", hash] = text.split(" ");
  const isFresh = Number(until) >= call.context.now().getTime();
  if (isFresh && hash === hashOf(wanted)) return;
  const message = "is of another selection, or older than 10 minutes. Make a dry run again";
  throw invalidField("confirm", message);
}
