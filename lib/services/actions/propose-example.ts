import { z } from "zod";
import { AppError } from "#lib/base/errors.ts";
import type { DeliveryView } from "#lib/core/mapping/build-request/delivery-context.ts";
import { stringifyExactJson } from "#lib/core/mapping/json/stringify-exact-json.ts";
import type { FieldProposal } from "#lib/core/mapping/mapping-example/proposal.ts";
import { toHookView } from "#lib/core/verify/hook/to-hook-view.ts";
import { getHook } from "#lib/db/hooks/hooks.ts";
import { recordId } from "#lib/schema/field/common.ts";
import { describeJsonProblem } from "#lib/schema/field/json-value.ts";
import { service } from "#lib/services/frame/service.ts";
import { webThreads } from "#lib/services/threads/web-threads.ts";
import { proposeMappingTask } from "#lib/threads/propose-mapping-task.ts";
import { readStoredDelivery } from "./build-preview.ts";

const pairs = z.array(z.tuple([z.string().max(1_000), z.string().max(64_000)])).max(200);
const json = z.unknown().superRefine((value, context) => {
  const problem = describeJsonProblem(value, { maxDepth: 64, maxNodes: 5_000, maxChars: 262_144 });
  if (problem !== null) context.addIssue({ code: "custom", message: `The example ${problem}.` });
});

/** An example of a request, as the editor sends it. */
const exampleSchema = z.strictObject({
  url: z.string().max(8_192).nullable(),
  query: pairs,
  body: z.discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("json"), value: json }),
    z.strictObject({ kind: z.literal("form"), fields: pairs }),
    z.strictObject({ kind: z.literal("none") }),
  ]),
});

export type Proposals = readonly FieldProposal[];

/** Proposes how to get the values of an example from a delivery. Throws `not_found`. */
export const proposeExample = service({
  permission: "deliveries:read",
  input: exampleSchema.extend({ hookId: recordId, deliveryId: recordId }),
  run: async (context, { hookId, deliveryId, ...example }): Promise<Proposals> => {
    const { accountId } = context.actor;
    const [hook, delivery] = await Promise.all([
      getHook(context.db, accountId, hookId),
      readStoredDelivery(context, accountId, deliveryId),
    ]);
    const written = stringifyExactJson(example);
    if (!written.ok) throw new AppError("invalid_request", written.message);
    const input = { delivery, hook: toHookView(hook), exampleJson: written.text };
    if (isSmall(delivery, written.text)) return await proposeMappingTask(input);
    const outcome = await webThreads().run("proposeMapping", input, {
      accountId,
      limitsMs: { run: limitMs },
    });
    if (outcome.kind === "done") return outcome.value;
    const detail =
      "This example takes too long. Paste a smaller one, or choose a smaller delivery.";
    throw new AppError("invalid_request", detail);
  },
});

const limitMs = 5_000;

/** True for at most some 200 × 1,500 values, which take less time than a thread needs to start. */
function isSmall({ body, headers }: DeliveryView, exampleJson: string): boolean {
  return (
    body.byteLength <= 16 * 1024 &&
    exampleJson.length <= 2 * 1024 &&
    !headers.some(([name]) => name.toLowerCase() === "content-encoding")
  );
}
