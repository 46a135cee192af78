import type { Sealer } from "#lib/core/seal/sealer.ts";
import { AppError } from "#lib/errors.ts";
import { newId } from "#lib/ids.ts";
import type { HookInput, HookPatch, HookState } from "#lib/schema/hook.ts";
import type { Database } from "./client.ts";
import { Prisma } from "./generated/client.ts";
import { generateHookKey } from "./hook-key.ts";
import { type HookRecord, hookSelect, type SavedHook, toHookRecord } from "./hook-record.ts";
import {
  defaultDedupe,
  defaultEventType,
  isComplete,
  isSecretGiven,
  isVerifying,
  requireUsableSecret,
  requireVerification,
  requireWaiting,
  type VerificationRule,
  warnOfMissingPart,
} from "./hook-rules.ts";
import { addHookSecret } from "./hook-secrets.ts";
import { lockHook } from "./lock-hook.ts";
import { notFound, requireId } from "./not-found.ts";
import { decodeCursor, type Page, type PageRequest, toPage } from "./page.ts";
import { notifyRunsDue } from "./queue/notify.ts";

/**
 * A hook with a fresh catch URL. What `dedupe` and `eventType` leave open follows from the provider. A provider that signs may come
 * without its secret, because many senders only show it once they know the URL: until then the hook refuses, or is `pending` where that is
 * asked for or the sender gives the secret itself; a warning says which.
 */
export async function createHook(
  db: Database,
  accountId: string,
  input: HookInput,
  sealer: Sealer,
): Promise<SavedHook> {
  const { provider, signingSecret } = input;
  const verification = input.verification ?? null;
  requireVerification({ provider, verification });
  const warnings =
    signingSecret === undefined
      ? []
      : requireUsableSecret({ provider, verification }, signingSecret, "signingSecret");
  const hasSecret = signingSecret !== undefined;
  if (input.status === "pending") requireWaiting({ provider, verification }, hasSecret);
  const isWaiting =
    input.status === undefined ? isSecretGiven(input) && !hasSecret : input.status === "pending";
  const id = newId();
  const dedupe = input.dedupe === undefined ? defaultDedupe(provider) : input.dedupe;
  const eventType = input.eventType === undefined ? defaultEventType(provider) : input.eventType;
  const row = await db.$transaction(async (tx) => {
    await tx.hook.create({
      data: {
        id,
        accountId,
        key: generateHookKey(input.keyPrefix),
        name: input.name,
        provider,
        verification: toJson(verification),
        dedupe: toJson(dedupe),
        eventType: toJson(eventType),
        methods: input.methods,
        response: toJson(input.response),
        splitBatches: input.splitBatches,
        pendingSince: isWaiting ? new Date() : null,
      },
      select: { id: true },
    });
    if (signingSecret !== undefined) {
      await addHookSecret(tx, { accountId, hookId: id, secret: signingSecret, sealer });
    }
    return tx.hook.findUniqueOrThrow({ where: { id }, select: hookSelect });
  });
  return withWarnings(toHookRecord(row), warnings);
}

/** Throws `not_found` for one that is deleted or another account's. */
export async function getHook(db: Database, accountId: string, hookId: string): Promise<HookRecord> {
  const row = await db.hook.findFirst({
    where: { id: requireId("hook", hookId), accountId, deletedAt: null },
    select: hookSelect,
  });
  if (row === null) throw notFound("hook");
  return toHookRecord(row);
}

export async function listHooks(
  db: Database,
  accountId: string,
  page: PageRequest,
): Promise<Page<HookRecord>> {
  const rows = await db.hook.findMany({
    where: { accountId, deletedAt: null, id: { lt: decodeCursor(page.cursor) } },
    orderBy: { id: "desc" },
    take: page.limit + 1,
    select: hookSelect,
  });
  return toPage(rows.map(toHookRecord), page.limit);
}

/**
 * What is left out stays. A rule that was its provider's default follows a change of the provider. A `signingSecret` replaces all
 * others at once, and ends the waiting of a pending hook; a hook that stops verifying loses its secrets.
 */
export async function updateHook(
  db: Database,
  accountId: string,
  hookId: string,
  patch: HookPatch,
  sealer: Sealer,
): Promise<SavedHook> {
  const saved = await db.$transaction(async (tx) => {
    const before = await lockHook(tx, accountId, hookId);
    const provider = patch.provider ?? before.provider;
    const kept = provider === before.provider ? before.verification : null;
    const verification = patch.verification === undefined ? kept : patch.verification;
    requireVerification({ provider, verification });
    const warnings =
      patch.signingSecret === undefined
        ? []
        : requireUsableSecret({ provider, verification }, patch.signingSecret, "signingSecret");
    if (patch.signingSecret !== undefined || !isVerifying({ provider })) {
      await tx.hookSecret.deleteMany({ where: { hookId: before.id } });
    }
    if (patch.signingSecret !== undefined) {
      await addHookSecret(tx, { accountId, hookId: before.id, secret: patch.signingSecret, sealer });
    }
    const row = await tx.hook.update({
      where: { id: before.id },
      data: {
        name: patch.name ?? before.name,
        ...(patch.status === undefined
          ? {}
          : { status: patch.status === "pending" ? "active" : patch.status }),
        provider,
        verification: toJson(verification),
        dedupe: toJson(followDefault(patch.dedupe, before.dedupe, defaultDedupe, before.provider, provider)),
        eventType: toJson(
          followDefault(patch.eventType, before.eventType, defaultEventType, before.provider, provider),
        ),
        methods: patch.methods ?? [...before.methods],
        response: toJson(patch.response === undefined ? before.response : patch.response),
        splitBatches: patch.splitBatches ?? before.splitBatches,
        pendingSince: pendingSinceAfter(patch, before, { provider, verification }),
        updatedAt: new Date(),
      },
      select: hookSelect,
    });
    return withWarnings(toHookRecord(row), warnings);
  });
  if (patch.status === "active") notifyRunsDue(db);
  return saved;
}

/** Pause and resume. Runs that were held start at once when the hook becomes active again. What waits for its secret goes on waiting. */
export async function setHookStatus(
  db: Database,
  accountId: string,
  hookId: string,
  status: HookState,
): Promise<HookRecord> {
  const { count } = await db.hook.updateMany({
    where: {
      id: requireId("hook", hookId),
      accountId,
      deletedAt: null,
      // A disabled hook takes nothing: holding its runs back would make it take deliveries again.
      status: { notIn: status === "paused" ? [status, "disabled"] : [status] },
    },
    data: { status, updatedAt: new Date() },
  });
  const hook = await getHook(db, accountId, hookId);
  if (status === "paused" && hook.status === "disabled") {
    throw new AppError("conflict", "This hook is disabled and takes no deliveries. Resume it first.");
  }
  if (count > 0 && status === "active") notifyRunsDue(db);
  return hook;
}

/** Gone for everybody at once, its secrets for good; its rows are removed by `purgeDeletedHooks`. */
export async function deleteHook(db: Database, accountId: string, hookId: string): Promise<void> {
  await db.$transaction(async (tx) => {
    const { id } = await lockHook(tx, accountId, hookId);
    await tx.hookSecret.deleteMany({ where: { hookId: id } });
    await tx.hook.update({ where: { id }, data: { deletedAt: new Date() }, select: { id: true } });
  });
}

function withWarnings(hook: HookRecord, warnings: readonly string[]): SavedHook {
  const missing = warnOfMissingPart(hook, {
    hasSecret: hook.secrets.length > 0,
    isPending: hook.pending !== null,
  });
  return { hook, warnings: missing === null ? warnings : [...warnings, missing] };
}

/**
 * A hook waits where its owner says so, or for a sender that gives the secret itself, and as long as something is missing. Losing its
 * secrets later is no reason to.
 */
function pendingSinceAfter(patch: HookPatch, before: HookRecord, rule: VerificationRule): Date | null {
  const { provider } = rule;
  const hasSecret = patch.signingSecret !== undefined || (isVerifying(rule) && before.secrets.length > 0);
  if (patch.status === "pending") requireWaiting(rule, hasSecret);
  if (isComplete(rule, hasSecret)) return null;
  const begins = patch.status === "pending" || (provider !== before.provider && isSecretGiven(rule));
  return before.pending?.since ?? (begins ? new Date() : null);
}

function followDefault<Rule>(
  wanted: Rule | undefined,
  present: Rule,
  defaultOf: (provider: string) => Rule,
  from: string,
  to: string,
): Rule {
  if (wanted !== undefined) return wanted;
  const wasDefault = JSON.stringify(present) === JSON.stringify(defaultOf(from));
  return from !== to && wasDefault ? defaultOf(to) : present;
}

/** Values from our own schemas are JSON. */
function toJson(value: unknown): Prisma.InputJsonValue | typeof Prisma.DbNull {
  return value === null ? Prisma.DbNull : (value as Prisma.InputJsonValue);
}
