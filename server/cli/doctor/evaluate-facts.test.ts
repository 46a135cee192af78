import { describe, expect, test } from "vitest";
import { formatFindings, ok } from "#lib/base/command-line/finding.ts";
import { createDoctorMark, doctorHeader, respondToDoctor } from "#lib/core/api/doctor-mark.ts";
import { deriveKey } from "#lib/core/people/seal/derive-key.ts";
import { type AllowList, parseCidrList } from "#lib/core/sending/address/allow-list.ts";
import {
  evaluateCertificate,
  evaluateClock,
  evaluateDisk,
  evaluateEgress,
  evaluateMigrations,
  evaluateProxies,
  evaluatePublicUrl,
  evaluateSealKey,
} from "./evaluate-facts.ts";

const gib = 2 ** 30;

test.each([
  [{ freeBytes: 400 * gib, totalBytes: 500 * gib }, "ok", "400 GiB of 500 GiB are free."],
  [{ freeBytes: 40 * gib, totalBytes: 500 * gib }, "warning", "40 GiB of 500 GiB are free."],
  [{ freeBytes: 400 * 2 ** 20, totalBytes: 500 * gib }, "error", "400 MiB of 500 GiB are free, so"],
  // A small disk: 5 % of it is enough.
  [{ freeBytes: 450 * 2 ** 20, totalBytes: 2 * gib }, "ok", "450 MiB"],
  [{ freeBytes: 90 * 2 ** 20, totalBytes: 2 * gib }, "error", "90 MiB"],
])("%j on the disk is %s", (space, level, text) => {
  const result = evaluateDisk(space, 536_870_912);
  expect(result).toMatchObject({ level, message: expect.stringContaining(text) });
  expect(result.change === null).toBe(level === "ok");
});

test.each([
  [1_900, 0, "ok"],
  [-2_100, 0, "warning"],
  // A slow answer can't prove that the clock is off.
  [3_000, 1_500, "ok"],
  [45_000, 10, "error"],
])("a clock that is off by %i ms, seen within %i ms, is %s", (offMs, roundTripMs, level) => {
  expect(evaluateClock(offMs, roundTripMs).level).toBe(level);
});

test.each([
  [{ pending: [], unknown: [], changed: [] }, "ok"],
  [{ pending: ["1_a"], unknown: [], changed: [] }, "warning"],
  [{ pending: ["1_a"], unknown: ["2_b"], changed: [] }, "error"],
  [{ pending: [], unknown: [], changed: ["1_a"] }, "error"],
])("migrations %j are %s", (state, level) => expect(evaluateMigrations(state).level).toBe(level));

test.each([
  ["2027-11-24", null, "ok", "another 365 days"],
  ["2026-12-01", null, "warning", "expires in 7 days"],
  ["2026-11-25", null, "warning", "expires in 1 day,"],
  ["2026-11-20", "CERT_HAS_EXPIRED", "error", "expired on 2026-11-20"],
  ["2027-11-24", "SELF_SIGNED_CERT_IN_CHAIN", "error", "won't trust"],
])("a certificate until %s with the problem %s is %s", (date, problem, level, text) => {
  const result = evaluateCertificate(
    { expiresAt: new Date(date), problem },
    new Date("2026-11-24"),
  );
  expect(result).toMatchObject({ level, message: expect.stringContaining(text) });
});

test.each([
  ["a", null, "a", "ok"],
  ["a", null, null, "ok"],
  ["a", null, "b", "error"],
  ["a", "b", "b", "warning"],
  ["a", "b", "a", "warning"],
  ["a", "b", "c", "error"],
])(
  "key %s after %s on a database sealed with %s is %s",
  (keyId, previousKeyId, sealedWith, level) =>
    expect(evaluateSealKey({ keyId, previousKeyId, sealedWith }).level).toBe(level),
);

function list(text: string): AllowList {
  const parsed = parseCidrList(text);
  if (!parsed.ok) throw new Error(parsed.message);
  return parsed.cidrs;
}

test.each([
  ["", "ok", "public addresses only"],
  ["10.0.0.0/8 127.0.0.1:8080", "ok", "10.0.0.0/8, 127.0.0.1/32 port 8080"],
  ["0.0.0.0/0", "error", "anything in your network"],
])("allowing %j is %s", (allow, level, text) => {
  expect(evaluateEgress(list(allow))).toMatchObject({
    level,
    message: expect.stringContaining(text),
  });
});

describe("proxies", () => {
  const seen = { peer: "10.0.0.5", isTrusted: false, hasForwardedFor: true, host: "a" };
  test.each([
    ["trusted", { isTrusted: true }, "10.0.0.5", "https://a", ["ok"]],
    ["not trusted", {}, "", "https://a", ["error"]],
    ["silent, with https", { hasForwardedFor: false }, "", "https://a", ["warning"]],
    ["none", { hasForwardedFor: false }, "", "http://a", ["ok"]],
    ["trusted like everyone", { isTrusted: true }, "::/0", "https://a", ["error"]],
  ])("%s", (_case, change, trusted, url, levels) => {
    const results = evaluateProxies({ ...seen, ...change }, list(trusted), url);
    expect(results.map(({ level }) => level)).toEqual(levels);
  });
});

describe("the public URL", () => {
  const key = deriveKey("secret", "doctor");
  const mark = createDoctorMark(key, 1);
  const seen = { peer: "::1", isTrusted: true, hasForwardedFor: true, host: "hooks.example.com" };
  const answered = (change: Partial<typeof seen>, status = 200) => ({
    ok: true as const,
    status,
    headers: { [doctorHeader]: respondToDoctor(key, mark, { ...seen, ...change }, 1) ?? "" },
    certificate: null,
  });
  const env = { publicUrl: "https://hooks.example.com", isPublicUrlGiven: true, host: "0.0.0.0" };
  test.each([
    ["this installation", {}, answered({}), ["ok"]],
    ["one that can't store", {}, answered({}, 503), ["error"]],
    ["nothing", {}, { ok: false as const, code: "ECONNREFUSED" }, ["error"]],
    ["something else", {}, { ...answered({}), headers: {} }, ["error"]],
    ["a proxy that changes Host", {}, answered({ host: "backend:3000" }), ["ok", "warning"]],
    ["no URL given", { isPublicUrlGiven: false }, answered({}), ["ok", "warning"]],
  ])("%s", (_case, change, probe, levels) => {
    const results = evaluatePublicUrl({ env: { ...env, ...change }, probe, key, mark });
    expect(results.map(({ level }) => level)).toEqual(levels);
  });
  test.each(["http://localhost:3000", "http://127.0.0.1:3000", "http://hooks.example.com"])(
    "%s is a warning",
    (publicUrl) => {
      const probe = answered({ host: new URL(publicUrl).host });
      const results = evaluatePublicUrl({ env: { ...env, publicUrl }, probe, key, mark });
      expect(results.map(({ level }) => level)).toEqual(["ok", "warning"]);
    },
  );
});

test("findings are aligned, each with what to change below it", () => {
  const change = "Change it.";
  const text = formatFindings("The server", [
    { check: "Disk", ...ok("Fine.") },
    { check: "Public URL", level: "error", message: "Gone.", change },
    { check: "TLS", level: "warning", message: "Old.", change },
  ]);
  expect(text.split("\n")).toEqual([
    "The server",
    "",
    "  ✓ Disk        Fine.",
    "  ✗ Public URL  Gone.",
    "                → Change it.",
    "  ! TLS         Old.",
    "                → Change it.",
    "",
    "  1 error, 1 warning.",
  ]);
});
