import { requireAnswerTemplates } from "#lib/core/answer/require-answer-templates.ts";
import {
  followDefault,
  pendingSinceAfter,
  pendingSinceOfNew,
  toleranceAfter,
} from "#lib/core/hook/hook-change.ts";
import {
  defaultDedupe,
  defaultEventType,
  requireReplayProtection,
  requireTolerance,
  requireUsableSecret,
  requireVerification,
  warnAboutMissingPart,
} from "#lib/core/hook/hook-rules.ts";
import type { Sealer } from "#lib/core/seal/sealer.ts";
import { Prisma } from "#lib/db/generated/client.ts";
import type { Database } from "#lib/db/postgres/client.ts";
import { notFound, requireId } from "#lib/db/postgres/not-found.ts";
import { decodeCursor, type Page, type PageRequest, toPage } from "#lib/db/postgres/page.ts";
import { notifyRunsDue } from "#lib/db/queue/notify.ts";
import { AppError, invalidField } from "#lib/errors.ts";
import { newId } from "#lib/ids.ts";
import type { HookInput, HookPatch, HookState } from "#lib/schema/hook.ts";
import { changeSecrets } from "./change-secrets.ts";
import { generateHookKey } from "./hook-key.ts";
import { type HookRecord, type SavedHook, toHookRecord, wholeHook } from "./hook-record.ts";
import { addHookSecret } from "./hook-secrets.ts";
import { lockHook } from "./lock-hook.ts";

/**
 * Creates a hook with a new catch URL. If `dedupe` or `eventType` is omitted, the provider's
 * default applies. A provider that signs may be added without its secret, because many show it only
 * once they have the URL. Until then the hook rejects deliveries, or is `pending` if requested or
 * if the provider sends the secret itself. A warning says which.
 */
export async function createHook(
  db: Database,
  accountId: string,
  input: HookInput,
  sealer: Sealer,
): Promise<SavedHook> {
  const { provider, signingSecret } = input;
  const verification = input.verification ?? null;
  const rule = { provider, verification };
  requireVerification(rule);
  requireReplayProtection(rule, input.replayProtection);
  const warnings =
    signingSecret === undefined ? [] : requireUsableSecret(rule, signingSecret, "signingSecret");
  requireTolerance(rule, input.toleranceSeconds);
  const pendingSince = pendingSinceOfNew(input, rule, new Date());
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
        toleranceSeconds: input.toleranceSeconds,
        replayProtection: input.replayProtection ?? null,
        ratePerSecond: input.ratePerSecond,
        publish: toJson(input.publish),
        pendingSince,
      },
      select: { id: true },
    });
    if (signingSecret !== undefined) {
      await addHookSecret(tx, { accountId, hookId: id, secret: signingSecret, sealer });
    }
    return tx.hook.findUniqueOrThrow({ where: { id }, ...wholeHook });
  });
  return withWarnings(toHookRecord(row), warnings);
}

/** Throws `not_found` if it is deleted or another account's. */
export async function getHook(
  db: Database,
  accountId: string,
  hookId: string,
): Promise<HookRecord> {
  const row = await db.hook.findFirst({
    where: { id: requireId("hook", hookId), accountId, deletedAt: null },
    ...wholeHook,
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
    ...wholeHook,
  });
  return toPage(rows.map(toHookRecord), page.limit);
}

/**
 * Omitted fields stay. A rule that equals its provider's default follows a change of provider. A
 * `signingSecret` replaces all others at once and ends the wait of a pending hook. Null deletes
 * them, and is required if a hook stops verifying.
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
    const rule = { provider, verification };
    const providers = { from: before.provider, to: provider };
    requireReplayProtection(rule, patch.replayProtection);
    await requireAnswer(tx, before.id, patch.answer);
    const warnings = await changeSecrets(tx, { before, rule, secret: patch.signingSecret, sealer });
    const row = await tx.hook.update({
      where: { id: before.id },
      data: {
        name: patch.name ?? before.name,
        ...(patch.status === undefined
          ? {}
          : { status: patch.status === "pending" ? "active" : patch.status }),
        provider,
        verification: toJson(verification),
        dedupe: toJson(followDefault(patch.dedupe, before.dedupe, defaultDedupe, providers)),
        eventType: toJson(
          followDefault(patch.eventType, before.eventType, defaultEventType, providers),
        ),
        methods: patch.methods ?? [...before.methods],
        response: toJson(patch.response === undefined ? before.response : patch.response),
        splitBatches: patch.splitBatches ?? before.splitBatches,
        toleranceSeconds: toleranceAfter(patch.toleranceSeconds, before, rule),
        replayProtection:
          patch.replayProtection === undefined ? before.replayProtection : patch.replayProtection,
        ratePerSecond:
          patch.ratePerSecond === undefined ? before.ratePerSecond : patch.ratePerSecond,
        publish: toJson(patch.publish === undefined ? before.publish : patch.publish),
        answer: toJson(patch.answer === undefined ? before.answer : patch.answer),
        pendingSince: pendingSinceAfter(patch, before, rule, new Date()),
        updatedAt: new Date(),
      },
      ...wholeHook,
    });
    return withWarnings(toHookRecord(row), warnings);
  });
  if (patch.status === "active") notifyRunsDue(db);
  return saved;
}

/**
 * Pauses or resumes a hook. Held runs start as soon as it is active again. A hook that awaits its
 * secret keeps waiting.
 */
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
      // A disabled hook accepts no deliveries. Pausing it would make it accept them again.
      status: { notIn: status === "paused" ? [status, "disabled"] : [status] },
    },
    data: { status, updatedAt: new Date() },
  });
  const hook = await getHook(db, accountId, hookId);
  if (status === "paused" && hook.status === "disabled") {
    throw new AppError(
      "conflict",
      "This hook is disabled and accepts no deliveries. Resume it first.",
    );
  }
  if (count > 0 && status === "active") notifyRunsDue(db);
  return hook;
}

/** Deletes a hook and its secrets at once. `purgeDeletedHooks` removes its rows later. */
export async function deleteHook(db: Database, accountId: string, hookId: string): Promise<void> {
  await db.$transaction(async (tx) => {
    const { id } = await lockHook(tx, accountId, hookId);
    await tx.hookSecret.deleteMany({ where: { hookId: id } });
    await tx.hook.update({ where: { id }, data: { deletedAt: new Date() }, select: { id: true } });
  });
}

/** Only an action of the hook itself runs for its deliveries. */
async function requireAnswer(
  tx: Prisma.TransactionClient,
  hookId: string,
  answer: HookPatch["answer"],
): Promise<void> {
  if (answer === undefined || answer === null) return;
  requireAnswerTemplates(answer);
  const where = { id: answer.actionId, hookId, deletedAt: null };
  if ((await tx.action.count({ where })) === 0)
    throw invalidField("answer.actionId", "must be the id of an action of this hook", "not_found");
}

function withWarnings(hook: HookRecord, warnings: readonly string[]): SavedHook {
  const missing = warnAboutMissingPart(hook, {
    hasSecret: hook.secrets.length > 0,
    isPending: hook.pending !== null,
  });
  return { hook, warnings: missing === null ? warnings : [...warnings, missing] };
}

/** Values from our own schemas are JSON. */
function toJson(value: unknown): Prisma.InputJsonValue | typeof Prisma.DbNull {
  return value === null ? Prisma.DbNull : (value as Prisma.InputJsonValue);
}
