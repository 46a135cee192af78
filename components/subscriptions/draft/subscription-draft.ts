import {
  type FilterDraft,
  readFilterDraft,
  toFilterDraft,
} from "#components/actions/draft/filter-draft.ts";
import {
  type RateDraft,
  readRateDraft,
  toRateDraft,
} from "#components/actions/draft/rate-draft.ts";
import {
  type RetryDraft,
  readRetryDraft,
  toRetryDraft,
} from "#components/actions/draft/retry-draft.ts";
import {
  asIs,
  type Codec,
  type Draft,
  optionalNumber,
  optionalText,
  plainText,
  seconds,
  textIfAny,
  toDraft,
  type Values,
} from "#components/ui/form/codec.ts";
import { type Pair, pairs, readPairs } from "#components/ui/form/pairs.ts";
import type { ReadForm } from "#components/ui/form/send-json.ts";
import type { ActionFilter } from "#lib/schema/act/action-filter.ts";
import { actionOptions } from "#lib/schema/act/action-options.ts";
import type { CredentialSettings } from "#lib/schema/act/credential.ts";
import { defaultRetryPolicy } from "#lib/schema/act/retry-policy.ts";
import type { RetrySchedule } from "#lib/schema/act/retry-schema.ts";
import type { RateLimit } from "#lib/schema/field/rate-limit.ts";
import { toReceiverKind, withDefaults } from "#lib/schema/send/receiver-kind.ts";
import { receiverCodec } from "./receiver-draft.ts";

const filter: Codec<ActionFilter | null, FilterDraft> = {
  text: toFilterDraft,
  read: (draft) => {
    const read = readFilterDraft(draft);
    return read.ok ? read.filter : null;
  },
  errors: (draft) => {
    const read = readFilterDraft(draft);
    return read.ok ? [] : read.errors;
  },
};

const usualRetry = toRetryDraft(defaultRetryPolicy);

/** Null: the usual schedule. What is retried can't be chosen. */
const schedule: Codec<RetrySchedule | null, RetryDraft> = {
  text: (retry) => toRetryDraft({ ...(retry ?? defaultRetryPolicy), on: defaultRetryPolicy.on }),
  read: (draft) => {
    const read = readRetryDraft(draft);
    if (!read.ok || JSON.stringify(draft) === JSON.stringify(usualRetry)) return null;
    const { on: _on, ...policy } = read.policy;
    return policy;
  },
  errors: (draft) => {
    const read = readRetryDraft(draft);
    return read.ok ? [] : read.errors;
  },
};

/** As it is typed, so that errors name its lines. Null: empty. */
const code: Codec<string | null, string> = {
  text: (value) => value ?? "",
  read: (text) => (text.trim() === "" ? null : text),
};

const rate: Codec<RateLimit | null, RateDraft> = { text: toRateDraft, read: readRateDraft };

type HeadersDraft = { readonly stored: readonly string[]; readonly rows: readonly Pair[] };

/** Values are write-only: a stored one stays unless a new one is typed. Only changes are sent. */
const headers: Codec<readonly string[], HeadersDraft> = {
  text: (names) => ({
    stored: names,
    rows: names.map((name, key) => ({ key, name, value: "", isStored: true })),
  }),
  read: ({ stored, rows }) => {
    const kept = new Set(rows.filter(({ isStored }) => isStored).map(({ name }) => name));
    const removed = stored.flatMap((name) => (kept.has(name) ? [] : [[name, null] as const]));
    const set = rows.filter(({ isStored, value }) => isStored !== true || value !== "");
    return { ...Object.fromEntries(removed), ...readPairs(set) };
  },
};

export const subscriptionFields = {
  receiverUrl: plainText,
  /** Empty: nothing is chosen yet. `["*"]`: all events. */
  eventTypes: asIs<readonly string[]>(),
  description: optionalText,
  filter,
  headers,
  metadata: pairs,
  rateLimit: rate,
  maxConcurrency: optionalNumber,
  ordered: asIs<boolean>(),
  keyPair: asIs<boolean>(),
  /** The saved credential. Empty: none. */
  credentialId: optionalText,
  receiver: receiverCodec,
  transform: code,
  timeoutMs: seconds,
  retry: schedule,
  /** A date, `first`, or `newest`. Empty, for a new subscription: the newest of today. */
  version: textIfAny,
  /** Can only be chosen for a new subscription. */
  recipient: optionalText,
  /** Of a new subscription. Empty: a new one is created. */
  secret: textIfAny,
};

export type SubscriptionDraft = Draft<typeof subscriptionFields>;

export const newSubscription: SubscriptionDraft = toDraft(subscriptionFields, {
  receiverUrl: "",
  eventTypes: [],
  description: null,
  filter: null,
  headers: [],
  metadata: {},
  rateLimit: null,
  maxConcurrency: null,
  ordered: false,
  keyPair: false,
  credentialId: null,
  receiver: null,
  transform: null,
  timeoutMs: actionOptions.timeoutMs.default,
  retry: null,
  version: null,
  recipient: null,
  secret: null,
});

/** A subscription as the API returns it. */
export type StoredSubscription = Omit<Values<typeof subscriptionFields>, "headers" | "secret"> & {
  readonly headerNames: readonly string[];
  readonly credential: CredentialSettings | null;
};

export function toSubscriptionDraft(stored: StoredSubscription): SubscriptionDraft {
  const { credential, receiverUrl } = stored;
  const kind = toReceiverKind(credential, receiverUrl);
  return toDraft(subscriptionFields, {
    ...stored,
    receiver: withDefaults(kind, stored.receiver),
    headers: stored.headerNames,
    secret: null,
  });
}

/** The events that it gets, as API input. All types until some are chosen. */
export function readSubscriptionFilter(
  draft: Pick<SubscriptionDraft, "filter" | "eventTypes" | "recipient">,
): ReadForm {
  const read = readFilterDraft(draft.filter);
  if (!read.ok) return read;
  const recipient = optionalText.read(draft.recipient);
  const eventTypes = draft.eventTypes.length === 0 ? ["*"] : draft.eventTypes;
  return { ok: true, input: { filter: read.filter, eventTypes, recipient } };
}

/** What its transform gets, and the transform, as API input. All types until some are chosen. */
export function readTransformTrial(
  draft: Pick<SubscriptionDraft, "eventTypes" | "recipient" | "version" | "transform">,
) {
  const eventTypes = draft.eventTypes.length === 0 ? ["*"] : draft.eventTypes;
  const version = textIfAny.read(draft.version);
  return {
    ...{ transform: draft.transform, eventTypes, recipient: optionalText.read(draft.recipient) },
    ...(version === undefined ? {} : { version }),
  };
}
