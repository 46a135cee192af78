import { recordId } from "#lib/schema/field/common.ts";
import { testDeliverySchema } from "#lib/schema/test-delivery.ts";
import { service } from "#lib/services/frame/service.ts";
import { sendTestDelivery } from "./send-test-delivery.ts";
import { showTestCommand } from "./show-test-command.ts";

/** Sends a signed sample event through the catch URL, and shows another one as a shell command. */
export const testHook = service({
  permission: "hooks:write",
  input: testDeliverySchema.extend({ id: recordId }),
  run: async (context, input) => {
    const sent = await sendTestDelivery(context, input);
    const { command, validForSeconds } = await showTestCommand(context, input);
    return { ...sent, curl: command, curlValidForSeconds: validForSeconds };
  },
});
