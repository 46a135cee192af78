import { findProvider } from "#lib/core/providers/catalog/catalog.ts";
import { findEventList } from "#lib/core/providers/event-lists/find-event-list.ts";
import { findRegistrar } from "#lib/core/providers/registrars/find-registrar.ts";
import { catchUrl, findLocalHost } from "#lib/core/verify/hook/catch-url.ts";
import { whyNoPath } from "#lib/core/verify/hook/hook-path.ts";
import {
  defaultDedupe,
  defaultEventType,
  defaultTolerance,
} from "#lib/core/verify/hook/hook-rules.ts";
import {
  findHookReplayProtection,
  isReplayProtected,
} from "#lib/core/verify/hook/hook-verifier.ts";
import { onlyCallKey } from "#lib/schema/act/step-limits.ts";
import { firstCallOf, listSteps } from "#lib/schema/act/steps.ts";
import {
  type ActionRecord,
  listActions,
  readActionHealth,
} from "#lib/services/actions/read-actions.ts";
import { listDeliveries } from "#lib/services/deliveries/read-deliveries.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";
import { listTestTypes } from "#lib/services/hooks/prepare-test-delivery.ts";
import {
  type HookRecord,
  type HookSecretSummary,
  readHookContents,
  readHookRhythm,
  readHookState,
} from "#lib/services/hooks/read-hooks.ts";
import { describeProof } from "#lib/web/hooks/describe-proof.ts";
import { readHook } from "#lib/web/request/read-named.ts";
import { isSecretMissing, providerName, readVerifyToken } from "./hook-view.ts";

/** The maximum per hook. */
const maxActions = "100";

/** A hook and its actions, in the order they run. Throws `not_found`. */
export async function readHookPage(context: ServiceContext, hookId: string) {
  const hook = await readHook(context, hookId);
  const [actions, state, openRuns] = await Promise.all([
    listActions(context, { id: hook.id, limit: maxActions }),
    readHookState(context, { id: hook.id }),
    countWaiting(context, hook),
  ]);
  const isGuided = actions.items.length === 0;
  const actionIds = actions.items.map(({ id }) => id);
  const health = await readActionHealth(context, { hookId: hook.id, actionIds });
  const nowMs = context.now().getTime();
  return {
    nowMs,
    hook: { ...viewHook(hook, context.env.publicUrl), openRuns },
    ...state,
    hasHandshakeSecret: hook.secrets.some((secret) => isFromHandshake(secret, nowMs - dayMs)),
    testTypes: listTestTypes(hook),
    /** Until there is an action, the page guides to it. */
    guide: isGuided ? { delivery: await findGuidingDelivery(context, hook.id) } : null,
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

function isFromHandshake({ origin, createdAt }: HookSecretSummary, sinceMs: number): boolean {
  return origin === "handshake" && createdAt.getTime() > sinceMs;
}

/** The newest real event; if there is none, the newest sample, pending, or rejected delivery. */
async function findGuidingDelivery(context: ServiceContext, hookId: string) {
  const readNewest = async (filter: (typeof otherSigns)[number] | typeof realEvent) =>
    (await listDeliveries(context, { hookId, ...filter, limit: "1" })).items;
  const [event] = await readNewest(realEvent);
  const others = event === undefined ? await Promise.all(otherSigns.map(readNewest)) : [];
  const found = event ?? others.flat().toSorted((one, other) => (one.id < other.id ? 1 : -1))[0];
  if (found === undefined) return null;
  const { id, status, reason, detail, receivedAt, eventType, verificationOutcome, isSample } =
    found;
  return { id, status, reason, detail, receivedAt, eventType, verificationOutcome, isSample };
}

const realEvent = { status: "accepted", isSample: "false" } as const;
const otherSigns = [
  { status: "accepted", isSample: "true" },
  { status: "pending" },
  { status: "rejected" },
] as const;

/** An action that can reply to the provider, with the steps whose results the reply can use. */
function viewReplying({ id, name, enabled, steps }: ActionRecord) {
  const keys = steps === null ? [onlyCallKey] : listSteps(steps).map(({ step }) => step.key);
  return { id, name, isOn: enabled, stepKeys: keys };
}

/** What the title of each page of a hook shows. Throws `not_found`. */
export async function readHookHeader(context: ServiceContext, hookId: string) {
  const hook = await readHook(context, hookId);
  const openRuns = await countWaiting(context, hook);
  return { ...viewHook(hook, context.env.publicUrl), openRuns };
}

/** The settings of a hook. Throws `not_found`. */
export async function readHookSettings(context: ServiceContext, hookId: string) {
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
    countWaiting(context, hook),
    listActions(context, { id: hook.id, limit: maxActions }),
    readHookRhythm(context, { id: hook.id }),
  ]);
  return {
    nowMs: context.now().getTime(),
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
async function countWaiting(context: ServiceContext, { id, status }: HookRecord) {
  if (status !== "paused") return { count: 0, isMore: false };
  return (await readHookContents(context, { id })).openRuns;
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
    listsEvents: findEventList(provider) !== null,
    canRegister: findRegistrar(provider) !== null,
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
