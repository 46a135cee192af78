import { z } from "zod";
import { AppError } from "#lib/base/errors.ts";
import { newId } from "#lib/base/ids.ts";
import { invalidInput } from "#lib/core/api/parse-input.ts";
import type { ActionRecord } from "#lib/db/actions/action-record.ts";
import { getVersion } from "#lib/db/actions/action-versions.ts";
import type { ActionWork } from "#lib/db/actions/action-work.ts";
import { getAction } from "#lib/db/actions/actions.ts";
import {
  listBacktestResults as findResults,
  listResultGroups,
} from "#lib/db/backtests/backtest-results.ts";
import {
  type BacktestRecord,
  getBacktest as findBacktest,
  findBacktestDeliveries,
  listBacktests as findBacktests,
  insertBacktest,
  markBacktestCancelled,
  type NewBacktest,
  removeOldBacktests,
  type TestedWork,
} from "#lib/db/backtests/backtests.ts";
import { getHook } from "#lib/db/hooks/hooks.ts";
import {
  type ActionBacktest,
  actionBacktestSchema,
  type BacktestSet,
  type BacktestShow,
  backtestOutcomes,
  backtestResultQuerySchema,
  backtestShows,
  draftBacktestSchema,
  type HookBacktest,
  hookBacktestSchema,
} from "#lib/schema/act/backtest.ts";
import { onlyCallKey } from "#lib/schema/act/step-limits.ts";
import { listCalls } from "#lib/schema/act/steps.ts";
import type { FieldError } from "#lib/schema/field/command-result.ts";
import { byId, pageFields, recordId } from "#lib/schema/field/common.ts";
import { type FormerKeys, requireTransforms, toWork } from "#lib/services/actions/action-rules.ts";
import { toVersionPatch } from "#lib/services/actions/versions.ts";
import { audit } from "#lib/services/frame/audit.ts";
import { authorize } from "#lib/services/frame/authorize.ts";
import { type ServiceContext, service } from "#lib/services/frame/service.ts";

export type { ListedResult, ResultGroup } from "#lib/db/backtests/backtest-results.ts";

export type { BacktestRecord } from "#lib/db/backtests/backtests.ts";

/** Returns a backtest of the account. Throws `not_found`. */
export const getBacktest = service({
  permission: "deliveries:read",
  input: byId,
  run: ({ db, actor }, { id }) => findBacktest(db, actor.accountId, id),
});

const pageSize = 25;

/** More ways to differ aren't a summary. */
const maxGroups = 50;

/** A backtest with the ways in which the results to show differ. */
export const showBacktest = service({
  permission: "deliveries:read",
  input: z.strictObject({ id: recordId, show: z.enum(backtestShows) }),
  run: async ({ db, actor }, { id, show }) => {
    const backtest = await findBacktest(db, actor.accountId, id);
    const filter = toFilter(show);
    return {
      backtest,
      groups: await listResultGroups(db, actor.accountId, backtest.id, filter, maxGroups),
    };
  },
});

/** The results of a backtest that differ in one way. */
export const listGroupResults = service({
  permission: "deliveries:read",
  input: z.strictObject({
    id: recordId,
    show: z.enum(backtestShows),
    changeKey: z.string().max(100),
    cursor: pageFields.cursor,
  }),
  run: ({ db, actor }, { id, show, changeKey, cursor }) =>
    findResults(
      db,
      actor.accountId,
      id,
      { ...toFilter(show), changeKey },
      { limit: pageSize, cursor },
    ),
});

function toFilter(show: BacktestShow) {
  return {
    outcome: backtestOutcomes.find((outcome) => outcome === show),
    changed: show === "changed" ? true : undefined,
    isNewFail: show === "new_fail",
  };
}

/** The backtests of an action, newest first. */
export const listBacktests = service({
  permission: "deliveries:read",
  input: z.strictObject({ ...pageFields, id: recordId }),
  run: async ({ db, actor }, { id, ...page }) => {
    const action = await getAction(db, actor.accountId, id);
    return await findBacktests(db, actor.accountId, action.id, page);
  },
});

/** The results of a backtest, one per delivery, newest first. */
export const listBacktestResults = service({
  permission: "deliveries:read",
  input: backtestResultQuerySchema.extend({ id: recordId }),
  run: ({ db, actor }, { id, outcome, changed, ...page }) =>
    findResults(db, actor.accountId, id, { outcome, changed }, page),
});

/**
 * Starts a backtest of a change to an action. The draft is checked as on saving, and its stored
 * credentials are kept under the same rule. Its results show what deliveries contain.
 */
export const backtestAction = service({
  permission: "hooks:write",
  input: actionBacktestSchema.safeExtend({ id: recordId }),
  run: async (context, { id, ...input }) => await ofAction(context, id, input),
});

/** Starts a backtest of an action that isn't saved yet. There is nothing to compare it with. */
export const backtestNewAction = service({
  permission: "hooks:write",
  input: hookBacktestSchema.safeExtend({ id: recordId }),
  run: async (context, { id, ...input }) => await ofNewAction(context, id, input),
});

const stepKey = z.string().max(64);

/**
 * Starts a backtest of what the editor has: a new or saved action, with the draft's fields beside
 * the set's.
 */
export const backtestDraft = service({
  permission: "hooks:write",
  input: draftBacktestSchema.safeExtend({
    hookId: recordId,
    /** Null: the action isn't saved yet. */
    actionId: recordId.nullable(),
    /** Former keys of steps that were renamed in the draft, which keep their credentials. */
    formerKeys: z.record(stepKey, stepKey),
  }),
  run: async (context, { hookId, actionId, formerKeys, against, ...input }) => {
    const { last, from, to, responses, ...draft } = input;
    const set = { last, from, to, responses };
    return actionId === null
      ? await ofNewAction(context, hookId, { draft, ...set })
      : await ofAction(context, actionId, { draft, against, ...set }, formerKeys);
  },
});

async function ofAction(
  context: ServiceContext,
  actionId: string,
  { draft, version, against, ...set }: ActionBacktest,
  formerKeys?: FormerKeys,
): Promise<BacktestRecord> {
  const { accountId } = context.actor;
  authorize(context.actor, "deliveries:read");
  const action = await getAction(context.db, accountId, actionId);
  const tested = { id: newId(), hookId: action.hookId, actionId: action.id };
  const current = await readVersion(context, action, against ?? action.version);
  if (version !== undefined) {
    const made = { ...tested, draft: await readVersion(context, action, version), version };
    return await start(context, { ...made, current }, set);
  }
  await requireTransforms(accountId, draft.steps);
  const work = toWork(context, { owner: action, given: draft, before: action, formerKeys });
  const filter = draft.filter === undefined ? action.filter : draft.filter;
  return await start(
    context,
    { ...tested, draft: { ...work, filter }, version: null, current },
    set,
  );
}

/** Reads a version of an action, with the current credentials that fit. Throws `not_found`. */
async function readVersion(
  context: ServiceContext,
  action: ActionRecord,
  number: number,
): Promise<TestedWork & { readonly version: number }> {
  if (number === action.version) return action;
  const stored = await getVersion(context.db, action.accountId, action.id, number);
  const { patch } = toVersionPatch(context.sealer, action, stored);
  const work = toWork(context, { owner: action, given: patch, before: action });
  return { ...work, filter: patch.filter ?? null, version: number };
}

async function ofNewAction(
  context: ServiceContext,
  hookId: string,
  { draft, ...set }: HookBacktest,
): Promise<BacktestRecord> {
  const { accountId } = context.actor;
  authorize(context.actor, "deliveries:read");
  const hook = await getHook(context.db, accountId, hookId);
  await requireTransforms(accountId, draft.steps);
  const id = newId();
  const work = toWork(context, { owner: { id, accountId }, given: draft, before: null });
  const { filter } = draft;
  const made = { id, hookId: hook.id, actionId: null, version: null, current: null };
  return await start(context, { ...made, draft: { ...work, filter } }, set);
}

const maxRunning = 3;
/** Backtests that an account may have, ended ones included. */
const maxKept = 20;

/**
 * Starts the backtest over the accepted deliveries that are there now. It runs in the background.
 * Throws `conflict` if there are none, or too many backtests are running.
 */
async function start(
  context: ServiceContext,
  made: Omit<NewBacktest, "responses">,
  set: BacktestSet,
): Promise<BacktestRecord> {
  const { db } = context;
  const { accountId } = context.actor;
  requireKnownCalls(set.responses, made.draft);
  const deliveries = await findBacktestDeliveries(db, accountId, made.hookId, set);
  if (deliveries === null) {
    const where = set.from === undefined && set.to === undefined ? "yet" : "in this time";
    throw new AppError("conflict", `This hook has no accepted delivery ${where}.`);
  }
  // Makes room for this one.
  await removeOldBacktests(db, accountId, maxKept - 1);
  const backtest = { ...made, responses: set.responses };
  await db.$transaction(async (tx) => {
    if (!(await insertBacktest(tx, accountId, backtest, deliveries, maxRunning))) {
      const detail = `${maxRunning} backtests are running. Wait for one to finish, or cancel it.`;
      throw new AppError("conflict", detail);
    }
    const targets = [{ type: "backtest", id: made.id }];
    await audit(context, { event: "backtest.started", targets }, tx);
  });
  return await findBacktest(db, accountId, made.id);
}

/** A response for a call that doesn't exist is a misspelled key, and would distort the result. */
function requireKnownCalls(responses: BacktestSet["responses"], { steps }: ActionWork): void {
  const keys = steps === null ? [onlyCallKey] : listCalls(steps).map(({ step }) => step.key);
  const errors = Object.keys(responses).flatMap((key): FieldError[] => {
    if (keys.includes(key)) return [];
    const message = `the draft has no call with the key ${key}. It has ${keys.join(", ") || "none"}`;
    return [{ path: `responses.${key}`, code: "not_found", message }];
  });
  if (errors.length > 0) throw invalidInput(errors);
}

/** Stops a backtest. Its results so far stay. Throws `conflict` if it has ended. */
export const cancelBacktest = service({
  permission: "hooks:write",
  input: byId,
  run: async (context, { id }): Promise<BacktestRecord> => {
    const { db, actor } = context;
    await findBacktest(db, actor.accountId, id);
    await db.$transaction(async (tx) => {
      if (!(await markBacktestCancelled(tx, actor.accountId, id)))
        throw new AppError("conflict", "This backtest has already ended, so it can't be canceled.");
      const targets = [{ type: "backtest", id }];
      await audit(context, { event: "backtest.cancelled", targets }, tx);
    });
    return await findBacktest(db, actor.accountId, id);
  },
});
