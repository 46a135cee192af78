"use server";

import type { z } from "zod";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import {
  createChannel,
  deleteChannel,
  testChannel,
  updateChannel,
} from "#lib/services/alerts/alert-channels.ts";
import { createRule, deleteRule, updateRule } from "#lib/services/alerts/alert-rules.ts";
import { changeByService, nothing } from "#lib/web/auth/run-service.ts";

export async function createChannelCommand(
  input: object,
): Promise<CommandResult<{ readonly secret: string | null }>> {
  // The services parse what the forms sent, whatever it is.
  const given = input as z.input<typeof createChannel.input>;
  return await changeByService(createChannel, given, ({ secret }) => ({ secret }));
}

export async function saveChannelCommand(id: string, patch: object): Promise<CommandResult<null>> {
  return await changeByService(updateChannel, { ...patch, id }, nothing);
}

export async function deleteChannelCommand(id: string): Promise<CommandResult<null>> {
  return await changeByService(deleteChannel, { id }, nothing);
}

export async function testChannelCommand(
  id: string,
): Promise<CommandResult<{ readonly ok: boolean; readonly message: string }>> {
  return await changeByService(testChannel, { id }, (result) => result);
}

export async function createRuleCommand(input: object): Promise<CommandResult<null>> {
  const given = input as z.input<typeof createRule.input>;
  return await changeByService(createRule, given, nothing);
}

export async function saveRuleCommand(id: string, patch: object): Promise<CommandResult<null>> {
  return await changeByService(updateRule, { ...patch, id }, nothing);
}

export async function deleteRuleCommand(id: string): Promise<CommandResult<null>> {
  return await changeByService(deleteRule, { id }, nothing);
}
