import { previewSchema } from "#lib/schema/action/preview.ts";
import { maxApiBodyBytes } from "#lib/schema/field/max-api-body.ts";
import { previewAction } from "#lib/services/actions/steps/preview-action.ts";
import { endpoint } from "#lib/web/rest/api-route.ts";

export const postPreview = endpoint({
  scope: "hooks:read",
  body: previewSchema,
  exactNumbers: true,
  maxBodyBytes: maxApiBodyBytes,
  handle: ({ context, accountId, requireScope, id, body }) => {
    // Shows what the delivery contains.
    if (body.deliveryId !== undefined) requireScope("deliveries:read");
    return previewAction(context, accountId, id, body);
  },
});
