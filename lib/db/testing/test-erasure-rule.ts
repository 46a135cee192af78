import { randomBytes } from "node:crypto";
import { newId } from "#lib/base/ids.ts";
import { ruleKeyBytes, sealRuleKey } from "#lib/core/people/erase/rule-key.ts";
import { beginAt } from "#lib/db/erasures/read-arrived.ts";
import { ensureWatch, saveRule } from "#lib/db/erasures/watch-arrivals.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import { testSealer } from "./test-sealer.ts";

/** Adds a rule for a value that never arrives. @returns its id */
export async function addErasureRule(db: SqlStatements, accountId: string): Promise<string> {
  const begin = beginAt(Date.now());
  await ensureWatch(db, {
    accountId,
    keyCiphertext: sealRuleKey(testSealer, accountId, randomBytes(ruleKeyBytes)),
    progress: { deliveries: begin, events: begin },
  });
  return await saveRule(db, {
    ...{ id: newId(), accountId, erasureId: newId(), mode: "redact", createdBy: "n" },
    valueHash: randomBytes(32),
    fingerprint: "9f86d081884c7d659a2feaa0c55ad015",
  });
}
