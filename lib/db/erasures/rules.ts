import { decodeCursor, type Page, type PageRequest, toPage } from "#lib/core/api/page.ts";
import type { Database, Transaction } from "#lib/db/postgres/client.ts";
import { notFound, requireId } from "#lib/db/postgres/not-found.ts";
import type { ErasureMode } from "#lib/schema/account/erasure-places.ts";

/** A rule that starts an erasure when a value arrives again. Nothing of it says the value. */
export type ErasureRuleRecord = {
  readonly id: string;
  /** The erasure that left it. */
  readonly erasureId: string;
  /** As in that erasure, and in the audit log. */
  readonly fingerprint: string;
  readonly mode: ErasureMode;
  /** The name of the person or token that started that erasure. */
  readonly createdBy: string;
  readonly createdAt: Date;
  /** The deliveries and events that had the value. */
  readonly matches: number;
  readonly lastMatchAt: Date | null;
};

const select = {
  id: true,
  erasureId: true,
  fingerprint: true,
  mode: true,
  createdBy: true,
  createdAt: true,
  matches: true,
  lastMatchAt: true,
} as const;

/** Lists the rules of an account, newest first. */
export async function listRules(
  db: Database,
  accountId: string,
  { limit, cursor }: PageRequest,
): Promise<Page<ErasureRuleRecord>> {
  const rows = await db.erasureRule.findMany({
    where: { accountId, id: { lt: decodeCursor(cursor) } },
    select,
    orderBy: { id: "desc" },
    take: limit + 1,
  });
  return toPage(rows.map(toRecord), limit);
}

/** Throws `not_found`. */
export async function getRule(
  tx: Transaction,
  accountId: string,
  ruleId: string,
): Promise<ErasureRuleRecord> {
  const where = { accountId, id: requireId("erasure rule", ruleId) };
  const found = await tx.erasureRule.findFirst({ where, select });
  if (found === null) throw notFound("erasure rule");
  return toRecord(found);
}

export async function countRules(tx: Transaction, accountId: string): Promise<number> {
  return await tx.erasureRule.count({ where: { accountId } });
}

/** Removes a rule, and with the last one the key of the account's hashes. */
export async function removeRule(
  tx: Transaction,
  accountId: string,
  ruleId: string,
): Promise<void> {
  // An erasure that ends meanwhile adds its rules before they are counted, or with a new key.
  await tx.$queryRaw`select from erasure_watches where account_id = ${accountId}::uuid for update`;
  await tx.erasureRule.deleteMany({ where: { accountId, id: ruleId } });
  if ((await countRules(tx, accountId)) === 0)
    await tx.erasureWatch.deleteMany({ where: { accountId } });
}

type Row = { readonly [Name in keyof typeof select]: unknown };

function toRecord(row: Row): ErasureRuleRecord {
  return row as ErasureRuleRecord;
}
