import { AppError } from "#lib/base/errors.ts";
import { newId } from "#lib/base/ids.ts";
import type { Page } from "#lib/core/api/page.ts";
import { fingerprintOf, sealErasedValues } from "#lib/core/people/erase/erased-values.ts";
import { lockAccount } from "#lib/db/accounts/lock-account.ts";
import {
  countRunningErasures,
  type ErasureRecord,
  getErasure as findErasure,
  listErasures as findErasures,
  insertErasure,
  markErasureCancelled,
} from "#lib/db/erasures/erasures.ts";
import {
  countRules,
  type ErasureRuleRecord,
  listRules as findRules,
  getRule,
  removeRule,
} from "#lib/db/erasures/rules.ts";
import type { Transaction } from "#lib/db/postgres/client.ts";
import { erasureQuerySchema, erasureSchema } from "#lib/schema/account/erasure.ts";
import { byId } from "#lib/schema/field/common.ts";
import { nameActor } from "#lib/services/frame/actor.ts";
import { audit } from "#lib/services/frame/audit.ts";
import { service } from "#lib/services/frame/service.ts";

export type { ErasureRecord } from "#lib/db/erasures/erasures.ts";
export type { ErasureRuleRecord } from "#lib/db/erasures/rules.ts";

/** Returns an erasure of the account, which doesn't say the values. Throws `not_found`. */
export const getErasure = service({
  permission: "erasures:read",
  input: byId,
  run: ({ db, actor }, { id }) => findErasure(db, actor.accountId, id),
});

/** The account's erasures, newest first. */
export const listErasures = service({
  permission: "erasures:read",
  input: erasureQuerySchema,
  run: ({ db, actor }, query) => findErasures(db, actor.accountId, query),
});

/** Each reads everything that the account has. */
const maxRunning = 1;
/** A look reads the hashes of all of an account's rules. */
const maxRules = 10_000;

/**
 * Forgets a person in the background: finds some values in everything that is stored, and redacts them, or
 * deletes what has them. With `dryRun`, it only counts. The values are sealed until it ends, and then gone. With
 * `laterArrivals`, it leaves rules that know them by their hashes. Throws `conflict` while another one runs, and
 * if there would be too many rules.
 */
export const createErasure = service({
  permission: "erasures:write",
  input: erasureSchema,
  run: async (context, { values, mode, dryRun, laterArrivals }): Promise<ErasureRecord> => {
    const { db, actor, sealer } = context;
    const { accountId } = actor;
    const id = newId();
    const once = [...new Set(values)];
    const fingerprints = once.map((value) => fingerprintOf(sealer, accountId, value));
    const ciphertext = sealErasedValues(sealer, { id, accountId }, once);
    return await db.$transaction(async (tx) => {
      await lockAccount(tx, accountId);
      if ((await countRunningErasures(tx, accountId)) >= maxRunning)
        throw new AppError("conflict", "An erasure is running. Wait until it ends, or cancel it.");
      if (laterArrivals && !dryRun) await requireRoom(tx, accountId, once.length);
      await insertErasure(tx, {
        ...{ id, accountId, mode, dryRun, ciphertext, fingerprints, laterArrivals, ruleIds: [] },
        createdBy: nameActor(actor),
      });
      const targets = [
        { type: "erasure", id, name: dryRun ? "dry run" : mode },
        ...fingerprints.map((fingerprint) => ({ type: "erased_value", id: fingerprint })),
      ];
      await audit(context, { event: "erasure.started", targets }, tx);
      return await findErasure(tx, accountId, id);
    });
  },
});

async function requireRoom(tx: Transaction, accountId: string, added: number): Promise<void> {
  if ((await countRules(tx, accountId)) + added > maxRules)
    throw new AppError("conflict", `An account has at most ${maxRules} rules for later arrivals.`);
}

/** Stops an erasure. What it has changed stays so. Throws `conflict` if it has ended. */
export const cancelErasure = service({
  permission: "erasures:write",
  input: byId,
  run: async (context, { id }): Promise<ErasureRecord> => {
    const { db, actor } = context;
    return await db.$transaction(async (tx) => {
      await findErasure(tx, actor.accountId, id);
      if (!(await markErasureCancelled(tx, actor.accountId, id)))
        throw new AppError("conflict", "This erasure has already ended, so it can't be canceled.");
      await audit(context, { event: "erasure.cancelled", targets: [{ type: "erasure", id }] }, tx);
      return await findErasure(tx, actor.accountId, id);
    });
  },
});

/** The rules that erasures have left for later arrivals, newest first. They don't say the values. */
export const listErasureRules = service({
  permission: "erasures:read",
  input: erasureQuerySchema,
  run: ({ db, actor }, query): Promise<Page<ErasureRuleRecord>> =>
    findRules(db, actor.accountId, query),
});

/** Removes a rule: what arrives from now on with its value stays. An erasure that it has started continues. */
export const deleteErasureRule = service({
  permission: "erasures:write",
  input: byId,
  run: async (context, { id }): Promise<void> => {
    const { db, actor } = context;
    await db.$transaction(async (tx) => {
      await lockAccount(tx, actor.accountId);
      const { erasureId } = await getRule(tx, actor.accountId, id);
      await removeRule(tx, actor.accountId, id);
      const targets = [
        { type: "erasure_rule", id },
        { type: "erasure", id: erasureId },
      ];
      await audit(context, { event: "erasure_rule.deleted", targets }, tx);
    });
  },
});
