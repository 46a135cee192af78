"use server";

import {
  checkCommand,
  createCommand,
  disableCommand,
  enableCommand,
  recoverCommand,
  removeCommand,
  replayMissingCommand,
  resendCommand,
  rotateCommand,
  testCommand,
  updateCommand,
} from "#lib/web/portal/portal-commands.ts";
import { runPortalCommand } from "#lib/web/portal/run-portal-command.ts";

/** The token is the credential of each: `lib/web/portal/call-portal.ts` checks it. */

export async function createInPortal(token: string, input: object) {
  return await runPortalCommand(createCommand, token, input);
}

export async function updateInPortal(token: string, id: string, patch: object) {
  return await runPortalCommand(updateCommand, token, { ...patch, id });
}

export async function checkInPortal(token: string, id: string) {
  return await runPortalCommand(checkCommand, token, { id });
}

export async function rotateInPortal(token: string, id: string, rotation: object) {
  return await runPortalCommand(rotateCommand, token, { ...rotation, id });
}

export async function enableInPortal(token: string, id: string) {
  return await runPortalCommand(enableCommand, token, { id });
}

export async function disableInPortal(token: string, id: string) {
  return await runPortalCommand(disableCommand, token, { id });
}

export async function removeInPortal(token: string, id: string) {
  return await runPortalCommand(removeCommand, token, { id });
}

export async function testInPortal(token: string, id: string, eventType: string) {
  const chosen = eventType === "" ? {} : { eventType };
  return await runPortalCommand(testCommand, token, { ...chosen, id });
}

export async function resendInPortal(token: string, runId: string) {
  return await runPortalCommand(resendCommand, token, { id: runId });
}

export async function recoverInPortal(token: string, id: string, since: string) {
  return await runPortalCommand(recoverCommand, token, { id, since });
}

export async function replayMissingInPortal(token: string, id: string, since: string) {
  return await runPortalCommand(replayMissingCommand, token, { id, since });
}
