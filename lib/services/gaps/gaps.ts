import { z } from "zod";
import { AppError, invalidField } from "#lib/base/errors.ts";
import { newId } from "#lib/base/ids.ts";
import { firstId } from "#lib/core/api/page.ts";
import { earliestMs } from "#lib/core/providers/event-lists/earliest-event.ts";
import { findEventList, listedProviders } from "#lib/core/providers/event-lists/find-event-list.ts";
import { getCredential } from "#lib/db/credentials/credentials.ts";
import {
  countCome,
  countGapTypes,
  countMissing,
  getGap as findGapOf,
  findLastCredential,
  findLastWebhook,
  findMissingGap as findMissingGapOf,
  type GapRecord,
  type GapType,
  insertGap,
  listGaps as listGapsOf,
  markGapCancelled,
  setTakeIn,
} from "#lib/db/gaps/gaps.ts";
import { getHook, listHooksOfProviders } from "#lib/db/hooks/hooks.ts";
import { type BulkJobRecord, isJobOpen } from "#lib/db/runs/bulk-jobs.ts";
import type { JobLimits } from "#lib/schema/act/bulk-job.ts";
import { byId, pageFields, recordId } from "#lib/schema/field/common.ts";
import { findGapSchema, takeInSchema } from "#lib/schema/receive/gap.ts";
import { startBulkJob } from "#lib/services/bulk-jobs.ts";
import { nameActor } from "#lib/services/frame/actor.ts";
import { audit } from "#lib/services/frame/audit.ts";
import { type ServiceContext, service } from "#lib/services/frame/service.ts";
import { chooseWebhook, requireFitting, requireList, whyNot } from "./gap-source.ts";

export type { GapRecord } from "#lib/db/gaps/gaps.ts";

/** A search with the types of its events. */
export type WholeGap = GapRecord & {
  readonly types: readonly GapType[];
  /** Of those that the provider was asked to send again. Null: it is never asked to. */
  readonly cameCount: number | null;
};

const ofHook = z.strictObject({ id: recordId, gapId: recordId });

/** The searches for missing events of a hook, newest first. */
export const listGaps = service({
  permission: "deliveries:read",
  input: byId.extend(pageFields),
  run: async ({ db, actor }, { id, ...page }) => {
    const hook = await getHook(db, actor.accountId, id);
    return await listGapsOf(db, actor.accountId, hook.id, page);
  },
});

/** Returns a search. Throws `not_found`. */
export const getGap = service({
  permission: "deliveries:read",
  input: ofHook,
  run: (context, { id, gapId }) => readWhole(context, id, gapId),
});

/** The newest search of a hook with events that can still be taken in. Null: there is none. */
export const findMissingGap = service({
  permission: "deliveries:read",
  input: byId,
  run: ({ db, actor }, { id }) => findMissingGapOf(db, actor.accountId, id),
});

/** What the provider of a hook can be asked for. Null: its API lists no events that is known. */
export const readGapSource = service({
  permission: "deliveries:read",
  input: byId,
  run: async ({ db, actor }, { id }) => {
    const hook = await getHook(db, actor.accountId, id);
    const list = findEventList(hook.provider);
    if (list === null) return null;
    const lastCredentialId = await findLastCredential(db, actor.accountId, hook.id);
    const lastWebhook = await findLastWebhook(db, actor.accountId, hook.id);
    return { list, lastCredentialId, lastWebhook, whyNot: whyNot(hook, list) };
  },
});

const maxSources = 50;

/** The hooks whose providers can be asked, the newest first. */
export const listGapSources = service({
  permission: "deliveries:read",
  input: z.strictObject({}),
  run: async ({ db, actor }) => {
    const hooks = await listHooksOfProviders(db, actor.accountId, listedProviders, maxSources);
    return hooks.flatMap((hook) => {
      const list = findEventList(hook.provider);
      return list === null || whyNot(hook, list) !== null ? [] : [{ hook, list }];
    });
  },
});

/**
 * Asks the provider's own API in the background which events happened, and compares them with what
 * arrived. Nothing is taken in. Throws `conflict` if the hook's events can't be compared.
 */
export const findGap = service({
  permission: "hooks:write",
  input: findGapSchema.safeExtend({ id: recordId }),
  run: async (context, { id: hookId, from, to, credentialId, webhook }): Promise<WholeGap> => {
    const { db, actor, now } = context;
    const { accountId } = actor;
    const hook = await getHook(db, accountId, hookId);
    const list = requireList(hook);
    const chosen = credentialId ?? (await findLastCredential(db, accountId, hook.id));
    if (chosen === null) throw invalidField("credentialId", `is missing. ${list.credentialHelp}`);
    const credential = await getCredential(db, accountId, chosen);
    requireFitting(credential, list);
    const path = await chooseWebhook(context, { hookId: hook.id, list, webhook });
    const nowMs = now().getTime();
    const toMs = Math.min(to ?? nowMs, nowMs);
    const fromMs = Math.max(from, earliestMs(list, context.env.retentionDays, nowMs));
    if (fromMs >= toMs)
      throw invalidField(
        "to",
        `must be later: ${list.name} lists events of ${list.retentionDays ?? "some"} days`,
        "out_of_range",
      );
    const gap = {
      ...{ id: newId(), accountId, hookId: hook.id, provider: hook.provider },
      ...{
        credentialId: credential.id,
        webhook: path,
        askedFrom: new Date(from),
        fromAt: new Date(fromMs),
      },
      ...{ toAt: new Date(toMs), askedBy: nameActor(actor) },
    };
    await db.$transaction(async (tx) => {
      if (!(await insertGap(tx, gap)))
        throw new AppError("conflict", "A search of this hook is running. Wait for it to end.");
      const targets = [
        { type: "gap", id: gap.id },
        { type: "hook", id: hook.id, name: hook.name },
      ];
      await audit(context, { event: "gap.searched", targets }, tx);
    });
    return await readWhole(context, hook.id, gap.id);
  },
});

/** Ends a search. What it has found stays. Throws `conflict` if it has ended. */
export const cancelGap = service({
  permission: "hooks:write",
  input: ofHook,
  run: async (context, { id, gapId }): Promise<WholeGap> => {
    const { db, actor } = context;
    const gap = await findGapOf(db, actor.accountId, { hookId: id, gapId });
    await db.$transaction(async (tx) => {
      if (!(await markGapCancelled(tx, actor.accountId, gap.id)))
        throw new AppError("conflict", "This search has already ended, so it can't be canceled.");
      await audit(context, { event: "gap.canceled", targets: [{ type: "gap", id: gap.id }] }, tx);
    });
    return await readWhole(context, id, gap.id);
  },
});

/**
 * Stores what is missing as deliveries, in the background. Throws `conflict` if nothing is missing,
 * or the search hasn't ended.
 */
export const takeInGap = service({
  permission: "deliveries:write",
  input: takeInSchema.extend({ id: recordId, gapId: recordId }),
  run: async (context, { id, gapId, run, eventTypes, ...limits }): Promise<BulkJobRecord> => {
    const { db, actor } = context;
    const gap = await findGapOf(db, actor.accountId, { hookId: id, gapId });
    if (gap.finishedAt === null)
      throw new AppError("conflict", "The search hasn't ended. Wait for it, or cancel it.");
    if (gap.jobId !== null && (await isJobOpen(db, actor.accountId, gap.jobId)))
      throw new AppError("conflict", "What is missing is being taken in already.");
    const total = await countMissing(db, gap.id, eventTypes ?? null);
    if (total === 0) throw new AppError("conflict", "Nothing is missing that could be taken in.");
    const redelivers = findEventList(gap.provider)?.redelivers;
    if (redelivers !== undefined && !run)
      throw invalidField(
        "run",
        "must be true: the provider sends them again, and they run",
        "conflict",
      );
    const filter = { hookId: gap.hookId, gapId: gap.id, run, eventTypes };
    const job = { kind: "take_in", filter, total, seenBefore: firstId } as const;
    const started = await startBulkJob(context, job, limitRate(limits, redelivers?.perMinute));
    const by = { jobId: started.id, takenBy: nameActor(actor) };
    await setTakeIn(db, actor.accountId, gap.id, by);
    return started;
  },
});

/** At most as many a minute as the provider sends again. */
function limitRate(limits: JobLimits, perMinute: number | undefined): JobLimits {
  if (perMinute === undefined) return limits;
  const ratePerMinute = Math.min(limits.ratePerMinute ?? perMinute, perMinute);
  return { ...limits, ratePerMinute, trial: false };
}

async function readWhole(
  { db, actor }: ServiceContext,
  hookId: string,
  gapId: string,
): Promise<WholeGap> {
  const gap = await findGapOf(db, actor.accountId, { hookId, gapId });
  const isAsked = findEventList(gap.provider)?.redelivers !== undefined;
  const cameCount = isAsked ? await countCome(db, gap.id) : null;
  return { ...gap, types: await countGapTypes(db, gap.id), cameCount };
}
