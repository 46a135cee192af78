import {
  type FilterDraft,
  noFilter,
  readFilterDraft,
  toFilterDraft,
} from "#components/actions/draft/filter-draft.ts";
import { readRateDraft, toRateDraft } from "#components/actions/draft/rate-draft.ts";
import {
  type RetryDraft,
  readRetryDraft,
  toRetryDraft,
} from "#components/actions/draft/retry-draft.ts";
import { type Pair, readPairs, toPairs } from "#components/ui/form/pairs.ts";
import type { ReadForm } from "#components/ui/form/send-json.ts";
import type { ActionFilter } from "#lib/schema/action/action-filter.ts";
import { actionOptions } from "#lib/schema/action/action-options.ts";
import { defaultRetryPolicy } from "#lib/schema/action/retry-policy.ts";
import type { RetrySchedule } from "#lib/schema/action/retry-schema.ts";

/** A subscription as text fields, before parsing. */
export type SubscriptionDraft = {
  readonly receiverUrl: string;
  /** Empty: nothing is chosen yet. `["*"]`: all events. */
  readonly eventTypes: readonly string[];
  readonly recipient: string;
  readonly description: string;
  readonly filter: FilterDraft;
  /** The value of a stored header isn't shown. It stays unless a new one is typed. */
  readonly headers: readonly Pair[];
  readonly metadata: readonly Pair[];
  readonly rateCount: string;
  readonly rateSeconds: string;
  readonly maxConcurrency: string;
  readonly ordered: boolean;
  readonly keyPair: boolean;
  /** The timeout in seconds. */
  readonly timeout: string;
  readonly retry: RetryDraft;
  /** The secret of a new subscription. Empty: a new one is created. */
  readonly secret: string;
};

/** The stored subscription, as the settings page gets it. */
export type StoredSubscription = {
  readonly receiverUrl: string;
  readonly eventTypes: readonly string[];
  readonly recipient: string | null;
  readonly description: string | null;
  readonly filter: ActionFilter | null;
  readonly headerNames: readonly string[];
  readonly metadata: Readonly<Record<string, string>>;
  readonly rateLimit: { readonly count: number; readonly perSeconds: number } | null;
  readonly maxConcurrency: number | null;
  readonly ordered: boolean;
  readonly keyPair: boolean;
  readonly timeoutMs: number;
  readonly retry: RetrySchedule | null;
};

export const newSubscription: SubscriptionDraft = {
  receiverUrl: "",
  eventTypes: [],
  recipient: "",
  description: "",
  filter: noFilter,
  headers: [],
  metadata: [],
  rateCount: "",
  rateSeconds: "1",
  maxConcurrency: "",
  ordered: false,
  keyPair: false,
  timeout: String(actionOptions.timeoutMs.default / 1_000),
  retry: toRetryDraft(defaultRetryPolicy),
  secret: "",
};

export function toSubscriptionDraft(stored: StoredSubscription): SubscriptionDraft {
  const { rateLimit, maxConcurrency } = stored;
  return {
    receiverUrl: stored.receiverUrl,
    eventTypes: stored.eventTypes,
    recipient: stored.recipient ?? "",
    description: stored.description ?? "",
    filter: toFilterDraft(stored.filter),
    headers: stored.headerNames.map((name, key) => ({ key, name, value: "", isStored: true })),
    metadata: toPairs(stored.metadata),
    ...toRateDraft(rateLimit),
    maxConcurrency: maxConcurrency === null ? "" : String(maxConcurrency),
    ordered: stored.ordered,
    keyPair: stored.keyPair,
    timeout: String(stored.timeoutMs / 1_000),
    retry: toRetryDraft({ ...(stored.retry ?? defaultRetryPolicy), on: defaultRetryPolicy.on }),
    secret: "",
  };
}

/**
 * The draft as API input, whose schema checks the rest.
 *
 * @param before the stored one. Null: a new subscription, which also has recipient and secret
 */
export function readSubscriptionDraft(
  draft: SubscriptionDraft,
  before: SubscriptionDraft | null,
): ReadForm {
  const filter = readFilterDraft(draft.filter);
  const retry = readRetryDraft(draft.retry);
  const errors = [...(filter.ok ? [] : filter.errors), ...(retry.ok ? [] : retry.errors)];
  if (!filter.ok || !retry.ok) return { ok: false, errors };
  const { on: _on, ...schedule } = retry.policy;
  const isUsual = JSON.stringify(draft.retry) === JSON.stringify(newSubscription.retry);
  return {
    ok: true,
    input: {
      receiverUrl: draft.receiverUrl.trim(),
      eventTypes: draft.eventTypes,
      description: textOrNull(draft.description),
      filter: filter.filter,
      headers: readHeaders(draft.headers, before?.headers ?? []),
      metadata: readPairs(draft.metadata),
      rateLimit: readRateDraft(draft),
      maxConcurrency: draft.maxConcurrency.trim() === "" ? null : Number(draft.maxConcurrency),
      ordered: draft.ordered,
      keyPair: draft.keyPair,
      timeoutMs: Math.round(Number(draft.timeout.replace(",", ".")) * 1_000),
      retry: isUsual ? null : schedule,
      ...(before === null && { recipient: textOrNull(draft.recipient) }),
      ...(before === null && draft.secret.trim() !== "" && { secret: draft.secret.trim() }),
    },
  };
}

/** The events that it gets, as API input. All types until some are chosen. */
export function readSubscriptionFilter(
  draft: Pick<SubscriptionDraft, "filter" | "eventTypes" | "recipient">,
): ReadForm {
  const read = readFilterDraft(draft.filter);
  if (!read.ok) return read;
  const recipient = textOrNull(draft.recipient);
  const eventTypes = draft.eventTypes.length === 0 ? ["*"] : draft.eventTypes;
  return { ok: true, input: { filter: read.filter, eventTypes, recipient } };
}

/** Only the changes. Null removes a stored header. */
function readHeaders(
  headers: readonly Pair[],
  before: readonly Pair[],
): Readonly<Record<string, string | null>> {
  const kept = new Set(headers.filter(({ isStored }) => isStored).map(({ name }) => name));
  const removed = before.flatMap(({ name }) => (kept.has(name) ? [] : [[name, null] as const]));
  const set = headers.filter(({ isStored, value }) => isStored !== true || value !== "");
  return { ...Object.fromEntries(removed), ...readPairs(set) };
}

function textOrNull(text: string): string | null {
  return text.trim() === "" ? null : text.trim();
}
