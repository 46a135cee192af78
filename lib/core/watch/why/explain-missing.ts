import { describeMoment } from "./describe-moment.ts";
import type { Why, WhyFacts } from "./why-facts.ts";

/** Explains why a delivery never queued a run of the action. */
export function explainMissing({ delivery, action }: WhyFacts): Why {
  const { status } = delivery;
  switch (status) {
    case "duplicate":
      return {
        code: "duplicate",
        sentence: "It didn't run because the delivery repeats an earlier one.",
      };
    case "rejected":
      return {
        code: "rejected",
        sentence: `It didn't run because the delivery was rejected: ${describeRejection(delivery)}`,
      };
    case "pending":
      return {
        code: "pending",
        sentence:
          "It hasn't run because the hook had no signing secret. It runs once the delivery is verified.",
      };
    case "handshake":
      return {
        code: "handshake",
        sentence:
          "It didn't run because the request was a handshake: the provider only checked the URL.",
      };
    case "batch":
      return {
        code: "batch",
        sentence:
          "This request has several events. Each is its own delivery: look there for its run.",
      };
    case "accepted":
      return explainIdle(delivery, action);
    default:
      return status satisfies never;
  }
}

function explainIdle(
  { receivedAt }: WhyFacts["delivery"],
  { createdAt, deletedAt, enabled }: WhyFacts["action"],
): Why {
  if (createdAt > receivedAt)
    return {
      code: "created_later",
      sentence:
        "It didn't run because the action was created at " +
        `${describeMoment(createdAt)}, after the delivery. Replay the delivery to run it.`,
    };
  if (deletedAt !== null)
    return {
      code: "action_deleted",
      sentence: `It didn't run. The action was deleted at ${describeMoment(deletedAt)}.`,
    };
  return enabled
    ? {
        code: "was_disabled",
        sentence:
          "It didn't run because the action was disabled when the delivery arrived. Replay the delivery to run it.",
      }
    : {
        code: "action_disabled",
        sentence:
          "It didn't run because the action was disabled when the delivery " +
          "arrived, and still is. Enable it, and replay the delivery.",
      };
}

function describeRejection({ reason, detail }: WhyFacts["delivery"]): string {
  const text = detail ?? reason ?? "the reason isn't stored";
  return text.endsWith(".") ? text : `${text}.`;
}
