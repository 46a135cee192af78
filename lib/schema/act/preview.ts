/** `POST /actions/{id}/preview`: for a stored delivery, or for a given payload. */
import { z } from "zod";
import { brokenRule } from "#lib/schema/field/command-result.ts";
import { hasAtMost } from "#lib/schema/field/common.ts";

const header = z
  .record(
    z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/, "is not a header name"),
    z.string().max(8192, "must have at most 8192 characters"),
  )
  .refine(...hasAtMost(200, "at most 200 headers"));

// Not a union of two objects: zod would report errors without the path inside.
export const previewSchema = z
  .strictObject({
    deliveryId: z
      .string()
      .max(64, "is not an id")
      .optional()
      .describe("The delivery to use, unless `payload` is there"),
    payload: z.unknown().optional().describe("A payload of your own instead of a delivery"),
    headers: header.optional().describe("The headers that come with `payload`"),
    step: z
      .string()
      .max(64, "is not the key of a step")
      .optional()
      .describe("The key of the step to show, for an action with several"),
    item: z
      .int()
      .min(0, "must be at least 0")
      .max(999, "must be at most 999")
      .optional()
      .describe("The number of the item, from 0, for a step with `forEach`"),
  })
  .superRefine((value, ctx) => {
    const hasPayload = Object.hasOwn(value, "payload");
    if (value.deliveryId === undefined && !hasPayload) {
      ctx.addIssue({
        code: "custom",
        path: ["deliveryId"],
        ...brokenRule("required", "deliveryId or payload is required"),
      });
    }
    if (value.deliveryId !== undefined && (hasPayload || value.headers !== undefined)) {
      const path = hasPayload ? "payload" : "headers";
      ctx.addIssue({
        code: "custom",
        path: [path],
        ...brokenRule("conflict", "can't be combined with deliveryId"),
      });
    }
  });
export type PreviewInput = z.output<typeof previewSchema>;
