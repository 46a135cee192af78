import type { Tone } from "#components/ui/status/badge.tsx";
import type { RunStatus } from "#lib/schema/act/run-states.ts";
import { nameReceiver } from "#lib/schema/send/name-receiver.ts";
import type { StatusReason } from "#lib/schema/send/subscription.ts";
import type { SubscriptionStatus } from "#lib/schema/send/subscription-status.ts";
import { summarizeTypes } from "./event-types/event-type-list.tsx";
import { describeStatus } from "./subscription-status.ts";

export type SubscriptionView = {
  readonly id: string;
  readonly receiverUrl: string;
  readonly description: string | null;
  readonly recipient: string | null;
  readonly eventTypes: readonly string[];
  readonly status: SubscriptionStatus;
  readonly statusReason: StatusReason | null;
  readonly failingSince: Date | null;
  /** Its newest send. Null: none yet. */
  readonly last: {
    readonly status: RunStatus;
    readonly httpStatus: number | null;
    readonly at: Date;
  } | null;
};

/** A subscription in a list, as it is sent to the browser: only what is shown. */
export type SubscriptionRow = {
  readonly id: string;
  readonly words: string;
  readonly tone: Tone;
  readonly url: string;
  readonly description?: string;
  /** The reason why it isn't active, in a sentence. */
  readonly reason?: string;
  readonly types: string;
  readonly recipient?: string;
  readonly last?: {
    readonly status: RunStatus;
    readonly http?: number;
    /** Unix milliseconds. */
    readonly at: number;
  };
};

export function toSubscriptionRow(view: SubscriptionView): SubscriptionRow {
  const { id, receiverUrl, description, recipient, eventTypes, statusReason, last } = view;
  return {
    id,
    ...describeStatus(view),
    url: nameReceiver(receiverUrl).slice(0, maxUrlChars),
    ...(description !== null && { description }),
    ...(statusReason !== null && { reason: statusReason.detail }),
    types: summarizeTypes(eventTypes),
    ...(recipient !== null && { recipient }),
    ...(last !== null && {
      last: {
        status: last.status,
        ...(last.httpStatus !== null && { http: last.httpStatus }),
        at: last.at.getTime(),
      },
    }),
  };
}

/** The number of characters fits on the widest line. */
const maxUrlChars = 200;
