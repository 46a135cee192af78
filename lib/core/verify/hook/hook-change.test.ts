import { expect, it } from "vitest";
import type { DedupeRule } from "#lib/schema/receive/event-rules.ts";
import {
  followDefault,
  pendingSinceAfter,
  pendingSinceOfNew,
  toleranceAfter,
} from "./hook-change.ts";
import { defaultDedupe, listDedupeDefaults, type VerificationRule } from "./hook-rules.ts";

const now = new Date("2026-11-22T12:00:00Z");
const since = new Date("2026-11-20T12:00:00Z");
const rule = (provider: string): VerificationRule => ({ provider, verification: null });
const hook = { provider: "stripe", toleranceSeconds: 900, secrets: [], pending: null };
/** Sends its secret in a handshake. */
const handshaking = rule("asana");

it("a new hook is pending if its owner says so or its provider sends the secret", () => {
  expect(pendingSinceOfNew({}, rule("stripe"), now)).toBeNull();
  expect(pendingSinceOfNew({ status: "pending" }, rule("stripe"), now)).toBe(now);
  expect(pendingSinceOfNew({}, handshaking, now)).toBe(now);
  expect(pendingSinceOfNew({ status: "active" }, handshaking, now)).toBeNull();
  expect(pendingSinceOfNew({ signingSecret: "x" }, handshaking, now)).toBeNull();
  expect(() => pendingSinceOfNew({ status: "pending" }, rule("generic"), now)).toThrow(/status/);
});

it("a change starts the wait, keeps its start, and ends it with the secret", () => {
  const stripe = rule("stripe");
  expect(pendingSinceAfter({}, hook, stripe, now)).toBeNull();
  expect(pendingSinceAfter({ status: "pending" }, hook, stripe, now)).toBe(now);
  expect(pendingSinceAfter({}, hook, handshaking, now)).toBe(now);
  const waiting = { ...hook, pending: { since } };
  expect(pendingSinceAfter({ status: "pending" }, waiting, stripe, now)).toBe(since);
  expect(pendingSinceAfter({ signingSecret: "x" }, waiting, stripe, now)).toBeNull();
});

it("losing its secrets doesn't make a hook pending", () => {
  const complete = { ...hook, secrets: ["one"] };
  expect(pendingSinceAfter({ signingSecret: null }, complete, rule("stripe"), now)).toBeNull();
});

it("a tolerance stays while the provider signs a time", () => {
  expect(toleranceAfter(undefined, hook, rule("slack"))).toBe(900);
  expect(toleranceAfter(undefined, hook, rule("github"))).toBeNull();
  expect(toleranceAfter(60, hook, rule("slack"))).toBe(60);
  expect(() => toleranceAfter(60, hook, rule("github"))).toThrow(/toleranceSeconds/);
});

it("a default follows the provider, and a rule of its own doesn't", () => {
  const own: DedupeRule = { from: "content" };
  const follow = (wanted: DedupeRule | undefined, stored: DedupeRule, from = "stripe") =>
    followDefault(wanted, stored, listDedupeDefaults, { from, to: "github" });
  expect(follow(undefined, defaultDedupe("stripe"))).toEqual(defaultDedupe("github"));
  expect(follow(undefined, own)).toEqual(own);
  expect(follow(own, defaultDedupe("stripe"))).toEqual(own);
  for (const provider of ["generic", "custom", "bearer", "basic-auth"])
    for (const rule of listDedupeDefaults(provider))
      expect(follow(undefined, rule, provider)).toEqual(defaultDedupe("github"));
  // The default of an earlier version is kept while the provider is.
  const former: DedupeRule = { from: "body", path: "id" };
  const kept = followDefault(undefined, former, listDedupeDefaults, {
    from: "generic",
    to: "generic",
  });
  expect(kept).toEqual(former);
});
