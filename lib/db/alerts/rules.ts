import { decodeCursor, type Page, type PageRequest, toPage } from "#lib/core/api/page.ts";
import { Prisma } from "#lib/db/generated/client.ts";
import type { Database, Transaction } from "#lib/db/postgres/client.ts";
import { notFound, requireId } from "#lib/db/postgres/not-found.ts";
import {
  type Digest,
  type QuietHours,
  quietHoursSchema,
  type RuleInput,
} from "#lib/schema/watch/alert.ts";
import type { ProblemKind } from "#lib/schema/watch/problem.ts";

/** Which problems are worth a message, and to whom. */
export type RuleRecord = RuleInput & {
  readonly id: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

export async function insertRules(
  tx: Transaction,
  accountId: string,
  rules: readonly (RuleInput & { readonly id: string })[],
): Promise<void> {
  await tx.alertRule.createMany({
    data: rules.map(({ quietHours, ...rule }) => ({
      ...rule,
      accountId,
      quietHours: toJson(quietHours),
    })),
  });
}

export async function countRules(tx: Transaction, accountId: string): Promise<number> {
  return await tx.alertRule.count({ where: { accountId } });
}

/** Lists rules, newest first. */
export async function listRules(
  db: Database,
  accountId: string,
  page: PageRequest,
): Promise<Page<RuleRecord>> {
  const rows = await db.alertRule.findMany({
    where: { accountId, id: { lt: decodeCursor(page.cursor) } },
    orderBy: { id: "desc" },
    take: page.limit + 1,
    omit: { accountId: true },
  });
  return toPage(rows.map(toRecord), page.limit);
}

/** The enabled rules of these kinds of problems, oldest first. */
export async function listRulesOf(
  tx: Transaction,
  accountId: string,
  kinds: readonly ProblemKind[],
): Promise<readonly RuleRecord[]> {
  const rows = await tx.alertRule.findMany({
    where: { accountId, kind: { in: [...kinds] }, enabled: true },
    orderBy: { id: "asc" },
    omit: { accountId: true },
  });
  return rows.map(toRecord);
}

/** Throws `not_found`. */
export async function getRule(
  db: Database | Transaction,
  accountId: string,
  ruleId: string,
): Promise<RuleRecord> {
  const id = requireId("alert rule", ruleId);
  const row = await db.alertRule.findFirst({ where: { accountId, id }, omit: { accountId: true } });
  if (row === null) throw notFound("alert rule");
  return toRecord(row);
}

export async function changeRule(
  tx: Transaction,
  id: string,
  { quietHours, ...columns }: Partial<RuleInput>,
): Promise<void> {
  const quiet = quietHours === undefined ? {} : { quietHours: toJson(quietHours) };
  const data = { ...columns, ...quiet, updatedAt: new Date() };
  await tx.alertRule.update({ where: { id }, data, select: { id: true } });
}

export async function deleteRule(tx: Transaction, id: string): Promise<void> {
  await tx.alertRule.delete({ where: { id }, select: { id: true } });
}

type Row = {
  readonly id: string;
  readonly kind: string;
  readonly threshold: number;
  readonly withinSeconds: number;
  readonly channelIds: string[];
  readonly quietHours: Prisma.JsonValue;
  readonly digest: string;
  readonly remindMinutes: number | null;
  readonly enabled: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

function toRecord({ kind, digest, quietHours, ...row }: Row): RuleRecord {
  return {
    ...row,
    kind: kind as ProblemKind,
    digest: digest as Digest,
    quietHours: quietHours === null ? null : quietHoursSchema.parse(quietHours),
  };
}

function toJson(quietHours: QuietHours | null) {
  return quietHours === null ? Prisma.DbNull : quietHours;
}
