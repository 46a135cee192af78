"use server";

import { revalidatePath } from "next/cache";
import { z } from "zod";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { testDeliverySchema } from "#lib/schema/test-delivery.ts";
import { runFormCommand } from "#lib/web/auth/form-command.ts";
import { sendTestDelivery, type TestDelivery } from "#lib/web/services/send-test-delivery.ts";
import { showTestCommand, type TestCommand } from "#lib/web/services/show-test-command.ts";

const testSchema = testDeliverySchema.extend({ id: z.string().max(64) });

/** Default for `eventType`: the hook's most common one. */
export async function sendTestCommand(
  id: string,
  eventType?: string,
): Promise<CommandResult<TestDelivery>> {
  return await runFormCommand(
    testSchema,
    { id, eventType },
    async (data, { accountId }, context) => {
      const sent = await sendTestDelivery(context, accountId, data.id, data);
      revalidatePath("/", "layout");
      return sent;
    },
  );
}

/** The same as a shell command, with a new event. */
export async function showTestCommandCommand(
  id: string,
  eventType?: string,
): Promise<CommandResult<TestCommand>> {
  return await runFormCommand(testSchema, { id, eventType }, (data, { accountId }, context) =>
    showTestCommand(context, accountId, data.id, data),
  );
}
