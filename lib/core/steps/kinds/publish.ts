import { readPublishedEvent } from "#lib/core/sender/read-published-event.ts";
import type { StepKind } from "./step-kind.ts";

export const preparePublish: StepKind<"publish"> = async ({ type, recipient, data }, needs) => {
  const value = { type, ...(recipient !== null && { recipient }), data };
  const made = await needs.value(value, "");
  if (made.kind !== "ready") return made;
  const read = readPublishedEvent(Buffer.from(made.value));
  const event = read.ok ? read.events[0] : undefined;
  if (event !== undefined)
    return { kind: "ready", value: { kind: "publish", event, json: made.value } };
  const { detail = "", errors = [] } = read.ok ? {} : read.problem;
  const texts = errors.map(({ path, message }) => `${path}: ${message}`);
  const message = texts.length > 0 ? texts.join("; ") : detail;
  return { kind: "fail", code: "event_invalid", message, errors };
};
