import { z } from "zod";
import type { ActionWhy } from "#lib/services/deliveries/read-deliveries.ts";
import { view } from "#lib/web/route/view.ts";

const whySchema = z
  .object({
    actionId: z.string(),
    runId: z.string().nullable(),
    code: z.string(),
    sentence: z.string(),
  })
  .meta({ id: "Why" });

/** The reason why an action did or didn't run on a delivery, or the reasons of each action. */
export const whyView = view(
  z.union([whySchema, z.object({ data: z.array(whySchema) })]),
  (found: ActionWhy | readonly ActionWhy[]) =>
    "code" in found ? showWhy(found) : { data: found.map(showWhy) },
);

function showWhy({ actionId, runId, code, sentence }: ActionWhy) {
  return { actionId, runId, code, sentence };
}
