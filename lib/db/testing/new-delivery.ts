import { newId } from "#lib/base/ids.ts";
import type { NewDelivery } from "#lib/db/deliveries/store-deliveries.ts";

/** An accepted delivery without a key, ready to be stored. */
export function newDelivery(
  hook: { readonly id: string; readonly accountId: string },
  fields: Partial<NewDelivery> = {},
): NewDelivery {
  return {
    id: newId(),
    accountId: hook.accountId,
    hookId: hook.id,
    status: "accepted",
    reason: null,
    detail: null,
    receivedAtMs: Date.now(),
    method: "POST",
    path: "",
    query: "",
    headersJson: "[]",
    contentType: null,
    body: Buffer.from("x"),
    eventId: null,
    eventType: null,
    keyHash: null,
    replayHash: null,
    verificationOutcome: "not_configured",
    verificationScheme: null,
    isSample: false,
    sourceIp: "127.0.0.1",
    ...fields,
  };
}
