import { toChangeKey } from "#lib/core/mapping/compare/change-key.ts";
import { compareRequests } from "#lib/core/mapping/compare/compare-requests.ts";
import { isCredentialHeader, redactUrl } from "#lib/core/people/redact/redact-request.ts";
import type { BacktestResult } from "#lib/db/backtests/backtest-results.ts";
import type { BacktestRequest } from "#lib/schema/act/backtest.ts";
import type { ActionConfigResult } from "#lib/worker/config/action-config.ts";
import { toStoredText } from "#lib/worker/outcome/stored-attempt.ts";
import { planSteps } from "./plan-steps.ts";
import {
  type Effect,
  type PlanInput,
  planCall,
  planOf,
  type RunPlan,
  secretsOf,
} from "./run-plan.ts";

export type Versions = {
  readonly draft: ActionConfigResult;
  /** Null: the action is new. */
  readonly current: ActionConfigResult | null;
};

/** The maximum size of a stored result, as JSON text. */
const maxDetailChars = 16 * 1024;
const maxRequests = 20;

/**
 * Computes the requests of both versions for a delivery, and their differences. Nothing is sent.
 */
export async function evaluateDelivery(
  input: PlanInput,
  { draft, current }: Versions,
): Promise<BacktestResult> {
  const after = await plan(input, draft);
  const before = current === null ? null : await plan(input, current);
  const { view } = input.context.delivery;
  const secrets = [
    ...secretsOf(configOf(draft), configOf(current)),
    ...view.headers.filter(([name]) => isCredentialHeader(name)).map(([, value]) => value),
  ];
  const requests = compareEffects(before?.effects ?? null, after.effects, secrets);
  const isOtherOutcome =
    before !== null &&
    (before.outcome !== after.outcome ||
      before.error?.code !== after.error?.code ||
      before.unknownSteps.join() !== after.unknownSteps.join());
  const isChanged =
    isOtherOutcome || (before !== null && requests.some(({ change }) => change !== "same"));
  const { outcome, error, unknownSteps, responses, cutLists } = after;
  const details = { ...keepWithin(requests), unknownSteps, responses, cutLists };
  const currentOutcome = before?.outcome ?? null;
  const code = error?.code ?? null;
  return {
    deliveryId: view.id,
    outcome,
    currentOutcome,
    isChanged,
    changeKey: toChangeKey({ outcome, currentOutcome, code, requests: isChanged ? requests : [] }),
    reason:
      error === null ? null : { code: error.code, message: toStoredText(error.message, secrets) },
    details,
  };
}

function configOf(read: ActionConfigResult | null) {
  return read?.ok === true ? read.config : null;
}

async function plan(input: PlanInput, read: ActionConfigResult): Promise<RunPlan> {
  if (!read.ok) return planOf("fail", { code: read.code, message: read.message });
  const { config } = read;
  return config.steps === null ? await planCall(input, config) : await planSteps(input, config);
}

function compareEffects(
  before: readonly Effect[] | null,
  after: readonly Effect[],
  secrets: readonly string[],
): readonly BacktestRequest[] {
  const old = new Map((before ?? []).map((effect) => [placeOf(effect), effect]));
  const now = new Map(after.map((effect) => [placeOf(effect), effect]));
  const shown = after.map((effect) => {
    const other = old.get(placeOf(effect));
    return compare(other ?? null, effect, secrets, before === null ? "new" : "added");
  });
  const removed = (before ?? []).filter((effect) => !now.has(placeOf(effect)));
  return [...shown, ...removed.map((effect) => compare(effect, null, secrets, "removed"))];
}

function compare(
  before: Effect | null,
  after: Effect | null,
  secrets: readonly string[],
  alone: "new" | "added" | "removed",
): BacktestRequest {
  const shown = after ?? before;
  if (shown === null) throw new Error("There is nothing to compare.");
  const { step, item, kind, request } = shown;
  const compared = compareRequests(before?.request ?? null, after?.request ?? null, secrets, own);
  const isSame = compared.changes.length === 0;
  const change = before === null || after === null ? alone : isSame ? "same" : "changed";
  const url = redactUrl(request.url, secrets).slice(0, maxUrlChars);
  return { step, item, kind, method: request.method, url, change, ...compared };
}

const maxUrlChars = 500;
/** Headers with the same value for both versions. A real run has another one. */
const own: ReadonlySet<string> = new Set(["idempotency-key"]);

function placeOf({ step, item, kind }: Effect): string {
  return `${kind} ${step} ${item ?? ""}`;
}

/** Keeps as many requests as fit. Requests that differ come first. */
function keepWithin(all: readonly BacktestRequest[]) {
  const sorted = all.toSorted((a, b) => Number(a.change === "same") - Number(b.change === "same"));
  let chars = 0;
  const requests = sorted.slice(0, maxRequests).map((request) => {
    const size = JSON.stringify(request).length;
    if (chars + size <= maxDetailChars) {
      chars += size;
      return request;
    }
    const { changes, moreChanges, ...rest } = request;
    return { ...rest, changes: [], moreChanges: moreChanges + changes.length };
  });
  return { requests, moreRequests: all.length - requests.length };
}
