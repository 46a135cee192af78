import { createHash } from "node:crypto";
import { hexToId } from "#lib/base/ids.ts";
import { toDedupeKey } from "#lib/core/verify/dedupe/dedupe-key.ts";

/** The key of a given event id in `event_keys`: a UUID. Other accounts' ids have other keys. */
export function toEventKey(accountId: string, publicId: string): string {
  return toDedupeKey(accountId, createHash("sha256").update(publicId).digest());
}

type EventContent = {
  readonly type: string;
  readonly recipient: string | null;
  readonly occurredAtMs: number | null;
  /** The data as published. */
  readonly dataJson: string;
};

/** A UUID that two events share only if they are the same: type, recipient, time, and data. */
export function toContentKey({ type, recipient, occurredAtMs, dataJson }: EventContent): string {
  const head = JSON.stringify([type, recipient, occurredAtMs]);
  const hash = createHash("sha256").update(head).update("\0").update(dataJson);
  return hexToId(hash.digest("hex").slice(0, 32));
}

/**
 * The id of an event that was published with an `Idempotency-Key` and without an id.
 *
 * @param index its place in a batch; null: it came alone
 */
export function toDerivedId(idempotencyKey: string, index: number | null): string {
  const place = index === null ? "" : `\0${index}`;
  const hash = createHash("sha256").update(`${idempotencyKey}${place}`).digest("base64url");
  return `idk_${hash.slice(0, 27)}`;
}
