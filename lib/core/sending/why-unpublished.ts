import { eventLimits } from "#lib/schema/send/event.ts";
import { describeMismatch, type Finding } from "./schema-finding.ts";

/** The rule of published events that an event breaks. The message has no full stop. */
export type WhyUnpublished = {
  readonly code: "event_too_large" | "schema_mismatch" | "schema_unchecked" | "sample";
  readonly message: string;
};

/** @param json the event as JSON, which is limited as it is. A UTF-16 code unit takes at most 3 bytes. */
export function findTooLarge(json: string): WhyUnpublished | null {
  const limit = eventLimits.bytes;
  return json.length * 3 > limit && Buffer.byteLength(json) > limit ? tooLarge : null;
}

const tooLarge = { code: "event_too_large", message: "An event can have at most 1 MiB" } as const;

/** A delivery that Catchment made up: subscribers would take it for something that happened. */
export const whySample: WhyUnpublished = {
  code: "sample",
  message: "It is a sample, which subscribers don't get",
};

/** Null also if the event is published with a warning. */
export function findMismatched(finding: Finding): WhyUnpublished | null {
  if (finding?.isRequired !== true) return null;
  const code = finding.kind === "mismatch" ? "schema_mismatch" : "schema_unchecked";
  return { code, message: describeMismatch(finding) };
}

/** The reason as it is stored. */
export function describeUnpublished(type: string, { message }: WhyUnpublished): string {
  return `Not published as ${type}. ${message}.`;
}
