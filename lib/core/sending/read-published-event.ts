import type { z } from "zod";
import { invalidInput, readInput, repeatedName } from "#lib/core/api/parse-input.ts";
import { isDeeperThan } from "#lib/core/mapping/json/is-deeper-than.ts";
import { maxJsonDepth } from "#lib/core/mapping/json/parse-exact-json.ts";
import { describeJsonFault, findJsonFault } from "#lib/core/mapping/json/scan-json.ts";
import {
  findItems,
  findMember,
  findRepeatedName,
  skipSpace,
  skipValue,
} from "#lib/core/mapping/json/walk-json.ts";
import { readUtf8 } from "#lib/core/mapping/payload/read-utf8.ts";
import type { FieldError } from "#lib/schema/field/command-result.ts";
import { eventLimits, publishedBatchSchema, publishedEventSchema } from "#lib/schema/send/event.ts";
import { firstVersion } from "#lib/schema/send/payload-version.ts";
import { findTooLarge } from "./why-unpublished.ts";

export type PublishedEvent = {
  /** The publisher's own id. Null: none was given. */
  readonly publicId: string | null;
  readonly type: string;
  readonly recipient: string | null;
  readonly occurredAtMs: number | null;
  /** The version of its data. Null: the newest of its type. */
  readonly version: string | null;
  /** Exactly as published: no digit, escape, or space is changed. */
  readonly dataJson: string;
};

export type ReadEvents =
  | { readonly ok: true; readonly events: readonly PublishedEvent[] }
  | { readonly ok: false; readonly problem: InputProblem };

/** A problem as data, since it may come from a thread. */
type InputProblem = {
  readonly code: "invalid_json" | "invalid_request";
  readonly detail: string;
  readonly errors?: readonly FieldError[] | undefined;
};

/** Reads the body of `POST /events`. */
export function readPublishedEvent(body: Uint8Array): ReadEvents {
  // The event that receivers get is as deep as this body.
  const json = readJson(body, maxJsonDepth);
  if ("problem" in json) return { ok: false, problem: json.problem };
  const input = readInput(publishedEventSchema, json.value);
  if (!input.ok) return reject(input.errors);
  return { ok: true, events: [toEvent(input.data, json.text, skipSpace(json.text, 0))] };
}

/** Reads the body of `POST /events/batch`. One invalid event makes all of it invalid. */
export function readPublishedBatch(body: Uint8Array): ReadEvents {
  // Each event is inside a list inside an object.
  const json = readJson(body, maxJsonDepth + 2);
  if ("problem" in json) return { ok: false, problem: json.problem };
  const { text, value } = json;
  const input = readInput(publishedBatchSchema, value);
  if (!input.ok) return reject(input.errors.slice(0, maxListedErrors));
  const list = findMember(text, skipSpace(text, 0), "events") ?? 0;
  const places = findItems(text, list, eventLimits.batchEvents) ?? [];
  const tooLarge = findTooLargeOnes(text, places);
  if (tooLarge.length > 0) return reject(tooLarge);
  const events = input.data.events.map((event, index) =>
    toEvent(event, text, places[index]?.[0] ?? 0),
  );
  return { ok: true, events };
}

const maxListedErrors = 100;

function reject(errors: readonly FieldError[]): ReadEvents {
  return { ok: false, problem: toProblem(errors) };
}

function toProblem(errors: readonly FieldError[]): InputProblem {
  return { code: "invalid_request", detail: invalidInput(errors).message, errors };
}

type Json = { readonly text: string; readonly value: unknown };

function readJson(body: Uint8Array, maxDepth: number): Json | { readonly problem: InputProblem } {
  const decoded = readUtf8(body);
  if (decoded === null) return invalidJson("The body is not valid UTF-8, which JSON has to be.");
  const text = decoded.charCodeAt(0) === 0xfeff ? decoded.slice(1) : decoded;
  if (isDeeperThan(text, maxDepth))
    return invalidJson(`The body is nested deeper than ${maxDepth} levels.`);
  try {
    const value = JSON.parse(text);
    const repeated = findRepeatedName(text);
    // Receivers get the data as it is, and some parsers take the first value, others the last.
    return repeated === null ? { text, value } : { problem: toProblem([repeatedName(repeated)]) };
  } catch {
    const fault = findJsonFault(text);
    const reason = fault === null ? "it can't be read" : describeJsonFault(fault);
    return invalidJson(`The body isn't valid JSON: ${reason}.`);
  }
}

function invalidJson(detail: string): { readonly problem: InputProblem } {
  return { problem: { code: "invalid_json", detail } };
}

/** A single body can't be too large: it would not have been read. */
function findTooLargeOnes(
  text: string,
  places: readonly (readonly [from: number, to: number])[],
): FieldError[] {
  const limit = eventLimits.bytes;
  return places.flatMap(([from, to], index) =>
    findTooLarge(text.slice(from, to)) === null
      ? []
      : { path: `events.${index}`, code: "too_long", message: tooLargeEvent, limit },
  );
}

const tooLargeEvent = "must have at most 1 MiB";

/** @param start of the event in the text */
function toEvent(
  { id, type, recipient, occurredAt, version }: z.output<typeof publishedEventSchema>,
  text: string,
  start: number,
): PublishedEvent {
  const from = findMember(text, start, "data") ?? start;
  return {
    publicId: id ?? null,
    type,
    recipient: recipient ?? null,
    occurredAtMs: occurredAt ?? null,
    version: version ?? null,
    dataJson: text.slice(from, skipValue(text, from)),
  };
}

/**
 * The body that every receiver gets, byte for byte. Only a body of a later version than the first
 * says which.
 */
export function toEventBody(
  publicId: string,
  timestampMs: number,
  { type, version, dataJson }: Pick<PublishedEvent, "type" | "version" | "dataJson">,
): string {
  const timestamp = new Date(timestampMs).toISOString();
  // None of them needs escapes.
  const head = `{"id":"${publicId}","type":"${type}","timestamp":"${timestamp}"`;
  return `${head}${nameVersion(version)}${dataName}${dataJson}}`;
}

function nameVersion(version: string | null): string {
  return version === null || version === firstVersion ? "" : `,"version":"${version}"`;
}

const versionPattern = /,"version":"([^"]*)"$/;

/** More than what comes before the data of such a body, all of which is ASCII. */
const maxHeadBytes = 512;

/** The version of the data of such a body, of which only the start is read. */
export function readEventVersion(body: Uint8Array): string {
  const size = Math.min(body.byteLength, maxHeadBytes);
  const start = Buffer.from(body.buffer, body.byteOffset, size).toString("latin1");
  const head = start.slice(0, start.indexOf(dataName));
  return versionPattern.exec(head)?.[1] ?? firstVersion;
}

/** Such a body with the data of another version. */
export function toVersion(body: string, version: string, dataJson: string): string {
  const head = body.slice(0, body.indexOf(dataName)).replace(versionPattern, "");
  return `${head}${nameVersion(version)}${dataName}${dataJson}}`;
}

const dataName = ',"data":';

/** The data of such a body. No text before it can contain its name. */
export function readEventData(body: string): string {
  return body.slice(body.indexOf(dataName) + dataName.length, -1);
}
