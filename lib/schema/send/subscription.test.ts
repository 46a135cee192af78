import { expect, it } from "vitest";
import { eventTypeName, eventTypePattern } from "./event-type.ts";
import { subscriptionInputSchema, subscriptionPatchSchema } from "./subscription.ts";

const input = (fields: object) =>
  subscriptionInputSchema.safeParse({ receiverUrl: "https://example.com/in", ...fields });
const messages = (fields: object) =>
  input(fields).error?.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);

it("a subscription needs only a receiver URL, and then gets every event", () => {
  expect(input({}).data).toEqual({
    receiverUrl: "https://example.com/in",
    eventTypes: ["*"],
    filter: null,
    recipient: null,
    description: null,
    headers: {},
    rateLimit: null,
    maxConcurrency: null,
    ordered: false,
    keyPair: false,
    metadata: {},
    retry: null,
    timeoutMs: 15_000,
    credentialId: null,
    receiver: null,
    transform: null,
  });
});

it.each(["invoice", "invoice.paid", "a.b-c.d_e.0"])("%s is an event type", (name) => {
  expect(eventTypeName.safeParse(name).success).toBe(true);
  expect(eventTypePattern.safeParse(`${name}.*`).success).toBe(true);
});

it.each(["", ".", "invoice.", ".paid", "Invoice.paid", "a b", "a..b", "*", "a.*", "a.\n"])(
  "%j is no event type",
  (name) => {
    expect(eventTypeName.safeParse(name).success).toBe(false);
  },
);

it.each(["", "*.paid", "invoice*", "invoice.*.paid", "**", "invoice.**"])(
  "%j is no pattern",
  (pattern) => {
    expect(eventTypePattern.safeParse(pattern).success).toBe(false);
  },
);

it("headers that Catchment sets can't be given, in any case", () => {
  for (const name of ["Host", "Webhook-Id", "catchment-signature", "Content-Type", "User-Agent"]) {
    expect(messages({ headers: { [name]: "x" } })).toHaveLength(1);
  }
  expect(messages({ headers: { "X-A": "1", "x-a": "2" } })).toHaveLength(1);
  expect(messages({ headers: { "X-A": "a\r\nb" } })).toHaveLength(1);
});

it("a shown header value isn't taken for a new one", () => {
  const patch = subscriptionPatchSchema.safeParse({ headers: { "X-Key": "••••abcd" } });
  expect(patch.success).toBe(false);
});

it("a receiver's own secret is whsec_ and base64 of 24 to 64 bytes", () => {
  const secretOf = (bytes: number) => `whsec_${Buffer.alloc(bytes, 7).toString("base64")}`;
  expect([24, 32, 64].map((bytes) => input({ secret: secretOf(bytes) }).success)).toEqual([
    true,
    true,
    true,
  ]);
  expect([23, 65].map((bytes) => input({ secret: secretOf(bytes) }).success)).toEqual([
    false,
    false,
  ]);
  expect(input({ secret: "whsec_not base64!" }).success).toBe(false);
});

it("a filter reads the event, not a delivery", () => {
  const filterOn = (path: string) => input({ filter: { all: [{ path, op: "exists" }] } }).success;
  expect(["id", "type", "timestamp", "data.amount", "payload.data"].map(filterOn)).toEqual(
    Array.from({ length: 5 }, () => true),
  );
  expect(["headers.x", "hook.id", "query.a"].map(filterOn)).toEqual([false, false, false]);
});
