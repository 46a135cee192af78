import { errorTable } from "#lib/base/errors.ts";
import { findProvider } from "#lib/core/providers/catalog/catalog.ts";
import { toErrorCode } from "#lib/core/verify/rejection-code.ts";
import type { DeliveryRecord, DeliveryReply } from "#lib/services/deliveries/read-deliveries.ts";
import type { HookRecord } from "#lib/services/hooks/read-hooks.ts";

/** The provider's view of a delivery. */
type ResponseView = {
  /** Null: none. */
  readonly status: number | null;
  readonly body: string | null;
  /** The hook has changed since, so its own response may have been different. */
  readonly isSinceChanged: boolean;
  readonly durationMs: number | null;
  /** The origin of the response, if an action of the hook was to respond. */
  readonly note: string | null;
};

/**
 * The response to a delivery, as `lib/catch/write-response.ts` writes it. It isn't stored, but
 * follows from the result. Null if it doesn't follow: a handshake can repeat what was sent.
 */
export function viewResponse(
  delivery: DeliveryRecord,
  hook: HookRecord,
  reply: DeliveryReply | null,
): ResponseView | null {
  const response = viewStoredResponse(delivery, hook);
  if (response === null || reply === null || reply.sentAs === null) return response;
  const { sentAs, sentStatus, sentAfterMs, problem } = reply;
  const isOwn = sentAs === "reply";
  const why = sentAs === "none" && problem !== null ? ` ${problem}` : "";
  return {
    status: sentStatus,
    body: isOwn ? reply.body : sentStatus === null ? null : response.body,
    isSinceChanged: !isOwn && response.isSinceChanged,
    durationMs: sentAfterMs,
    note: `${sentNotes[sentAs]}${why}`,
  };
}

const sentNotes: Readonly<Record<NonNullable<DeliveryReply["sentAs"]>, string>> = {
  reply: "The hook's action replied.",
  none: "The hook's action had no reply.",
  timeout: "The hook's action had not ended in time.",
  busy: "Too many deliveries waited for a reply.",
  closed: "It closed its connection before the hook's action had ended.",
  stopping: "The server stopped before the hook's action had ended.",
};

function viewStoredResponse(delivery: DeliveryRecord, hook: HookRecord): StoredResponse | null {
  const { id, status, duplicateOf, reason, detail, responseMs, batchId, receivedAt } = delivery;
  const shared = { durationMs: responseMs, isSinceChanged: false, note: null };
  const own = ownResponse(hook);
  const accepted = (body: string | null) =>
    own === null
      ? { ...shared, status: 200, body }
      : { ...shared, ...own, isSinceChanged: hook.updatedAt.getTime() > receivedAt.getTime() };
  // The provider's request got the response, not each event of its batch.
  if (batchId !== null) return null;
  switch (status) {
    case "accepted":
    case "pending":
      return accepted(JSON.stringify({ status: "accepted", deliveryId: id }));
    case "duplicate":
      return accepted(
        JSON.stringify({ status: "duplicate", deliveryId: id, originalDeliveryId: duplicateOf }),
      );
    case "batch":
      return accepted(null);
    case "rejected": {
      const code = toErrorCode(reason);
      return code === null ? null : { ...shared, status: errorTable[code].status, body: detail };
    }
    case "handshake":
      return null;
    default:
      return status satisfies never;
  }
}

type StoredResponse = ResponseView & { readonly status: number };

function ownResponse({
  response,
  provider,
}: HookRecord): { status: number; body: string | null } | null {
  if (response !== null) return { status: response.status, body: response.body };
  const usual = findProvider(provider)?.response;
  return usual === undefined ? null : { status: usual.status ?? 200, body: usual.body ?? "" };
}
