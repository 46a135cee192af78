import { z } from "zod";
import { AppError, invalidField } from "#lib/base/errors.ts";
import { newId } from "#lib/base/ids.ts";
import { findChannelIds } from "#lib/db/alerts/channels.ts";
import {
  changeRule,
  countRules,
  getRule,
  insertRules,
  listRulesOf,
  type RuleRecord,
  deleteRule as removeRule,
} from "#lib/db/alerts/rules.ts";
import type { Transaction } from "#lib/db/postgres/client.ts";
import { byId, recordId } from "#lib/schema/field/common.ts";
import { ruleInputSchema, rulePatchSchema } from "#lib/schema/watch/alert.ts";
import type { ProblemKind } from "#lib/schema/watch/problem.ts";
import { audit } from "#lib/services/frame/audit.ts";
import { type ServiceContext, service } from "#lib/services/frame/service.ts";

const maxRules = 100;

/** Throws `invalid_request` for a channel that doesn't exist. */
export const createRule = service({
  permission: "alerts:write",
  input: ruleInputSchema,
  run: async (context, input): Promise<RuleRecord> => {
    const { db, actor } = context;
    const { accountId } = actor;
    const id = newId();
    return await db.$transaction(async (tx) => {
      if ((await countRules(tx, accountId)) >= maxRules) throw tooManyRules();
      await requireChannels(tx, accountId, input.channelIds);
      await insertRules(tx, accountId, [{ id, ...input }]);
      await audit(context, { event: "alert_rule.created", targets: toTargets(id, input) }, tx);
      return await getRule(tx, accountId, id);
    });
  },
});

/** Changes the given fields of an alert rule. Throws `not_found`. */
export const updateRule = service({
  permission: "alerts:write",
  input: rulePatchSchema.extend({ id: recordId }),
  run: async (context, { id, ...given }): Promise<RuleRecord> => {
    const { db, actor } = context;
    const { accountId } = actor;
    const patch = Object.fromEntries(
      Object.entries(given).filter(([, value]) => value !== undefined),
    );
    return await db.$transaction(async (tx) => {
      const before = await getRule(tx, accountId, id);
      if (given.channelIds !== undefined) await requireChannels(tx, accountId, given.channelIds);
      await changeRule(tx, before.id, patch);
      const after = await getRule(tx, accountId, id);
      const change = { before: toShown(before), after: toShown(after) };
      const targets = toTargets(id, before);
      await audit(context, { event: "alert_rule.updated", targets, ...change }, tx);
      return after;
    });
  },
});

/** Deletes an alert rule. Throws `not_found`. */
export const deleteRule = service({
  permission: "alerts:write",
  input: byId,
  run: async (context, { id }): Promise<void> => {
    const { db, actor } = context;
    const rule = await getRule(db, actor.accountId, id);
    await db.$transaction(async (tx) => {
      await removeRule(tx, rule.id);
      await audit(context, { event: "alert_rule.deleted", targets: toTargets(id, rule) }, tx);
    });
  },
});

/** A single failed attempt is retried and mostly succeeds, so failures have to repeat. */
const usual: Partial<Record<ProblemKind, { threshold: number; withinSeconds?: number }>> = {
  action_failing: { threshold: 3 },
  subscription_failing: { threshold: 10, withinSeconds: 3_600 },
  audit_failing: { threshold: 3 },
  rejected: { threshold: 10 },
};

/**
 * Tells a new channel about problems of these kinds: the rules of a kind name it too, and a kind without rules gets
 * the usual one.
 */
export async function notifyChannel(
  context: ServiceContext,
  tx: Transaction,
  channelId: string,
  kinds: readonly ProblemKind[],
): Promise<void> {
  const { accountId } = context.actor;
  const rules = await listRulesOf(tx, accountId, kinds);
  for (const rule of rules) {
    const channelIds = [...rule.channelIds, channelId];
    await changeRule(tx, rule.id, { channelIds });
    const change = { before: toShown(rule), after: toShown({ ...rule, channelIds }) };
    const targets = toTargets(rule.id, rule);
    await audit(context, { event: "alert_rule.updated", targets, ...change }, tx);
  }
  const missing = kinds.filter((kind) => rules.every((rule) => rule.kind !== kind));
  const added = missing.map((kind) => ({
    id: newId(),
    ...ruleInputSchema.parse({ kind, ...usual[kind], channelIds: [channelId] }),
  }));
  if ((await countRules(tx, accountId)) + added.length > maxRules) throw tooManyRules();
  await insertRules(tx, accountId, added);
}

function tooManyRules(): AppError {
  return new AppError("conflict", `An account has at most ${maxRules} alert rules.`);
}

async function requireChannels(
  tx: Transaction,
  accountId: string,
  ids: readonly string[],
): Promise<void> {
  const valid = ids.filter((id) => z.uuid().safeParse(id).success);
  const known = await findChannelIds(tx, accountId, valid);
  const place = ids.findIndex((id) => !known.has(id));
  if (place !== -1) throw invalidField(`channelIds.${place}`, "is not an alert channel");
}

function toTargets(id: string, { kind }: Pick<RuleRecord, "kind">) {
  return [{ type: "alert_rule", id, name: kind }];
}

function toShown({
  threshold,
  withinSeconds,
  digest,
  remindMinutes,
  enabled,
  ...rule
}: RuleRecord) {
  const channels = rule.channelIds.join(", ");
  const quiet = rule.quietHours === null ? null : JSON.stringify(rule.quietHours);
  return { threshold, withinSeconds, channels, quiet, digest, remindMinutes, enabled };
}
