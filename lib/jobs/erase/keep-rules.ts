import { randomBytes } from "node:crypto";
import { newId } from "#lib/base/ids.ts";
import { fingerprintOf, openErasedValues } from "#lib/core/people/erase/erased-values.ts";
import {
  hashValue,
  openRuleKey,
  ruleKeyBytes,
  sealRuleKey,
} from "#lib/core/people/erase/rule-key.ts";
import type { Sealer } from "#lib/core/people/seal/sealer.ts";
import { beginAt } from "#lib/db/erasures/read-arrived.ts";
import { ensureWatch, saveRule } from "#lib/db/erasures/watch-arrivals.ts";
import type { LeasedErasure } from "#lib/db/erasures/work-erasures.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import { writeEntry } from "./write-receipt.ts";

/**
 * Leaves a rule for each value of an erasure, in the transaction that ends it. An account's first rules look at
 * what has arrived since the erasure began: its last pass may have been past that.
 */
export async function keepRules(
  tx: SqlStatements,
  sealer: Sealer,
  erasure: LeasedErasure,
): Promise<void> {
  const { id: erasureId, accountId, mode, createdAt } = erasure;
  const begin = beginAt(createdAt.getTime());
  const sealed = await ensureWatch(tx, {
    accountId,
    keyCiphertext: sealRuleKey(sealer, accountId, randomBytes(ruleKeyBytes)),
    progress: { deliveries: begin, events: begin },
  });
  const key = openRuleKey(sealer, accountId, sealed);
  if (key === null) throw new Error(`The key of the erasure rules of ${accountId} can't be opened`);
  const createdBy = erasure.createdBy ?? "Catchment";
  const ids: string[] = [];
  for (const value of openErasedValues(sealer, erasure)) {
    const valueHash = hashValue(key, value.normalize("NFC"));
    const fingerprint = fingerprintOf(sealer, accountId, value);
    const rule = { id: newId(), accountId, erasureId, valueHash, fingerprint, mode, createdBy };
    ids.push(await saveRule(tx, rule));
  }
  const targets = [
    ...new Set(ids).values().map((id) => ({ type: "erasure_rule", id })),
    { type: "erasure", id: erasureId },
  ];
  await writeEntry(tx, sealer, { accountId, event: "erasure_rule.created", targets });
}
