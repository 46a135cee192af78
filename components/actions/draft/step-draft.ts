import { readJsonField } from "#components/ui/form/read-json-field.ts";
import type { ActionStep, AnyStep } from "#lib/schema/act/steps.ts";
import type { SuccessRule } from "#lib/schema/act/success.ts";
import type { FieldError } from "#lib/schema/field/command-result.ts";
import { type FilterDraft, noFilter, readFilterDraft, toFilterDraft } from "./filter-draft.ts";
import {
  newRequest,
  type RequestDraft,
  readRequestDraft,
  toRequestDraft,
} from "./request-draft.ts";
import {
  describeWait,
  type RetryDraft,
  readRetryDraft,
  readWait,
  toRetryDraft,
  waitHint,
} from "./retry-draft.ts";

/** A step as text fields, before parsing. */
export type StepDraft = {
  /** The id of this step while the page is open. Its key may change. */
  readonly id: number;
  /** The key as typed. */
  readonly key: string;
  /** The last valid key, which templates of other steps use. */
  readonly name: string;
  /**
   * The saved key, or for a copy the original's. It is used to find stored credentials and results
   * of runs. Null: not saved yet.
   */
  readonly formerKey: string | null;
  readonly when: FilterDraft;
  readonly forEach: ForEachDraft | null;
  readonly onFailure: OnFailure;
  /**
   * The steps to run instead if it fails and `onFailure` is `steps`. These have no branch
   * themselves.
   */
  readonly branch: readonly StepDraft[];
  readonly work: StepWork;
};

export type ForEachDraft = { readonly path: string; readonly parallel: string };
type OnFailure = "stop" | "continue" | "steps";

type StepWork = CallWork | TransformWork | DelayWork | PublishWork;
export type StepKind = StepWork["kind"];
export type WorkOf<Kind extends StepKind> = Extract<StepWork, { readonly kind: Kind }>;

export type CallWork = {
  readonly kind: "call";
  readonly request: RequestDraft;
  /** The timeout in seconds. Empty: the action's. */
  readonly timeout: string;
  /** Null: the action's retry policy. */
  readonly retry: RetryDraft | null;
  /** Empty: the default for the method. */
  readonly onUnknown: "" | "repeat" | "ask";
  /** Null: the action's success rule. */
  readonly success: SuccessRule | null;
};
type TransformWork = { readonly kind: "transform"; readonly code: string };
export type DelayWork = {
  readonly kind: "delay";
  readonly mode: "for" | "until";
  /** "5 s", "2 min", "1 h", "3 d". */
  readonly for: string;
  /** A template that renders to a time. */
  readonly until: string;
};
type PublishWork = {
  readonly kind: "publish";
  readonly type: string;
  readonly recipient: string;
  /** JSON as text. */
  readonly data: string;
};

const newTransform = `export default (delivery, steps) => ({
  
});
`;

const newWork: { readonly [Kind in StepKind]: WorkOf<Kind> } = {
  call: {
    kind: "call",
    request: newRequest,
    timeout: "",
    retry: null,
    onUnknown: "",
    success: null,
  },
  transform: { kind: "transform", code: newTransform },
  delay: { kind: "delay", mode: "for", for: "1 min", until: "" },
  publish: { kind: "publish", type: "", recipient: "", data: '{\n  "id": "{{ id }}"\n}' },
};

/** The key of a step about which nothing but its kind is known yet. */
export const kindKeys: Readonly<Record<StepKind, string>> = {
  call: "call",
  transform: "transform",
  delay: "wait",
  publish: "publish",
};

type Place = { readonly id: number; readonly key: string; readonly formerKey?: string };

/** A step that always runs once, and stops the run if it fails. */
export function newStep<Kind extends StepKind>(
  kind: Kind,
  { id, key, formerKey }: Place,
): StepDraft & { readonly work: WorkOf<Kind> } {
  return {
    id,
    key,
    name: key,
    formerKey: formerKey ?? null,
    when: noFilter,
    forEach: null,
    onFailure: "stop",
    branch: [],
    work: newWork[kind],
  };
}

/** @param withAuth keys of the steps that have credentials */
export function toStepDrafts(
  steps: readonly ActionStep[],
  withAuth: ReadonlySet<string>,
): readonly StepDraft[] {
  let id = -1;
  const toDraft = (step: AnyStep): StepDraft => {
    id += 1;
    const { key, onFailure } = step;
    const handled = typeof onFailure === "object";
    return {
      ...newStep(step.kind, { id, key, formerKey: key }),
      when: toFilterDraft(step.when),
      forEach:
        step.forEach === null
          ? null
          : { path: step.forEach.path, parallel: String(step.forEach.parallel) },
      onFailure: handled ? "steps" : onFailure,
      work: toWork(step, withAuth.has(key)),
      branch: handled ? onFailure.steps.map(toDraft) : [],
    };
  };
  return steps.map(toDraft);
}

function toWork(step: AnyStep, hasAuth: boolean): StepWork {
  switch (step.kind) {
    case "call":
      return {
        kind: "call",
        request: toRequestDraft(step.request, hasAuth),
        timeout: step.timeoutMs === null ? "" : String(step.timeoutMs / 1_000),
        retry: step.retry === null ? null : toRetryDraft(step.retry),
        onUnknown: step.onUnknown ?? "",
        success: step.success,
      };
    case "transform":
      return { kind: "transform", code: step.code };
    case "delay":
      return step.ms === undefined
        ? { ...newWork.delay, mode: "until", until: step.until ?? "" }
        : { ...newWork.delay, for: describeWait(step.ms) };
    case "publish":
      return {
        kind: "publish",
        type: step.type,
        recipient: step.recipient ?? "",
        data: step.data === null ? "" : JSON.stringify(step.data, null, 2),
      };
    default:
      return step satisfies never;
  }
}

/**
 * The draft as one of the API's `steps`. Fields that can't be read are reported in `errors`, with
 * paths below `at`.
 */
export function readStepDraft(
  step: StepDraft,
  at: string,
  errors: FieldError[],
): Readonly<Record<string, unknown>> {
  const { key, forEach, onFailure, branch } = step;
  const when = readFilterDraft(step.when);
  if (!when.ok) errors.push(...when.errors.map((error) => ({ ...error, path: `${at}.when` })));
  const branchAt = `${at}.onFailure.steps`;
  return {
    key: key.trim(),
    ...(when.ok && when.filter !== null ? { when: when.filter } : {}),
    ...(forEach === null
      ? {}
      : { forEach: { path: forEach.path.trim(), parallel: Number(forEach.parallel) } }),
    ...(onFailure === "stop"
      ? {}
      : {
          onFailure:
            onFailure === "continue"
              ? onFailure
              : {
                  steps: branch.map((inner, index) =>
                    readStepDraft(inner, `${branchAt}.${index}`, errors),
                  ),
                },
        }),
    ...readStepWork(step.work, at, errors),
  };
}

function readStepWork(work: StepWork, at: string, errors: FieldError[]) {
  switch (work.kind) {
    case "call":
      return readCall(work, at, errors);
    case "transform":
      return { kind: work.kind, code: work.code };
    case "delay":
      return readDelay(work, at, errors);
    case "publish":
      return readPublish(work, at, errors);
    default:
      return work satisfies never;
  }
}

function readCall(
  { kind, request, timeout, retry, onUnknown, success }: CallWork,
  at: string,
  errors: FieldError[],
) {
  const policy = retry === null ? null : readRetryDraft(retry);
  if (policy?.ok === false)
    errors.push(...policy.errors.map((error) => ({ ...error, path: `${at}.${error.path}` })));
  const timeoutMs = timeout.trim() === "" ? null : Math.round(Number(timeout) * 1_000);
  if (timeoutMs !== null && !(timeoutMs >= 100 && timeoutMs <= 60_000))
    errors.push({
      path: `${at}.timeoutMs`,
      code: "out_of_range",
      message: "must be from 0.1 to 60 seconds",
    });
  return {
    kind,
    request: readRequestDraft(request, `${at}.request`, errors),
    ...(timeoutMs === null ? {} : { timeoutMs }),
    ...(policy?.ok === true ? { retry: policy.policy } : {}),
    ...(onUnknown === "" ? {} : { onUnknown }),
    ...(success === null ? {} : { success }),
  };
}

function readDelay({ kind, mode, ...times }: DelayWork, at: string, errors: FieldError[]) {
  if (mode === "until") return { kind, until: times.until.trim() };
  const ms = readWait(times.for);
  if (ms === null) errors.push({ path: `${at}.ms`, code: "invalid_value", message: waitHint });
  return { kind, ms };
}

function readPublish(
  { kind, type, recipient, data }: PublishWork,
  at: string,
  errors: FieldError[],
) {
  const read = data.trim() === "" ? null : readJsonField(`${at}.data`, data);
  if (read?.ok === false) errors.push(...read.errors);
  return {
    kind,
    type: type.trim(),
    ...(recipient.trim() === "" ? {} : { recipient: recipient.trim() }),
    ...(read?.ok === true ? { data: read.value } : {}),
  };
}
