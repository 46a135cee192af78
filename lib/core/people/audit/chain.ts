/**
 * The codes that make an audit log tamper-evident: each entry's HMAC-SHA-256 covers its fields and the
 * code of the entry before. The key isn't in the database, so anyone who can only write there can't
 * compute them. A plain hash chain could be computed again by anyone.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import type { AuditFacts } from "#lib/schema/account/audit.ts";

/** An entry as it is stored. JSON is text, because parsing and writing it again may change it. */
export type ChainedEntry = Omit<AuditFacts, "targets" | "changes"> & {
  readonly accountId: string;
  readonly seq: bigint;
  readonly keyId: string;
  readonly targets: string;
  readonly targetIds: readonly string[];
  readonly changes: string | null;
};

/** An entry of a chain, by its number and its code. */
export type ChainLink = {
  readonly accountId: string;
  readonly seq: bigint;
  readonly mac: Uint8Array;
};

/** The code before the first entry. */
export const firstMac: Uint8Array = new Uint8Array(32);

/** @param before the code of the previous entry */
export function macOfEntry(key: Uint8Array, entry: ChainedEntry, before: Uint8Array): Uint8Array {
  return compute(key, "entry", [
    entry.accountId,
    String(entry.seq),
    entry.keyId,
    entry.at.getTime(),
    entry.event,
    entry.actorType,
    entry.actorId,
    entry.actorName,
    entry.ip,
    entry.userAgent,
    entry.requestId,
    entry.targets,
    entry.targetIds,
    entry.changes,
    toHex(before),
  ]);
}

/**
 * The code of the newest entry's place. Entries don't contain it, so after the newest ones are
 * removed, no code for the rest can be copied from anywhere.
 */
export function macOfHead(key: Uint8Array, link: ChainLink): Uint8Array {
  return compute(key, "head", [link.accountId, String(link.seq), toHex(link.mac)]);
}

/** The code of the last entry that retention has removed. The chain is verified from there. */
export function macOfCheckpoint(key: Uint8Array, link: ChainLink): Uint8Array {
  return compute(key, "checkpoint", [link.accountId, String(link.seq), toHex(link.mac)]);
}

/** A head as `catchment-server audit verify --head` takes it. */
export function nameHead({ accountId, seq, mac }: ChainLink): string {
  return `${accountId}:${seq}:${toHex(mac)}`;
}

export function isSameMac(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}

/** JSON separates the parts, so no two lists have the same bytes. The purpose separates the kinds. */
function compute(key: Uint8Array, purpose: string, parts: readonly unknown[]): Uint8Array {
  return createHmac("sha256", key)
    .update(JSON.stringify(["catchment audit 1", purpose, ...parts]))
    .digest();
}

function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}
