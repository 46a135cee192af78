import { findProvider } from "#lib/core/catalog/catalog.ts";
import { catchUrl, findLocalHost } from "#lib/core/hook/catch-url.ts";
import { whyNoPath } from "#lib/core/hook/hook-path.ts";
import { defaultDedupe, defaultEventType, defaultTolerance } from "#lib/core/hook/hook-rules.ts";
import { findHookReplayProtection, isReplayProtected } from "#lib/core/hook/hook-verifier.ts";
import type { ActionRecord } from "#lib/db/actions/action-record.ts";
import { listActions } from "#lib/db/actions/actions.ts";
import type { DeliveryFilter } from "#lib/db/deliveries/delivery-filter.ts";
import { listDeliveries } from "#lib/db/deliveries/list-deliveries.ts";
import { countRateLimited } from "#lib/db/deliveries/rejected-counts.ts";
import { countHookContents, countPendingDeliveries } from "#lib/db/hooks/hook-contents.ts";
import type { HookRecord, HookSecretSummary } from "#lib/db/hooks/hook-record.ts";
import { onlyCallKey } from "#lib/schema/action/step-limits.ts";
import { firstCallOf, listSteps } from "#lib/schema/action/steps.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";
import { countDifferingDuplicates } from "#lib/services/hooks/count-duplicates.ts";
import { listTestTypes } from "#lib/services/hooks/prepare-test-delivery.ts";
import { readActionHealth } from "#lib/web/actions/read-action-health.ts";
import { isSecretMissing, providerName, readVerifyToken } from "#lib/web/hooks/describe-hook.ts";
import { describeProof } from "#lib/web/hooks/describe-proof.ts";
import { readHookRhythm } from "#lib/web/hooks/read-hook-rhythm.ts";
import { readHook } from "#lib/web/request/read-named.ts";

/** The maximum per hook. */
const maxActions = 100;

/** A hook and its actions, in the order they run. Throws `not_found`. */
export async function readHookPage(context: ServiceContext, accountId: string, hookId: string) {
  const { db } = context;
  const hook = await readHook(context, hookId);
  const [actions, pending, openRuns, rateLimited, differingDuplicates] = await Promise.all([
    listActions(db, accountId, hook.id, { limit: maxActions }),
    countPendingDeliveries(db, accountId, hook.id),
    countWaiting(context, accountId, hook),
    countRateLimited(db, accountId, hook.id),
    countDifferingDuplicates(db, hook),
  ]);
  const isGuided = actions.items.length === 0;
  const health = await readActionHealth(
    context,
    accountId,
    hook.id,
    actions.items.map(({ id }) => id),
  );
  return {
    nowMs: Date.now(),
    hook: { ...viewHook(hook, context.env.publicUrl), openRuns },
    pending,
    /** The count within 24 hours. */
    rateLimited,
    /** Recent duplicates that say something else than the delivery that they repeat. */
    differingDuplicates,
    hasHandshakeSecret: hook.secrets.some(isFromHandshakeToday),
    testTypes: listTestTypes(hook),
    /** Until there is an action, the page guides to it. */
    guide: isGuided ? { delivery: await findGuidingDelivery(context, accountId, hook.id) } : null,
    actions: actions.items
      .toSorted((one, other) => one.position - other.position || (one.id < other.id ? -1 : 1))
      .map((action) => {
        const { id, name, enabled, steps } = action;
        const { method, url } = firstCallOf(action) ?? { method: "", url: "" };
        const stepCount = steps?.length ?? 1;
        return { id, name, enabled, method, url, stepCount, health: health.get(id) ?? null };
      }),
  };
}

const dayMs = 86_400_000;

function isFromHandshakeToday({ origin, createdAt }: HookSecretSummary): boolean {
  return origin === "handshake" && createdAt.getTime() > Date.now() - dayMs;
}

/** The newest real event; if there is none, the newest sample, pending, or rejected delivery. */
async function findGuidingDelivery({ db }: ServiceContext, accountId: string, hookId: string) {
  const readNewest = async (filter: DeliveryFilter) =>
    (await listDeliveries(db, accountId, { hookId, ...filter }, { limit: 1 })).items;
  const [event] = await readNewest({ status: "accepted", isSample: false });
  const others = event === undefined ? await Promise.all(otherSigns.map(readNewest)) : [];
  const found = event ?? others.flat().toSorted((one, other) => (one.id < other.id ? 1 : -1))[0];
  if (found === undefined) return null;
  const { id, status, reason, detail, receivedAt, eventType, verificationOutcome, isSample } =
    found;
  return { id, status, reason, detail, receivedAt, eventType, verificationOutcome, isSample };
}

const otherSigns: readonly DeliveryFilter[] = [
  { status: "accepted", isSample: true },
  { status: "pending" },
  { status: "rejected" },
];

/** An action that can reply to the provider, with the steps whose results the reply can use. */
function viewReplying({ id, name, enabled, steps }: ActionRecord) {
  const keys = steps === null ? [onlyCallKey] : listSteps(steps).map(({ step }) => step.key);
  return { id, name, isOn: enabled, stepKeys: keys };
}

/** The settings of a hook. Throws `not_found`. */
export async function readHookSettings(context: ServiceContext, accountId: string, hookId: string) {
  const hook = await readHook(context, hookId);
  const {
    dedupe,
    eventType,
    methods,
    splitBatches,
    toleranceSeconds,
    ratePerSecond,
    response,
    publish,
    cors,
    silence,
    fieldSearch,
    fieldSearchUntil,
    retentionDays,
    retentionCount,
    reply,
    provider,
  } = hook;
  const [openRuns, actions, rhythm] = await Promise.all([
    countWaiting(context, accountId, hook),
    listActions(context.db, accountId, hook.id, { limit: maxActions }),
    readHookRhythm(context, hook.id),
  ]);
  return {
    nowMs: Date.now(),
    hook: {
      ...viewHook(hook, context.env.publicUrl),
      openRuns,
      rhythm,
      actions: actions.items.map(viewReplying),
      ...{
        dedupe,
        eventType,
        methods,
        splitBatches,
        toleranceSeconds,
        ratePerSecond,
        response,
        publish,
        cors,
        silence,
        fieldSearch,
        fieldSearchUntil,
        retentionDays,
        retentionCount,
        reply,
      },
      defaultRetentionDays: context.env.retentionDays,
      defaultRate: context.env.hookRatePerSecond,
      defaultToleranceSeconds: defaultTolerance(hook),
      defaultDedupe: { rule: defaultDedupe(provider), provider: whoCallsFor(provider, "eventId") },
      replay: viewReplay(hook),
      defaultEventType: {
        rule: defaultEventType(provider),
        provider: whoCallsFor(provider, "eventType"),
      },
    },
    secrets: hook.secrets.map(({ id, hint, createdAt, expiresAt }) => ({
      id,
      hint,
      createdAt,
      expiresAt,
    })),
  };
}

function viewReplay(hook: HookRecord) {
  const found = findHookReplayProtection(hook);
  if (found === null) return null;
  return {
    isPossible: found.isPossible,
    isOn: isReplayProtected(hook),
    isOnByDefault: found.isPossible && found.isOn,
    why: found.why,
    providerName: findProvider(hook.provider)?.name ?? "this signature",
  };
}

/** The provider whose rule is the default; null: the default for most providers. */
function whoCallsFor(provider: string, what: "eventId" | "eventType"): string | null {
  const known = findProvider(provider);
  return known !== undefined && known[what].length > 0 ? known.name : null;
}

/** Reads the data of the form that changes a hook's provider. Throws `not_found`. */
export async function readHookProvider(context: ServiceContext, hookId: string) {
  const hook = await readHook(context, hookId);
  const { id, name, provider, verification, secrets } = hook;
  return { id, name, provider, verification, hasSecret: secrets.length > 0 };
}

/** Runs that wait because the hook is paused. */
async function countWaiting({ db }: ServiceContext, accountId: string, { id, status }: HookRecord) {
  if (status !== "paused") return { count: 0, isMore: false };
  return (await countHookContents(db, accountId, id)).openRuns;
}

function viewHook(hook: HookRecord, publicUrl: string) {
  const { id, name, status, provider, pending } = hook;
  const known = findProvider(provider);
  const url = catchUrl(publicUrl, hook);
  return {
    id,
    name,
    status,
    provider,
    providerName: providerName(provider),
    knownProviderName: known?.name ?? null,
    isSigned: provider !== "generic",
    keepsUntil: pending?.until ?? null,
    missing: isSecretMissing(hook) ? describeProof(hook) : null,
    catchUrl: url,
    path: hook.path,
    catchPrefix: catchUrl(publicUrl, { ...hook, path: "" }),
    whyNoPath: whyNoPath(provider),
    previousUrls: hook.previousKeys.map(({ key, expiresAt }) => ({
      catchUrl: catchUrl(publicUrl, { ...hook, key, path: null }),
      expiresAt,
    })),
    localHost: findLocalHost(url),
    whereToPaste: known?.whereToPaste ?? null,
    verifyToken: readVerifyToken(hook),
    docsUrl: known?.docsUrl ?? null,
    ...describeProof(hook),
  };
}
