import type { FilterVerdict } from "#lib/core/filter/evaluate-filter.ts";
import { readStepValue } from "#lib/core/steps/step-value.ts";
import type { StepNames } from "#lib/core/template/step-context.ts";
import type { TransformResult } from "#lib/core/transform/transform.ts";
import type { ActionFilter } from "#lib/schema/action/action-filter.ts";
import { maxStepItems } from "#lib/schema/action/step-limits.ts";
import type { FieldError } from "#lib/schema/field/command-result.ts";
import type { JsonValue } from "#lib/schema/field/json-value.ts";
import type { DraftGround } from "#lib/services/actions/preview-draft.ts";
import type { ServiceParts } from "#lib/services/service-parts.ts";
import { webThreads } from "#lib/services/threads/web-threads.ts";
import { prepareBounded } from "#lib/threads/prepare-bounded.ts";
import { runTransform } from "#lib/threads/transform/run-transform.ts";
import { readStepResults, type StepResults } from "./read-step-results.ts";
import type { EarlierStep, StepDraftInput, StepPlace } from "./step-draft-input.ts";

/** What a step of the editor can read. */
export type StepGround = DraftGround & {
  readonly names: StepNames;
  /** Of the action's own filter. */
  readonly verdict: FilterVerdict;
  /** Of a step with `forEach`, whose item is in `names`. */
  readonly items: { readonly count: number; readonly index: number } | null;
};

export type PreparedStep =
  | ({ readonly ok: true } & StepGround)
  | { readonly ok: false; readonly errors: readonly FieldError[]; readonly verdict: FilterVerdict };

const noNames: StepNames = { steps: {} };

/** What the steps gave in the action's last run on the delivery. */
export type ReadLast = () => Promise<StepResults | null>;

export function readLastOf(
  context: ServiceParts,
  accountId: string,
  { actionId, deliveryId }: StepPlace,
): ReadLast {
  return async () =>
    actionId === null ? null : readStepResults(context, accountId, actionId, deliveryId);
}

/** Everything before the step itself. Sends nothing. */
export async function prepareStep(
  context: ServiceParts,
  ground: DraftGround,
  input: StepDraftInput,
  readLast: ReadLast,
): Promise<PreparedStep> {
  const checked = await renderValue(context, ground, { value: null, when: input.filter });
  const { verdict } = checked;
  const before = { ...ground, names: await readNames(context, ground, input.earlier, readLast) };
  const { step } = input;
  if (step.forEach === null) return { ok: true, ...before, verdict, items: null };
  const { path } = step.forEach;
  const list = await renderValue(context, before, { value: `{{ ${path} }}`, when: null });
  const problem = list.ok ? describeList(path, list.value) : list.errors[0]?.message;
  if (problem !== undefined || !list.ok || !Array.isArray(list.value)) {
    const message = problem ?? "can't be read";
    const errors = [{ path: "forEach.path", code: "invalid_value", message }] as const;
    return { ok: false, errors, verdict };
  }
  const { length: count } = list.value;
  const index = Math.min(input.itemIndex, Math.max(0, count - 1));
  const item = list.value[index] ?? null;
  const names = { ...before.names, item, index };
  return { ok: true, ...before, names, verdict, items: { count, index } };
}

function describeList(path: string, value: JsonValue): string | undefined {
  if (!Array.isArray(value)) return `${path} is not a list`;
  if (value.length <= maxStepItems) return undefined;
  return `${path} has ${value.length} items, and at most ${maxStepItems} are done`;
}

export type RenderedValue =
  | { readonly ok: true; readonly verdict: FilterVerdict; readonly value: JsonValue }
  | {
      readonly ok: false;
      readonly verdict: FilterVerdict;
      /** Paths below the value. */
      readonly errors: readonly FieldError[];
    };

type Rendering = { readonly value: JsonValue; readonly when: ActionFilter | null };

/** JSON whose strings are templates, with their values, as the worker renders it. */
export async function renderValue(
  _context: ServiceParts,
  { hook, delivery, names = noNames }: DraftGround & { readonly names?: StepNames },
  { value, when }: Rendering,
): Promise<RenderedValue> {
  const input = {
    delivery,
    hook: { id: hook.id, name: hook.name },
    filter: when,
    need: { kind: "value", value, at: "" },
    names,
    nowMs: Date.now(),
    builds: "always",
  } as const;
  const actionChars = JSON.stringify({ value, when }).length;
  const { verdict, built } = await prepareBounded(webThreads(), input, {
    accountId: hook.accountId,
    actionChars,
  });
  if (built?.ok === true) return { ok: true, verdict, value: readStepValue(built.made) };
  const errors = (built?.errors ?? []).map(
    ({ at, message, missingName }): FieldError =>
      missingName === undefined
        ? { path: at, code: "invalid_value", message }
        : { path: at, code: "missing_name", message, name: missingName },
  );
  return { ok: false, verdict, errors };
}

/** Results of steps before this one: typed in the editor, computed again, or of the last run. */
async function readNames(
  context: ServiceParts,
  ground: DraftGround,
  earlier: readonly EarlierStep[],
  readLast: ReadLast,
): Promise<StepNames> {
  const isStored = earlier.some(({ given, code }) => given === undefined && code === undefined);
  const last = isStored ? await readLast() : null;
  const steps: Record<string, JsonValue> = Object.create(null);
  for (const { key, formerKey, given, code, when = null } of earlier) {
    const stored = last?.results[formerKey ?? ""];
    if (given !== undefined) steps[key] = given as JsonValue;
    else if (code === undefined) {
      if (stored !== undefined) steps[key] = stored;
    } else {
      const names = { steps };
      const { verdict } = await renderValue(context, { ...ground, names }, { value: null, when });
      const run = verdict.matches ? await transform(ground, { key, code, names }) : null;
      steps[key] = readResult(run);
    }
  }
  return { steps };
}

/** As in the run's ledger. Null: it is skipped. */
export function readResult(run: TransformResult | null): JsonValue {
  if (run === null) return { value: null, error: null };
  if (run.ok) return { value: run.value, error: null };
  return { value: null, error: { code: `transform_${run.code}`, message: run.message } };
}

type Transform = { readonly key: string; readonly code: string; readonly names: StepNames };

/** In a thread, with the limits of runs. */
export async function transform(
  { hook, delivery }: DraftGround,
  { key, code, names }: Transform,
): Promise<TransformResult> {
  const input = {
    source: code,
    delivery,
    hook: { id: hook.id, name: hook.name },
    steps: names.steps,
    nowMs: delivery.receivedAtMs,
    seed: key,
  };
  return await runTransform(webThreads(), input, { accountId: hook.accountId });
}
