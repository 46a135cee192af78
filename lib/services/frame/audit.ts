import { randomBytes, randomUUID } from "node:crypto";
import { log } from "#lib/base/log.ts";
import { openAuditKey, sealAuditKey } from "#lib/core/people/audit/audit-key.ts";
import { firstMac, isSameMac, macOfEntry, macOfHead } from "#lib/core/people/audit/chain.ts";
import { diffRecords } from "#lib/core/people/audit/diff-records.ts";
import { brokenChainEvent } from "#lib/core/people/audit/verify-chain.ts";
import { getAccount } from "#lib/db/accounts/accounts.ts";
import {
  type AuditChainRecord,
  appendEntry,
  insertChain,
  readLastSeq,
} from "#lib/db/audit/audit-chain.ts";
import { lockHead } from "#lib/db/audit/audit-log.ts";
import type { Transaction } from "#lib/db/postgres/client.ts";
import type { AuditTarget } from "#lib/schema/account/audit.ts";
import { type Actor, nameActor } from "./actor.ts";
import type { ServiceContext } from "./service.ts";

export type AuditEntry = {
  /** Dotted words that say what was done, such as `hook.secret.rotated`. */
  readonly event: string;
  /** The things that changed. */
  readonly targets: readonly AuditTarget[];
  /** The states of what was changed. The log gets the fields that differ, and never a secret. */
  readonly before?: object | undefined;
  readonly after?: object | undefined;
};

/** The last event of an account. */
export const accountDeleted = "account.deleted";

/** The parts of a service's context that the log needs. */
export type AuditContext = Pick<ServiceContext, "actor" | "db" | "now" | "request" | "sealer">;

/**
 * Records what an actor did. Called by every service that changes something, as the last statement
 * of its transaction: the change and its entry take effect together, or not at all. The head of the
 * account's chain stays locked until the transaction ends, so that numbers have no gap. Throws
 * `not_found` if the account was deleted meanwhile: nothing is added to it that would still work.
 */
export async function audit(
  context: AuditContext,
  entry: AuditEntry,
  tx: Transaction,
): Promise<void> {
  const { actor } = context;
  const { head, problem } = await openHead(context, tx);
  if (entry.event !== accountDeleted) await getAccount(tx, actor.accountId);
  const next =
    problem === null ? head : await append(tx, head, toFields(brokenChain(context, problem)));
  await append(tx, next, toFields({ context, actor, entry }));
}

/**
 * Records what an actor did without a change in the database, such as reading a stored secret, in a
 * transaction of its own.
 */
export async function auditWithoutChange(context: AuditContext, entry: AuditEntry): Promise<void> {
  await context.db.$transaction((tx) => audit(context, entry, tx));
}

/** The end of a chain that the next entry continues. */
type Head = Pick<AuditChainRecord, "accountId" | "keyId" | "seq" | "mac"> & {
  readonly key: Uint8Array;
};

/** @returns the head, and what is wrong with what was found */
async function openHead(
  context: AuditContext,
  tx: Transaction,
): Promise<{ readonly head: Head; readonly problem: string | null }> {
  const { sealer, actor } = context;
  const { accountId } = actor;
  const found = await lockHead(tx, accountId);
  if (found === null) return await startChain(context, tx);
  const key = openAuditKey(sealer, found);
  if (key === null) throw new Error(`The key of the audit log of ${accountId} can't be opened`);
  const head = { ...found, key };
  const isOurs = isSameMac(found.headMac, macOfHead(key, found));
  return { head, problem: isOurs ? null : `The head at ${found.seq} was changed in the database.` };
}

async function startChain(
  { sealer, actor }: AuditContext,
  tx: Transaction,
): Promise<{ readonly head: Head; readonly problem: string | null }> {
  const { accountId } = actor;
  const key = randomBytes(32);
  const keyId = randomUUID();
  const seq = await readLastSeq(tx, accountId);
  const link = { accountId, seq, mac: firstMac };
  const keyCiphertext = sealAuditKey(sealer, { accountId, keyId, key });
  await insertChain(tx, { ...link, keyId, keyCiphertext, headMac: macOfHead(key, link) });
  const chain = await lockHead(tx, accountId);
  if (chain === null) throw new Error(`The audit log of ${accountId} has no head`);
  // Another transaction may have started it in between.
  const its = openAuditKey(sealer, chain);
  if (its === null) throw new Error(`The key of the audit log of ${accountId} can't be opened`);
  const isRestarted = seq > 0n && chain.keyId === keyId;
  const problem = isRestarted ? `The head after ${seq} was removed from the database.` : null;
  return { head: { ...chain, key: its }, problem };
}

type Fields = {
  readonly context: AuditContext;
  readonly actor: Actor;
  readonly entry: AuditEntry;
};

/**
 * The entry that keeps a broken chain from being repaired by the next one: verifying finds it, and
 * everything after it can still be verified. Changes continue, because an attacker who can write to the
 * database could otherwise stop them all.
 */
function brokenChain(context: AuditContext, problem: string): Fields {
  const { accountId } = context.actor;
  log.error("audit.chain_broken", { accountId, problem });
  const entry = {
    event: brokenChainEvent,
    targets: [{ type: "audit_log", id: accountId, name: problem }],
  };
  return { context, actor: { type: "system", accountId }, entry };
}

type EntryFields = ReturnType<typeof toFields>;

function toFields({ context, actor, entry }: Fields) {
  const { event, targets, before, after } = entry;
  const changes = before === undefined || after === undefined ? [] : diffRecords(before, after);
  const { ip = null, userAgent = null, requestId = null } = context.request ?? {};
  return {
    at: context.now(),
    event,
    actorType: actor.type,
    actorId: idOf(actor),
    actorName: nameActor(actor),
    ip,
    userAgent,
    requestId,
    targets: JSON.stringify(targets),
    targetIds: targets.map(({ id }) => id),
    changes: changes.length === 0 ? null : JSON.stringify(changes),
  };
}

async function append(tx: Transaction, head: Head, fields: EntryFields): Promise<Head> {
  const { accountId, keyId, key } = head;
  const entry = { ...fields, accountId, keyId, seq: head.seq + 1n };
  const mac = macOfEntry(key, entry, head.mac);
  const link = { accountId, seq: entry.seq, mac };
  await appendEntry(tx, entry, { mac, headMac: macOfHead(key, link) });
  return { ...head, ...link };
}

function idOf(actor: Actor): string {
  switch (actor.type) {
    case "user":
      return actor.userId;
    case "token":
      return actor.tokenId;
    case "portal":
      return actor.recipient;
    case "system":
      return "catchment";
    default:
      return actor satisfies never;
  }
}
