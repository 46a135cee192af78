import { readPublishedEvent } from "#lib/core/sending/read-published-event.ts";
import { findTooLarge } from "#lib/core/sending/why-unpublished.ts";
import { eventLimits } from "#lib/schema/send/event.ts";
import type { StepKind } from "./step-kind.ts";

/** The event is what `POST /events` would take as its body. */
export const preparePublish: StepKind<"publish"> = async ({ type, recipient, data }, needs) => {
  const value = { type, ...(recipient !== null && { recipient }), data };
  const made = await needs.value(value, "");
  if (made.kind !== "ready") return made;
  const tooLarge = findTooLarge(made.value);
  if (tooLarge !== null)
    return { kind: "fail", ...tooLarge, errors: [{ ...tooLong, path: "data" }] };
  const read = readPublishedEvent(Buffer.from(made.value));
  const event = read.ok ? read.events[0] : undefined;
  if (event !== undefined)
    return { kind: "ready", value: { kind: "publish", event, json: made.value } };
  const { detail = "", errors = [] } = read.ok ? {} : read.problem;
  const texts = errors.map(({ path, message }) => `${path}: ${message}`);
  const message = texts.length > 0 ? texts.join("; ") : detail;
  return { kind: "fail", code: "event_invalid", message, errors };
};

const tooLong = {
  code: "too_long",
  message: "must have at most 1 MiB",
  limit: eventLimits.bytes,
} as const;
