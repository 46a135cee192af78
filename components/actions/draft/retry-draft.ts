import { scheduledWaitMs } from "#lib/core/sending/retry/retry-delay.ts";
import {
  defaultRetryPolicy,
  type RetryCondition,
  type RetryPolicy,
} from "#lib/schema/act/retry-policy.ts";
import type { FieldError } from "#lib/schema/field/command-result.ts";
import { describeSpan } from "#lib/schema/field/describe-span.ts";

/** The retry policy as text fields. */
export type RetryDraft = {
  readonly maxAttempts: string;
  /** "5 s", "2 min", "1 h"; a bare number is seconds. */
  readonly firstWait: string;
  readonly maxWait: string;
  readonly onConnection: boolean;
  readonly onTimeout: boolean;
  readonly onServerErrors: boolean;
  /** Retries responses that the success rule calls failures. */
  readonly onUnsuccessful: boolean;
  /** Statuses, separated by commas. */
  readonly statuses: string;
  /** A time as above. Empty: only the number of attempts ends it. */
  readonly giveUpAfter: string;
};

type RetryPreset = {
  readonly id: string;
  readonly words: string;
  readonly policy: RetryPolicy;
};

const presetPolicies: readonly {
  readonly id: string;
  readonly title: string;
  readonly policy: RetryPolicy;
}[] = [
  { id: "patient", title: "Standard", policy: defaultRetryPolicy },
  {
    id: "steady",
    title: "About an hour",
    policy: { ...defaultRetryPolicy, maxAttempts: 7, initialDelayMs: 5_000, maxDelayMs: 1_800_000 },
  },
  {
    id: "quick",
    title: "Quick",
    policy: { ...defaultRetryPolicy, maxAttempts: 5, initialDelayMs: 1_000, maxDelayMs: 60_000 },
  },
  {
    id: "once",
    title: "Never",
    policy: {
      ...defaultRetryPolicy,
      maxAttempts: 1,
      initialDelayMs: 5_000,
      maxDelayMs: 36_000_000,
    },
  },
];

/** The presets. Each describes how long it retries. */
export const retryPresets: readonly RetryPreset[] = presetPolicies.map(({ id, title, policy }) => ({
  id,
  words: `${title}: ${describeRetry(policy)}`,
  policy,
}));

export function toRetryDraft(policy: RetryPolicy): RetryDraft {
  return {
    maxAttempts: String(policy.maxAttempts),
    firstWait: describeWait(policy.initialDelayMs),
    maxWait: describeWait(policy.maxDelayMs),
    onConnection: policy.on.includes("connection"),
    onTimeout: policy.on.includes("timeout"),
    onServerErrors: policy.on.includes("5xx"),
    onUnsuccessful: policy.on.includes("unsuccessful"),
    statuses: policy.on.filter((condition) => typeof condition === "number").join(", "),
    giveUpAfter: policy.giveUpAfterSeconds ? describeWait(policy.giveUpAfterSeconds * 1_000) : "",
  };
}

/** The preset that matches a draft, if any. */
export function findPreset(draft: RetryDraft): string | null {
  const text = JSON.stringify(draft);
  return (
    retryPresets.find(({ policy }) => JSON.stringify(toRetryDraft(policy)) === text)?.id ?? null
  );
}

type ReadRetry =
  | { readonly ok: true; readonly policy: RetryPolicy }
  | { readonly ok: false; readonly errors: readonly FieldError[] };

/** The policy as API input, whose schema checks the limits. */
export function readRetryDraft(draft: RetryDraft): ReadRetry {
  const errors: FieldError[] = [];
  const reject = (field: string, message: string) =>
    errors.push({ path: `retry.${field}`, code: "invalid_value", message });
  const maxAttempts = Number(draft.maxAttempts);
  const isWhole = /^\d{1,4}$/.test(draft.maxAttempts.trim());
  if (!isWhole) reject("maxAttempts", "must be a whole number");
  const initialDelayMs = readWait(draft.firstWait);
  const maxDelayMs = readWait(draft.maxWait);
  if (initialDelayMs === null) reject("initialDelayMs", waitHint);
  if (maxDelayMs === null) reject("maxDelayMs", waitHint);
  const giveUpMs = draft.giveUpAfter.trim() === "" ? null : readWait(draft.giveUpAfter);
  if (giveUpMs === null && draft.giveUpAfter.trim() !== "") reject("giveUpAfterSeconds", waitHint);
  const statuses = draft.statuses.split(/[\s,]+/).filter((text) => text !== "");
  const wrong = statuses.find((text) => !/^[45]\d\d$/.test(text));
  if (wrong !== undefined) reject("on", `has ${wrong}, which isn't a status from 400 to 599`);
  if (errors.length > 0 || initialDelayMs === null || maxDelayMs === null)
    return { ok: false, errors };
  const conditions: RetryCondition[] = [];
  if (draft.onConnection) conditions.push("connection");
  if (draft.onTimeout) conditions.push("timeout");
  conditions.push(...new Set(statuses.map(Number)));
  if (draft.onServerErrors) conditions.push("5xx");
  if (draft.onUnsuccessful) conditions.push("unsuccessful");
  const giveUp = giveUpMs === null ? {} : { giveUpAfterSeconds: Math.ceil(giveUpMs / 1_000) };
  return {
    ok: true,
    policy: { maxAttempts, initialDelayMs, maxDelayMs, on: conditions, ...giveUp },
  };
}

export const waitHint = 'must be a time such as "5 s", "2 min" or "1 h"';

/** Describes a policy as "10 tries over about 28 hours". */
export function describeRetry({ maxAttempts, ...delays }: Omit<RetryPolicy, "on">): string {
  if (maxAttempts <= 1) return "1 attempt, no retries";
  const totalMs = listWaits({ maxAttempts, ...delays }).reduce((sum, wait) => sum + wait, 0);
  return `${maxAttempts} attempts over about ${describeSpan(totalMs / 1_000)}`;
}

/** Delays between tries in milliseconds, without jitter. */
export function listWaits({ maxAttempts, ...delays }: Omit<RetryPolicy, "on">): readonly number[] {
  const count = Math.max(0, Math.min(maxAttempts, 20) - 1);
  return Array.from({ length: count }, (_, at) => scheduledWaitMs(at + 1, delays));
}

const unitsMs: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  min: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/**
 * Writes a time as "250 ms", "5 s", "2 min", or "10 h", in the largest unit that divides it evenly.
 */
export function describeWait(ms: number): string {
  const unit = ["h", "min", "s"].find((name) => ms % (unitsMs[name] ?? 1) === 0 && ms > 0) ?? "ms";
  return `${ms / (unitsMs[unit] ?? 1)} ${unit}`;
}

/** The time in milliseconds. Null: not a time. A number without a unit is seconds. */
export function readWait(text: string): number | null {
  const match = /^(\d+(?:\.\d+)?)\s*(ms|s|sec|seconds?|m|min|minutes?|h|hours?|d|days?)?$/i.exec(
    text.trim(),
  );
  if (match === null) return null;
  const word = (match[2] ?? "s").toLowerCase();
  const unit = word === "ms" ? "ms" : word.startsWith("m") ? "min" : word.charAt(0);
  return Math.round(Number(match[1]) * (unitsMs[unit] ?? 1));
}
