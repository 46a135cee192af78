import { expect, test } from "vitest";
import { deriveKey } from "#lib/core/people/seal/derive-key.ts";
import { createDoctorMark, readDoctorResponse, respondToDoctor } from "./doctor-mark.ts";

const key = deriveKey("the secret of this installation", "doctor");
const otherKey = deriveKey("the secret of another installation", "doctor");
const seen = { peer: "10.0.0.5", isTrusted: false, hasForwardedFor: true, host: "hooks.example" };
const nowMs = 1_795_000_000_000;
const mark = createDoctorMark(key, nowMs);

test("this installation answers, and nothing between can change what it says", () => {
  const answer = respondToDoctor(key, mark, seen, nowMs + 5_000) ?? "";
  expect(readDoctorResponse(key, mark, answer)).toEqual(seen);
  const forged = Buffer.from(JSON.stringify({ ...seen, isTrusted: true })).toString("base64url");
  expect(readDoctorResponse(key, mark, `${forged}.${answer.split(".")[1]}`)).toBeNull();
  const later = createDoctorMark(key, nowMs + 1);
  expect(readDoctorResponse(key, later, answer)).toBeNull();
});

test.each([
  ["of another installation", createDoctorMark(otherKey, nowMs), nowMs],
  ["that is old", mark, nowMs + 600_001],
  ["from the future", mark, nowMs - 600_001],
  ["without a signature", String(nowMs), nowMs],
  ["with another time", mark.replace(/^\d+/, String(nowMs + 1)), nowMs],
  ["that is no mark", "true", nowMs],
])("a mark %s gets no answer", (_what, given, atMs) => {
  expect(respondToDoctor(key, given, seen, atMs)).toBeNull();
});

test("another installation's answer isn't accepted", () => {
  const otherMark = createDoctorMark(otherKey, nowMs);
  const answer = respondToDoctor(otherKey, otherMark, seen, nowMs) ?? "";
  expect(readDoctorResponse(key, mark, answer)).toBeNull();
});
