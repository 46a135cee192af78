import { expect, it } from "vitest";
import type { z } from "zod";
import { newPasswordSchema } from "#lib/schema/account/sign-in.ts";
import { actionInputSchema } from "#lib/schema/act/action.ts";
import { previewSchema } from "#lib/schema/act/preview.ts";
import { deliveryQuerySchema, replaySchema } from "#lib/schema/receive/delivery.ts";
import { hookInputSchema } from "#lib/schema/receive/hook.ts";
import { readInput } from "./parse-input.ts";

function errorsOf(schema: z.ZodType, value: unknown): readonly unknown[] {
  const read = readInput(schema, value);
  return read.ok ? [] : read.errors.map(({ message: _, ...error }) => error);
}

const hook = (fields: object) => ({ name: "h", ...fields });
const action = (request: object, fields: object = {}) => ({
  name: "a",
  request: { method: "POST", url: "https://example.com", ...request },
  ...fields,
});
const names = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`x-${at}`, "v"]));
const conditions = (count: number) => ({
  all: Array.from({ length: count }, () => ({ path: "payload.a", op: "exists" })),
});
const mac = {
  kind: "mac",
  mac: "hmac",
  hash: "sha256",
  encoding: "hex",
  signature: { sources: [{ from: "header", name: "x" }], format: { type: "bare" } },
  secret: { decode: "utf8" },
};

it.each<[string, z.ZodType, unknown, object]>([
  [
    "a method twice",
    hookInputSchema,
    hook({ methods: ["POST", "POST"] }),
    { path: "methods", code: "duplicate" },
  ],
  [
    "a response that is too large",
    hookInputSchema,
    hook({ response: { body: "é".repeat(2049) } }),
    { path: "response.body", code: "too_long", limit: 4096 },
  ],
  [
    "a body that the status doesn't allow",
    hookInputSchema,
    hook({ response: { status: 204, body: "x" } }),
    { path: "response.body", code: "conflict" },
  ],
  [
    "a template without what it declares",
    hookInputSchema,
    hook({ verification: { ...mac, signed: { template: "{body}{nonce}" } } }),
    { path: "verification.signed.template", code: "unknown_value", name: "nonce" },
  ],
  [
    "too many headers",
    actionInputSchema,
    action({ headers: names(51) }),
    { path: "request.headers", code: "too_long", limit: 50 },
  ],
  [
    "a header that Catchment sets",
    actionInputSchema,
    action({ headers: { host: "x" } }),
    { path: "request.headers.host", code: "not_allowed" },
  ],
  [
    "a body in two forms",
    actionInputSchema,
    action({ body: {}, bodyText: "x" }),
    { path: "request.bodyText", code: "conflict" },
  ],
  [
    "a delay over the maximum",
    actionInputSchema,
    action({}, { retry: { initialDelayMs: 2_000, maxDelayMs: 1_000 } }),
    { path: "retry.maxDelayMs", code: "out_of_range" },
  ],
  [
    "too many conditions",
    actionInputSchema,
    action({}, { filter: { all: [conditions(30), conditions(30)] } }),
    { path: "filter", code: "too_long", limit: 50 },
  ],
  [
    "an unknown field inside a nested condition",
    actionInputSchema,
    action({}, { filter: { all: [{ any: [{ path: "payload.a", op: "exists", x: 1 }] }] } }),
    { path: "filter.all.0.any.0.x", code: "unknown_field", name: "x" },
  ],
  [
    "a range that ends before it starts",
    deliveryQuerySchema,
    { from: "2026-01-02", to: "2026-01-01" },
    { path: "to", code: "out_of_range" },
  ],
  ["a limit of none", deliveryQuerySchema, { limit: "0" }, { path: "limit", code: "out_of_range" }],
  [
    "an id twice",
    replaySchema,
    { actionIds: ["a", "a"] },
    { path: "actionIds", code: "duplicate" },
  ],
  ["nothing to preview", previewSchema, {}, { path: "deliveryId", code: "required" }],
  [
    "two things to preview",
    previewSchema,
    { deliveryId: "a", payload: 1 },
    { path: "payload", code: "conflict" },
  ],
  ["a short password", newPasswordSchema, "x", { path: "", code: "too_short", limit: 10 }],
])("a program can tell what is wrong: %s", (_, schema, value, error) => {
  expect(errorsOf(schema, value)).toContainEqual(error);
});
