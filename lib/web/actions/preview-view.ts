import { z } from "zod";
import type { ActionPreview } from "#lib/services/actions/build-preview.ts";
import type { SavedStepPreview } from "#lib/services/actions/steps/preview-step.ts";
import { fieldErrorSchema } from "#lib/web/route/field-error.ts";
import { view } from "#lib/web/route/view.ts";

const previewSchema = z
  .object({
    ok: z.boolean(),
    code: z.string().optional().describe("Why nothing would be sent"),
    errors: z.array(fieldErrorSchema).readonly().optional(),
    request: z
      .object({
        method: z.string(),
        url: z.string(),
        headers: z.record(z.string(), z.string()),
        rawHeaders: z.array(z.tuple([z.string(), z.string()]).readonly()).readonly(),
        body: z.string().nullable(),
        bodyEncoding: z.enum(["utf8", "base64"]).describe("base64: it isn't UTF-8"),
      })
      .optional(),
    value: z.string().optional().describe("The value of a step that calls nothing, as JSON"),
  })
  .meta({ id: "ActionPreview" });

/** The request that an action would send for a delivery, or why it would send none. */
export const previewView = view(
  previewSchema,
  (preview: ActionPreview | SavedStepPreview): z.output<typeof previewSchema> => preview,
);
