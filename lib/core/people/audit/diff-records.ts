/**
 * The fields in which two states of a thing differ, as an audit log shows them. Fails closed: a field
 * whose name could be that of a secret is only reported as changed, and so are bytes, because sealed
 * values are bytes.
 */

import { shorten } from "#lib/base/shorten.ts";
import { stringifyExactJson } from "#lib/core/mapping/json/stringify-exact-json.ts";
import { isSensitiveName, redactUrl } from "#lib/core/people/redact/redact-request.ts";
import type { AuditChange } from "#lib/schema/account/audit.ts";
import { ExactNumber } from "#lib/schema/field/json-value.ts";

/** Enough for any form of the dashboard. */
const maxChanges = 60;
const maxValueChars = 300;
const maxDepth = 8;

/** Fields that change with every save, or by themselves, and say nothing. */
const silentFields: ReadonlySet<string> = new Set([
  ...["updatedAt", "createdAt", "accountId"],
  "fieldSearchUntil",
]);

/** @returns the changes in the order of the fields. Empty: there is none */
export function diffRecords(before: object, after: object): readonly AuditChange[] {
  const changes: AuditChange[] = [];
  compare(changes, { path: [], before, after, isSecret: false });
  return changes.slice(0, maxChanges);
}

type Pair = {
  readonly path: readonly string[];
  readonly before: unknown;
  readonly after: unknown;
  readonly isSecret: boolean;
};

function compare(changes: AuditChange[], pair: Pair): void {
  const { path, before, after, isSecret } = pair;
  if (changes.length >= maxChanges || isSame(before, after)) return;
  const names = path.length < maxDepth ? listNames(before, after) : null;
  if (names === null || isSecret) {
    changes.push(toChange(pair));
    return;
  }
  const isNamedSecret = isSecretPair(before) || isSecretPair(after);
  for (const name of names) {
    if (path.length === 0 && silentFields.has(name)) continue;
    compare(changes, {
      path: [...path, name],
      before: fieldOf(before, name),
      after: fieldOf(after, name),
      isSecret: isSecretField(name) || (isNamedSecret && name === "value"),
    });
  }
}

/** Null: the values are compared as a whole. */
function listNames(before: unknown, after: unknown): readonly string[] | null {
  if (!isNode(before) || !isNode(after)) return null;
  if (Array.isArray(before) !== Array.isArray(after)) return null;
  if (Array.isArray(before) && !before.concat(after).every(isNode)) return null;
  return [...new Set([...Object.keys(before), ...Object.keys(after)])];
}

function isNode(value: unknown): value is Record<string, unknown> | unknown[] {
  if (typeof value !== "object" || value === null) return false;
  return !(value instanceof Date || value instanceof Uint8Array || value instanceof ExactNumber);
}

function fieldOf(node: unknown, name: string): unknown {
  return isNode(node) && Object.hasOwn(node, name)
    ? (node as Record<string, unknown>)[name]
    : undefined;
}

/** `secrets` and `keyPrefix` are no secrets, but their values aren't worth a risk here. */
function isSecretField(name: string): boolean {
  return isSensitiveName(name) || /cipher|hash|^auths?$/i.test(name);
}

/** A header or parameter `{name, value}` whose name is that of a credential. */
function isSecretPair(node: unknown): boolean {
  const name = fieldOf(node, "name");
  return typeof name === "string" && isSensitiveName(name);
}

function isSame(before: unknown, after: unknown): boolean {
  return before === after || toText(before) === toText(after);
}

function toChange({ path, before, after, isSecret }: Pair): AuditChange {
  const name = path.join(".");
  if (isSecret || holdsSecret(before) || holdsSecret(after)) return { path: name, isHidden: true };
  return {
    path: name,
    ...(before !== undefined && { before: toShown(before) }),
    ...(after !== undefined && { after: toShown(after) }),
  };
}

/** True for sealed bytes, and for a whole value that has a secret somewhere. */
function holdsSecret(value: unknown): boolean {
  if (value instanceof Uint8Array) return true;
  if (!isNode(value)) return false;
  return (
    isSecretPair(value) ||
    Object.entries(value).some(
      ([name, inner]) => (isSecretField(name) && inner !== null) || holdsSecret(inner),
    )
  );
}

function toShown(value: unknown): string | number | boolean | null {
  if (typeof value === "boolean" || typeof value === "number" || value === null) return value;
  const text = typeof value === "string" ? withoutSecrets(value) : toText(value);
  return shorten(text, maxValueChars);
}

function withoutSecrets(text: string): string {
  return /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? redactUrl(text, []) : text;
}

function toText(value: unknown): string {
  if (value === undefined) return "undefined";
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return Buffer.from(value).toString("base64");
  if (typeof value === "bigint") return String(value);
  const written = stringifyExactJson(toPlain(value));
  return written.ok ? written.text : `[${written.message}]`;
}

/** Dates, bytes, and large numbers inside of a value, as text. */
function toPlain(value: unknown): unknown {
  if (value instanceof Date || value instanceof Uint8Array || typeof value === "bigint")
    return toText(value);
  if (!isNode(value)) return value;
  if (Array.isArray(value)) return value.map(toPlain);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, toPlain(inner)]));
}
