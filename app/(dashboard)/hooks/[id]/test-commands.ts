"use server";

import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { showTestCommand, type TestCommand } from "#lib/services/hooks/prepare-test-delivery.ts";
import { sendTestDelivery, type TestDelivery } from "#lib/services/hooks/send-test-delivery.ts";
import { askService, changeByService } from "#lib/web/auth/run-service.ts";

/** Sends a test delivery. Default for `eventType`: the hook's most common one. */
export async function sendTestCommand(
  id: string,
  eventType?: string,
): Promise<CommandResult<TestDelivery>> {
  return await changeByService(sendTestDelivery, { id, eventType }, (sent) => sent);
}

/** Shows a test delivery as a shell command, with a new event. */
export async function showTestCommandCommand(
  id: string,
  eventType?: string,
): Promise<CommandResult<TestCommand>> {
  return await askService(showTestCommand, { id, eventType });
}
