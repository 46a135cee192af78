import { newId } from "#lib/base/ids.ts";
import { fingerprintOf, sealErasedValues } from "#lib/core/people/erase/erased-values.ts";
import type { Sealer } from "#lib/core/people/seal/sealer.ts";
import { insertErasure } from "#lib/db/erasures/erasures.ts";
import { countMatches } from "#lib/db/erasures/watch-arrivals.ts";
import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";
import type { Matched } from "./match-arrivals.ts";
import { erasureTargets, writeEntry } from "./write-receipt.ts";

/** Starts an erasure of the values that rules have found. It leaves no rules of its own. */
export async function startByRules(
  tx: SqlStatements,
  sealer: Sealer,
  accountId: string,
  { mode, found }: Matched,
): Promise<void> {
  const id = newId();
  const values = [...found.values().map(({ value }) => value)];
  const erasure = {
    ...{ id, accountId, mode, dryRun: false, laterArrivals: false, createdBy: null },
    ciphertext: sealErasedValues(sealer, { id, accountId }, values),
    fingerprints: values.map((value) => fingerprintOf(sealer, accountId, value)),
    ruleIds: [...found.keys()],
  };
  await insertErasure(tx, erasure);
  for (const [ruleId, { rows }] of found) await countMatches(tx, accountId, { id: ruleId, rows });
  const targets = erasureTargets(erasure);
  await writeEntry(tx, sealer, { accountId, event: "erasure.started", targets });
}
