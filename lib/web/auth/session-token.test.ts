import { encode } from "next-auth/jwt";
import { expect, it } from "vitest";
import { createSessionCheck } from "#lib/core/people/sign-in/session-cookie.ts";
import { readSessionToken, writeSessionToken } from "./session-token.ts";

const secret = "a secret for these tests alone";
const ids = {
  sub: "0192f0c1-2345-7abc-8def-0123456789ab",
  sid: "0192f0c1-2345-7abc-8def-ba9876543210",
};
const payload = { use: "session", ...ids };
const isSession = createSessionCheck(secret);

it("a session is read back", async () => {
  const cookie = await writeSessionToken(ids, secret);
  expect(await readSessionToken(cookie, secret)).toMatchObject(payload);
  expect(isSession(cookie, Date.now())).toBe(true);
  expect(isSession(cookie, Date.now() + 31 * 86_400_000)).toBe(false);
});

it.each([
  ["made with another secret", () => encode({ token: payload, secret: "another secret" })],
  ["made for another cookie", () => encode({ token: payload, secret, salt: "state" })],
  ["made for another use", () => encode({ token: { ...payload, use: "invitation" }, secret })],
  ["that names no use", () => encode({ token: ids, secret })],
  ["without a session", () => encode({ token: { use: "session", sub: ids.sub }, secret })],
  ["that expired", () => encode({ token: payload, secret, maxAge: -60 })],
  [
    "with a byte changed",
    async () => (await encode({ token: payload, secret })).replace(/.{5}$/, "AAAAA"),
  ],
  ["that is no token", async () => "a.b.c.d.e"],
  ["that is empty", async () => ""],
])("a token %s isn't a session", async (_what, make) => {
  const cookie = await make();
  expect(await readSessionToken(cookie, secret)).toBeNull();
  expect(isSession(cookie, Date.now())).toBe(false);
});

it("a signed but unencrypted token isn't a session", async () => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  expect(await readSessionToken(`${part({ alg: "none" })}.${part(payload)}.`, secret)).toBeNull();
});
