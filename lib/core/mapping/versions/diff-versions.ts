import { onlyCallKey } from "#lib/schema/act/step-limits.ts";
import type { VersionAuths } from "#lib/schema/act/version.ts";
import {
  isJsonObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
} from "#lib/schema/field/json-value.ts";
import { diffValues, type ValueChange } from "./diff-values.ts";

/** The content of a version, without secrets. */
export type VersionContent = {
  readonly content: JsonObject;
  /** The kinds of its credentials, by the key of the call. Null: unknown. */
  readonly auths: VersionAuths | null;
};

export type VersionChange = ValueChange & {
  /** The secret changed, but its kind is the same. */
  readonly isSecret?: boolean;
};

/**
 * The changes in a version. A single call is compared as the step that it is, if the other version
 * has steps.
 */
export function diffVersions(
  before: VersionContent,
  after: VersionContent,
): readonly VersionChange[] {
  const hasSteps = [before, after].some(({ content }) => content.steps !== null);
  const isKnown = before.auths !== null && after.auths !== null;
  const [one, other] = [before, after].map(({ content, auths }) => {
    const shown = isKnown && auths !== null ? showAuths(content, auths) : content;
    return hasSteps ? asSteps(shown) : shown;
  });
  const changes = diffValues(one, other).filter(isReal);
  const secrets = Object.entries((isKnown ? after.auths : null) ?? {}).flatMap(([key, auth]) =>
    auth.changed === true && before.auths?.[key] !== undefined ? [toSecret(key, auth)] : [],
  );
  const placed = secrets.map((change) => (hasSteps ? inStep(other, change) : onlyCall(change)));
  const isNews = ({ path }: VersionChange) =>
    !changes.some((change) => isWithin(change.path, path) || isWithin(path, change.path));
  return [...changes, ...placed.filter(isNews)];
}

/** False for a field that is newer than a version: a missing field equals none. */
function isReal({ path, before = null, after = null }: VersionChange): boolean {
  return before !== null || after !== null || path.includes("body") || path.includes("data");
}

function isWithin(path: readonly string[], place: readonly string[]): boolean {
  return place.every((name, at) => path[at] === name);
}

/** A version's content that shows the kinds of credentials in its requests. */
export function showAuths(content: JsonObject, auths: VersionAuths): JsonObject {
  const { request, steps } = content;
  if (isJsonObject(request))
    return { ...content, request: withAuth(request, auths[onlyCallKey] ?? null) };
  return { ...content, steps: mapCalls(asList(steps), auths) };
}

function mapCalls(steps: JsonArray, auths: VersionAuths): JsonArray {
  return steps.map((step) => {
    if (!isJsonObject(step)) return step;
    const { key, request, onFailure } = step;
    const own = isJsonObject(request)
      ? { ...step, request: withAuth(request, auths[String(key)] ?? null) }
      : step;
    return isJsonObject(onFailure)
      ? { ...own, onFailure: { ...onFailure, steps: mapCalls(asList(onFailure.steps), auths) } }
      : own;
  });
}

/** A saved credential is part of the request itself. */
function withAuth(request: JsonObject, auth: VersionAuths[string] | null): JsonObject {
  return { ...request, auth: auth === null ? (request.auth ?? null) : kindOf(auth) };
}

function kindOf({ type, name }: VersionAuths[string]): JsonObject {
  return name === undefined ? { type } : { type, name };
}

/** Rewrites an action with one call as an action with one step. */
function asSteps(content: JsonObject): JsonObject {
  const { request, ...rest } = content;
  if (!isJsonObject(request)) return { ...rest, request: null };
  const options = { when: null, forEach: null, timeoutMs: null, retry: null, onUnknown: null };
  const step = { key: onlyCallKey, ...options, kind: "call", onFailure: "stop", request };
  return { ...rest, request: null, steps: [step] };
}

function toSecret(key: string, auth: VersionAuths[string]): VersionChange {
  const kind = kindOf(auth);
  return { path: [key, "request", "auth"], before: kind, after: kind, isSecret: true };
}

function onlyCall({ path, ...change }: VersionChange): VersionChange {
  return { ...change, path: path.slice(1) };
}

/** A step for failures is inside the step whose failure it handles. */
function inStep(
  content: JsonObject | undefined,
  { path, ...change }: VersionChange,
): VersionChange {
  const [key = "", ...rest] = path;
  const owner = asList(content?.steps).find(
    (step) =>
      isJsonObject(step) &&
      isJsonObject(step.onFailure) &&
      asList(step.onFailure.steps).some((each) => isJsonObject(each) && each.key === key),
  );
  const place =
    isJsonObject(owner) && typeof owner.key === "string"
      ? [owner.key, "onFailure", "steps", key]
      : [key];
  return { ...change, path: ["steps", ...place, ...rest] };
}

function asList(value: JsonValue | undefined): JsonArray {
  return Array.isArray(value) ? value : [];
}
