import { testDeliverySchema } from "#lib/schema/test-delivery.ts";
import { endpoint } from "#lib/web/rest/api-route.ts";
import { sendTestDelivery } from "#lib/web/services/send-test-delivery.ts";
import { showTestCommand } from "#lib/web/services/show-test-command.ts";

export const postTestDelivery = endpoint({
  scope: "hooks:write",
  body: testDeliverySchema,
  handle: async ({ context, accountId, id, body }) => {
    const sent = await sendTestDelivery(context, accountId, id, body);
    const { command, validForSeconds } = await showTestCommand(context, accountId, id, body);
    return { ...sent, curl: command, curlValidForSeconds: validForSeconds };
  },
});
