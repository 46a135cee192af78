import { z } from "zod";
import { AppError, invalidField } from "#lib/base/errors.ts";
import { newId } from "#lib/base/ids.ts";
import { firstId } from "#lib/core/api/page.ts";
import type { EventList } from "#lib/core/providers/event-lists/event-list.ts";
import { findEventList } from "#lib/core/providers/event-lists/find-event-list.ts";
import { listDedupeDefaults } from "#lib/core/verify/hook/hook-rules.ts";
import { getCredential } from "#lib/db/credentials/credentials.ts";
import {
  countGapTypes,
  countMissing,
  getGap as findGapOf,
  findLastCredential,
  type GapRecord,
  type GapType,
  insertGap,
  listGaps as listGapsOf,
  markGapCancelled,
  setTakeIn,
} from "#lib/db/gaps/gaps.ts";
import type { HookRecord } from "#lib/db/hooks/hook-record.ts";
import { getHook } from "#lib/db/hooks/hooks.ts";
import { type BulkJobRecord, isJobOpen } from "#lib/db/runs/bulk-jobs.ts";
import { byId, pageFields, recordId } from "#lib/schema/field/common.ts";
import { findGapSchema, takeInSchema } from "#lib/schema/receive/gap.ts";
import { startBulkJob } from "#lib/services/bulk-jobs.ts";
import { nameActor } from "#lib/services/frame/actor.ts";
import { audit } from "#lib/services/frame/audit.ts";
import { type ServiceContext, service } from "#lib/services/frame/service.ts";

export type { GapRecord } from "#lib/db/gaps/gaps.ts";

/** A search with the types of its events. */
export type WholeGap = GapRecord & { readonly types: readonly GapType[] };

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

/** What the provider of a hook can be asked for. Null: its API lists no events that is known. */
export const readGapSource = service({
  permission: "deliveries:read",
  input: byId,
  run: async ({ db, actor }, { id }) => {
    const hook = await getHook(db, actor.accountId, id);
    const list = findEventList(hook.provider);
    if (list === null) return null;
    const lastCredentialId = await findLastCredential(db, actor.accountId, hook.id);
    return { list, lastCredentialId, whyNot: whyIncomparable(hook, list) };
  },
});

/**
 * Asks the provider's own API in the background which events happened, and compares them with what
 * arrived. Nothing is taken in. Throws `conflict` if the hook's events can't be compared.
 */
export const findGap = service({
  permission: "hooks:write",
  input: findGapSchema.safeExtend({ id: recordId }),
  run: async (context, { id: hookId, from, to, credentialId }): Promise<WholeGap> => {
    const { db, actor, now } = context;
    const { accountId } = actor;
    const hook = await getHook(db, accountId, hookId);
    const list = findEventList(hook.provider);
    if (list === null)
      throw new AppError("conflict", "The API of this hook's provider can't be asked for events.");
    const why = whyIncomparable(hook, list);
    if (why !== null) throw new AppError("conflict", why);
    const chosen = credentialId ?? (await findLastCredential(db, accountId, hook.id));
    if (chosen === null) throw invalidField("credentialId", `is missing. ${list.credentialHelp}`);
    const credential = await getCredential(db, accountId, chosen);
    requireOrigin(credential.origin, list);
    requireHeader(credential.settings.type, list);
    const nowMs = now().getTime();
    const toMs = Math.min(to ?? nowMs, nowMs);
    const fromMs = Math.max(from, earliestMs(context, list, nowMs));
    if (fromMs >= toMs)
      throw invalidField(
        "to",
        `must be later: ${list.name} lists events of ${list.retentionDays ?? "some"} days`,
        "out_of_range",
      );
    const gap = {
      ...{ id: newId(), accountId, hookId: hook.id, provider: hook.provider },
      ...{ credentialId: credential.id, askedFrom: new Date(from), fromAt: new Date(fromMs) },
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
    const filter = { hookId: gap.hookId, gapId: gap.id, run, eventTypes };
    const job = { kind: "take_in", filter, total, seenBefore: firstId } as const;
    const started = await startBulkJob(context, job, limits);
    const by = { jobId: started.id, takenBy: nameActor(actor) };
    await setTakeIn(db, actor.accountId, gap.id, by);
    return started;
  },
});

async function readWhole(
  { db, actor }: ServiceContext,
  hookId: string,
  gapId: string,
): Promise<WholeGap> {
  const gap = await findGapOf(db, actor.accountId, { hookId, gapId });
  return { ...gap, types: await countGapTypes(db, gap.id) };
}

/** Only the provider's own identity is known to be the same in its list. */
function whyIncomparable({ provider, dedupe, status }: HookRecord, { name }: EventList) {
  if (status === "pending")
    return "This hook awaits its signing secret, so it doesn't know yet which events it has.";
  const own = JSON.stringify(dedupe);
  if (listDedupeDefaults(provider).some((rule) => JSON.stringify(rule) === own)) return null;
  return (
    `This hook tells events apart by a rule of its own, and ${name} lists events without what a ` +
    "webhook adds to them. Set the rule back to the provider's identity first."
  );
}

/** A stand-in of the provider's API in a private network has no certificate. */
function requireOrigin(origin: string, { name, isOrigin, origin: own }: EventList): void {
  if (isOrigin(origin) || origin.startsWith("http:")) return;
  throw invalidField(
    "credentialId",
    `is for ${origin}, and the API of ${name} is ${own}`,
    "conflict",
  );
}

function requireHeader(type: string, { credentialHelp }: EventList): void {
  if (type !== "query" && type !== "hmac") return;
  throw invalidField("credentialId", `can't be sent to this API. ${credentialHelp}`, "conflict");
}

const dayMs = 86_400_000;

/** What is older is listed no more, or Catchment has forgotten that it arrived. */
function earliestMs({ env }: ServiceContext, { retentionDays }: EventList, nowMs: number): number {
  const days = [retentionDays ?? 0, env.retentionDays].filter((count) => count > 0);
  return days.length === 0 ? 0 : nowMs - Math.min(...days) * dayMs;
}
