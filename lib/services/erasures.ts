import { AppError } from "#lib/base/errors.ts";
import { newId } from "#lib/base/ids.ts";
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
import { erasureQuerySchema, erasureSchema } from "#lib/schema/account/erasure.ts";
import { byId } from "#lib/schema/field/common.ts";
import { audit } from "#lib/services/frame/audit.ts";
import { service } from "#lib/services/frame/service.ts";

export type { ErasureRecord } from "#lib/db/erasures/erasures.ts";

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

/**
 * Forgets a person in the background: finds some values in everything that is stored, and redacts them, or
 * deletes what has them. With `dryRun`, it only counts. The values are sealed until it ends, and then gone.
 * Throws `conflict` while another one runs.
 */
export const createErasure = service({
  permission: "erasures:write",
  input: erasureSchema,
  run: async (context, { values, mode, dryRun }): Promise<ErasureRecord> => {
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
      await insertErasure(tx, { id, accountId, mode, dryRun, ciphertext, fingerprints });
      const targets = [
        { type: "erasure", id, name: dryRun ? "dry run" : mode },
        ...fingerprints.map((fingerprint) => ({ type: "erased_value", id: fingerprint })),
      ];
      await audit(context, { event: "erasure.started", targets }, tx);
      return await findErasure(tx, accountId, id);
    });
  },
});

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
