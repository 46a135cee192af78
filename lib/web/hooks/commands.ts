"use server";

import { readRunActivity } from "#lib/services/activity.ts";
import { checkIdentity, countDuplicates } from "#lib/services/hooks/check-identity.ts";
import { deleteHook } from "#lib/services/hooks/delete-hook.ts";
import { endPreviousCatchUrls, rotateCatchUrl } from "#lib/services/hooks/hook-paths.ts";
import {
  expireHookSecret,
  readHandshakeSecret,
  rotateHookSecret,
} from "#lib/services/hooks/hook-secrets.ts";
import { showTestCommand } from "#lib/services/hooks/prepare-test-delivery.ts";
import { readHookContents } from "#lib/services/hooks/read-hooks.ts";
import { sendTestDelivery } from "#lib/services/hooks/send-test-delivery.ts";
import { verifyPending } from "#lib/services/hooks/verify-pending.ts";
import {
  addMissingProof,
  changeHookStatus,
  createHook,
  updateHook,
} from "#lib/services/hooks/write-hooks.ts";
import { ask, change } from "#lib/web/auth/run-service.ts";
import { toPlots } from "#lib/web/plots.ts";

/** The secret field has already shown any hints. */
export const createHookCommand = change(createHook, ["..."], ({ hook }) => ({ id: hook.id }));
export const saveHookCommand = change(updateHook, ["id", "..."]);
export const renameHookCommand = change(updateHook, ["id", "name"]);
export const setHookStatusCommand = change(changeHookStatus, ["id", "status"], ({ openRuns }) => ({
  openRuns,
}));
/** Counts what is deleted with the hook. */
export const readHookContentsCommand = ask(readHookContents, ["id"]);
export const deleteHookCommand = change(deleteHook, ["id", "removeRegistration"]);

/** Adds what the hook lacks: its secret, and other values if the provider needs them. */
export const addSecretCommand = change(addMissingProof, ["id", "..."]);
export const rotateSecretCommand = change(rotateHookSecret, ["id", "..."], ({ warnings }) => ({
  warnings,
}));
export const expireSecretCommand = change(expireHookSecret, ["id", "secretId"]);
/** The secret that the provider sent in a handshake, for its owner to copy. */
export const readHandshakeSecretCommand = ask(readHandshakeSecret, ["id"], ({ secret }) => secret);
export const rotateCatchUrlCommand = change(rotateCatchUrl, ["id", "..."]);
export const endPreviousCatchUrlsCommand = change(endPreviousCatchUrls, ["id"]);

/** Tries an unsaved rule on the latest deliveries. */
export const checkIdentityCommand = ask(checkIdentity, ["id", "what", "rule"]);
/** Adds the content to a hook's rule, and accepts the stored duplicates that differ. */
export const countDuplicatesCommand = change(
  countDuplicates,
  ["id", "acceptStored"],
  ({ accepted, kept }) => ({ accepted, kept }),
);
/** Verifies and runs the pending deliveries of a hook. */
export const verifyPendingCommand = change(verifyPending, ["id"], (verified) => verified);

/** Sends a test delivery. Default for `eventType`: the hook's most common one. */
export const sendTestCommand = change(sendTestDelivery, ["id", "eventType"], (sent) => sent);
/** Shows a test delivery as a shell command, with a new event. */
export const showTestCommandCommand = ask(showTestCommand, ["id", "eventType"]);

export const readHookPlotsCommand = ask(
  readRunActivity,
  [(hookId: string) => ({ of: { hookId } }), "range"],
  (activity, { range }) => toPlots(activity, range),
);
