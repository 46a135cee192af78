import { largestApiBody } from "#lib/schema/largest-api-body.ts";
import { previewSchema } from "#lib/schema/preview.ts";
import { endpoint } from "../api-route.ts";
import { previewAction } from "../preview-action.ts";

export const postPreview = endpoint({
  scope: "hooks:read",
  body: previewSchema,
  exactNumbers: true,
  maxBodyBytes: largestApiBody,
  handle: ({ context, accountId, requireScope, id, body }) => {
    // What would be sent shows what the delivery holds.
    if (body.deliveryId !== undefined) requireScope("deliveries:read");
    return previewAction(context, accountId, id, body);
  },
});
