import { z } from "zod";
import { AppError } from "#lib/base/errors.ts";
import { mapFew } from "#lib/base/map-few.ts";
import type { Diagnosis } from "#lib/core/verify/diagnose/diagnosis.ts";
import { diagnoseDelivery } from "#lib/services/deliveries/diagnose-delivery.ts";
import { type ActionWhy, explainDelivery } from "#lib/services/deliveries/explain-delivery.ts";
import { getDelivery } from "#lib/services/deliveries/read-deliveries.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";
import { getRun } from "#lib/services/runs.ts";
import { fitItems } from "../frame/result.ts";
import { id, maxBytes, tool } from "../frame/tool.ts";
import { quote } from "../frame/visible-text.ts";

export const why = tool({
  name: "why",
  title: "Explain a delivery",
  description:
    "Says why each action did or didn't run on a delivery, with the last response of its receiver, and " +
    "why a rejected delivery was rejected.",
  permissions: ["deliveries:read"],
  input: z.strictObject({ deliveryId: id, actionId: id.optional(), maxBytes }),
  run: async ({ context }, { deliveryId, actionId, maxBytes: room }) => {
    const { delivery } = await getDelivery(context, { id: deliveryId });
    const isRejected = delivery.status === "rejected";
    const [found, diagnosis] = await Promise.all([
      explainDelivery(context, { id: deliveryId, ...(actionId !== undefined && { actionId }) }),
      isRejected ? diagnose(context, deliveryId) : null,
    ]);
    const actions: readonly ActionWhy[] = "code" in found ? [found] : found;
    const explained = await mapFew(actions, (each) => addAttempt(context, each));
    const findings = (diagnosis?.findings ?? []).map(({ code, sentence, confidence }) => ({
      line: `finding ${code} (${confidence}): ${quote(sentence, 600)}`,
      data: { code, confidence, sentence },
    }));
    const rows = [...findings, ...explained];
    const { part, count } = fitItems(rows, room, (row) => row);
    const { status, reason, detail } = delivery;
    const next = diagnosis?.next ?? null;
    return {
      lines: [
        `Delivery ${delivery.id}: ${status}${reason === null ? "" : ` (${reason})`}.`,
        ...(actions.length === 0 ? ["Its hook has no action."] : []),
        ...(count < rows.length ? [`${rows.length - count} more: name one by actionId.`] : []),
      ],
      data: { deliveryId: delivery.id, status, reason },
      outside: {
        lines: [
          ...(detail === null ? [] : [`detail: ${quote(detail, 400)}`]),
          ...part.lines,
          ...(next === null ? [] : [`what to do: ${quote(next, 600)}`]),
        ],
        data: { detail: detail?.slice(0, 400) ?? null, reasons: part.data, whatToDo: next },
      },
      next:
        count < rows.length
          ? { tool: "why", arguments: { deliveryId, maxBytes: Math.min(room * 2, 49_152) } }
          : undefined,
    };
  },
});

/** Null: the actor sees fields masked, so it can't be verified again for them. */
async function diagnose(context: ServiceContext, id: string): Promise<Diagnosis | null> {
  try {
    return (await diagnoseDelivery(context, { id })).diagnosis;
  } catch (error) {
    if (error instanceof AppError && error.code === "forbidden") return null;
    throw error;
  }
}

/** The start of a response says what a receiver didn't like. */
const maxResponseChars = 300;

async function addAttempt(
  context: ServiceContext,
  { actionId, name, runId, code, sentence }: ActionWhy,
) {
  const run = runId === null ? null : await getRun(context, { id: runId });
  const attempt = run?.attempts.at(-1);
  const response =
    attempt?.responseJson == null
      ? null
      : (JSON.parse(attempt.responseJson) as { status: number; body: string });
  const last =
    attempt === undefined
      ? null
      : {
          status: response?.status ?? null,
          error: attempt.error?.message ?? null,
          response: response?.body.slice(0, maxResponseChars) ?? null,
        };
  const told = last === null ? "" : ` Last attempt: ${JSON.stringify(last)}`;
  return {
    line: `action ${actionId} ${quote(name, 60)}: ${code}: ${quote(sentence, 600)}${told}`,
    data: { actionId, name, runId, code, sentence, lastAttempt: last },
  };
}
