import { endSentence } from "#lib/base/end-sentence.ts";
import { type RunStatus, runStates } from "#lib/schema/act/run-states.ts";
import type { StatusReason } from "#lib/schema/send/subscription.ts";
import type { SubscriptionStatus } from "#lib/schema/send/subscription-status.ts";
import { skippedByTransform } from "./transformed-body.ts";

export type SubscriptionFacts = {
  readonly status: SubscriptionStatus;
  readonly statusReason: StatusReason | null;
  readonly isFailing: boolean;
  readonly ordered: boolean;
  readonly recipient: string | null;
  /** Its newest send. Null: none. */
  readonly last: {
    readonly status: RunStatus;
    readonly httpStatus: number | null;
    /** The code of the reason for its state. */
    readonly code: string | null;
    /** The reason for its state, in a sentence. */
    readonly detail: string | null;
    /** True for a test event, which says nothing about which events it gets. */
    readonly isTest: boolean;
  } | null;
  /** The latest events of its recipient. Read only if nothing was sent. */
  readonly published: "none" | "other_types" | "before_it" | "matching";
};

type SubscriptionExplanation = {
  readonly tone: "neutral" | "positive" | "caution" | "negative";
  readonly text: string;
};

/** Explains in one sentence whether the receiver gets events, and if not, why. */
export function explainSubscription(facts: SubscriptionFacts): SubscriptionExplanation {
  const { status, statusReason, isFailing, last } = facts;
  switch (status) {
    case "pending":
      return {
        tone: "caution",
        text: `It gets no events until its URL answers the challenge. ${statusReason?.detail ?? ""}`.trim(),
      };
    case "disabled":
      return { tone: "negative", text: explainDisabled(statusReason) };
    case "active":
      if (isFailing) return { tone: "negative", text: explainFailing(facts) };
      return last === null ? explainSilence(facts) : explainLast(facts, last);
    default:
      return status satisfies never;
  }
}

function explainDisabled(reason: StatusReason | null): string {
  switch (reason?.code) {
    case "manual":
      return "It gets no events because it was disabled manually.";
    case "gone":
      return "It gets no events because the receiver responded with 410, which means that it wants no more.";
    case "failing":
      return "It gets no events because every call failed for five days, so it was disabled.";
    default:
      return `It gets no events because it is disabled. ${reason?.detail ?? ""}`.trim();
  }
}

function explainFailing({ last, ordered }: SubscriptionFacts): string {
  // Lower ones are error codes of Kafka.
  const response =
    last?.httpStatus != null && last.httpStatus >= 100
      ? ` The receiver last responded with HTTP ${last.httpStatus}.`
      : last?.detail == null
        ? ""
        : ` ${endSentence(last.detail)}`;
  const order = ordered ? " Later events wait, because it sends in order." : "";
  return `Events are sent, but every recent call failed.${response}${order} After five days it is disabled.`;
}

function explainSilence({ published, recipient }: SubscriptionFacts): SubscriptionExplanation {
  const whose = recipient === null ? "without a recipient" : `for ${recipient}`;
  const texts = {
    none: `It gets nothing yet because no event ${whose} was published.`,
    other_types: `It gets nothing because no event published ${whose} is of one of its event types.`,
    before_it:
      `It gets nothing yet because matching events ${whose} were published ` +
      "before it was created. Replay missing events to send them.",
    matching:
      "A matching event was published, but nothing was sent. Replay missing events to send it.",
  } as const;
  return { tone: published === "none" ? "neutral" : "caution", text: texts[published] };
}

function explainLast(
  { ordered }: SubscriptionFacts,
  { status, httpStatus, code, detail, isTest }: NonNullable<SubscriptionFacts["last"]>,
): SubscriptionExplanation {
  switch (status) {
    case "succeeded": {
      const how = httpStatus === null ? "" : ` with HTTP ${httpStatus}`;
      const text = isTest
        ? `The test event arrived. The receiver accepted it${how}.`
        : `It gets events. The receiver accepted the last one${how}.`;
      return { tone: "positive", text };
    }
    case "skipped":
      return {
        tone: "caution",
        text:
          code === skippedByTransform.code
            ? "The last event was not sent because the transform returned null."
            : "The last event was not sent because it didn't match the filter.",
      };
    case "failed":
      return { tone: "negative", text: `The last event failed for good. ${detail ?? ""}`.trim() };
    case "cancelled":
      return { tone: "caution", text: "The last send was canceled." };
    case "retrying": {
      const order = ordered ? " Later events wait for it, because it sends in order." : "";
      return {
        tone: "caution",
        text: `The last event is being retried. ${detail ?? ""}${order}`.trim(),
      };
    }
    case "running":
      return { tone: "neutral", text: "The last event is being sent." };
    default: {
      const { tone, label } = runStates[status];
      return { tone, text: `The last event is ${label}. ${detail ?? ""}`.trim() };
    }
  }
}
