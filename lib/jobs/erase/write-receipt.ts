import { log } from "#lib/base/log.ts";
import { openAuditKey } from "#lib/core/people/audit/audit-key.ts";
import { isSameMac, macOfEntry, macOfHead } from "#lib/core/people/audit/chain.ts";
import type { Sealer } from "#lib/core/people/seal/sealer.ts";
import { appendEntry } from "#lib/db/audit/audit-chain.ts";
import { lockHead } from "#lib/db/audit/audit-log.ts";
import type { ErasureCounts } from "#lib/db/erasures/erasures.ts";
import type { LeasedErasure } from "#lib/db/erasures/work-erasures.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import type { AuditTarget } from "#lib/schema/account/audit.ts";

/**
 * Adds the receipt to the account's audit log, in the transaction that ends the erasure: how many rows were
 * changed in each place, and the keyed hashes of the values, which don't say what they were.
 */
export async function writeReceipt(
  tx: SqlStatements,
  sealer: Sealer,
  erasure: LeasedErasure,
  counts: ErasureCounts,
): Promise<void> {
  const changes = Object.entries(counts).map(([place, { found, changed }]) => ({
    path: place,
    before: found,
    after: found - Math.min(found, changed),
  }));
  const targets = erasureTargets(erasure);
  const { accountId } = erasure;
  await writeEntry(tx, sealer, { accountId, event: "erasure.finished", targets, changes });
}

type ErasureFacts = Pick<LeasedErasure, "id" | "mode" | "dryRun" | "fingerprints" | "ruleIds">;

/** An erasure in the audit log: with the rules that started it, and the keyed hash of each value. */
export function erasureTargets(erasure: ErasureFacts): readonly AuditTarget[] {
  const { id, mode, dryRun, fingerprints, ruleIds } = erasure;
  return [
    { type: "erasure", id, name: dryRun ? "dry run" : mode },
    ...ruleIds.map((ruleId) => ({ type: "erasure_rule", id: ruleId })),
    ...fingerprints.map((fingerprint) => ({ type: "erased_value", id: fingerprint })),
  ];
}

type Entry = {
  readonly accountId: string;
  readonly event: string;
  readonly targets: readonly AuditTarget[];
  readonly changes?: readonly object[];
};

/**
 * Adds what Catchment did by itself to the account's audit log. The chain began with the entry of the person who
 * started the first erasure at the latest. A chain that was changed in the database isn't continued here: the next
 * change of a person says so in it.
 */
export async function writeEntry(
  tx: SqlStatements,
  sealer: Sealer,
  { accountId, event, targets, changes = [] }: Entry,
): Promise<void> {
  const head = await lockHead(tx, accountId);
  const key = head === null ? null : openAuditKey(sealer, head);
  if (head === null || key === null || !isSameMac(head.headMac, macOfHead(key, head))) {
    log.error("audit.chain_broken", { accountId, problem: `An entry ${event} isn't in it.` });
    return;
  }
  const entry = {
    ...{ accountId, seq: head.seq + 1n, keyId: head.keyId, at: new Date() },
    ...{ event, ip: null, userAgent: null, requestId: null },
    ...({ actorType: "system", actorId: "catchment", actorName: "Catchment" } as const),
    targets: JSON.stringify(targets),
    targetIds: targets.map((target) => target.id),
    changes: changes.length === 0 ? null : JSON.stringify(changes),
  };
  const mac = macOfEntry(key, entry, head.mac);
  await appendEntry(tx, entry, { mac, headMac: macOfHead(key, { ...entry, mac }) });
}
