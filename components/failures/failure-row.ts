import { describeResponse } from "#components/status/describe-response.ts";
import { summarizeRun, toPhrase } from "#components/status/summarize-reason.ts";
import type { RunListItem } from "#lib/schema/act/run.ts";
import { nameReceiver } from "#lib/schema/send/name-receiver.ts";

/** A group of failed runs, as a page reads it. */
export type FailureView = {
  readonly actionId: string | null;
  readonly subscriptionId: string | null;
  readonly reason: string;
  readonly count: number;
  readonly firstAt: Date;
  readonly lastAt: Date;
  readonly bars: readonly number[];
  readonly mutedAt: Date | null;
  /** The last run. */
  readonly example: RunListItem;
  /** Null: its recipient has none, or there is no recipient. */
  readonly recipientName: string | null;
};

export type MuteKey = { readonly reason: string } & (
  | { readonly actionId: string }
  | { readonly subscriptionId: string }
);

/** A group of failed runs, as a row of a page. */
export type FailureRow = Pick<FailureView, "count" | "firstAt" | "lastAt" | "bars"> & {
  readonly key: string;
  readonly muteKey: MuteKey;
  readonly isMuted: boolean;
  /** The action, or the receiver. */
  readonly name: string;
  readonly href: string;
  /** The hook, or the recipient. */
  readonly of: string;
  /** The reason in a few words. `detail` is the last run's reason in a sentence. */
  readonly why: string;
  readonly detail: string | null;
  /** The delivery or the event of the last run. */
  readonly example: string | null;
  /** The editor with that delivery. Null: another mapping wouldn't help. */
  readonly fix: string | null;
  /** The filter of the list of these runs. */
  readonly filter: Readonly<Record<string, string>> & { readonly status: "failed" };
};

export function toFailureRow(failure: FailureView, range: string): FailureRow {
  const { actionId, subscriptionId, reason, example } = failure;
  const { deliveryId, eventId, id } = example;
  const target = actionId ?? subscriptionId ?? "";
  const receiver = example.receiverUrl === null ? null : nameReceiver(example.receiverUrl);
  const origin =
    deliveryId === null
      ? eventId && `/events/${encodeURIComponent(eventId)}#${id}`
      : `/deliveries/${deliveryId}#${id}`;
  const { count, firstAt, lastAt, bars, mutedAt } = failure;
  return {
    ...{ count, firstAt, lastAt, bars },
    key: `${target} ${reason}`,
    muteKey: actionId === null ? { subscriptionId: target, reason } : { actionId, reason },
    isMuted: mutedAt !== null,
    name: example.actionName ?? receiver ?? target,
    href: actionId === null ? `/subscriptions/${target}` : `/actions/${target}`,
    of: example.hookName ?? failure.recipientName ?? example.recipient ?? "",
    why: summarizeGroup(failure),
    detail: isSaid(example) ? null : (example.reason?.detail.slice(0, 300) ?? null),
    example: origin,
    fix:
      actionId !== null && deliveryId !== null && isOfMapping(reason)
        ? `/actions/${actionId}?delivery=${deliveryId}`
        : null,
    filter: {
      status: "failed",
      ...(actionId === null ? { subscriptionId: target } : { actionId }),
      reason,
      since: range,
    },
  };
}

/** The last run's response, after the reason if that says more: runs of a group can differ in it. */
function summarizeGroup({ reason, example }: FailureView): string {
  const phrase = toPhrase(reason);
  const last = summarizeRun(example);
  if (last === null || last === phrase) return phrase;
  return reason === "not_retried" ? last : `${phrase}: ${last}`;
}

/** True if the last run's sentence would only repeat the status that follows the reason. */
function isSaid(example: RunListItem): boolean {
  const { httpStatus } = example;
  return httpStatus !== null && summarizeRun(example) === describeResponse(httpStatus);
}

/** True if the action made no call, because its templates or its code don't fit the delivery. */
function isOfMapping(reason: string): boolean {
  return mappingReasons.has(reason) || reason.startsWith("transform_");
}

const mappingReasons: ReadonlySet<string> = new Set([
  "mapping_failed",
  "mapping_too_slow",
  "template_invalid",
  "url_invalid",
  "header_invalid",
  "body_invalid",
  "time_invalid",
  "list_invalid",
  "event_invalid",
  "event_too_large",
  "schema_mismatch",
]);
