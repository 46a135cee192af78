import { encode } from "next-auth/jwt";
import { expect, it } from "vitest";
import { setBrowserToken } from "#lib/web/testing/next-headers.ts";
import { withApi } from "#lib/web/testing/with-api.ts";
import { takeChallenge } from "./challenge.ts";

const api = withApi();

async function keep(token: Record<string, string>): Promise<void> {
  setBrowserToken(await encode({ token, secret: api.context.sessionSecret, maxAge: 60 }));
}

it("a challenge to sign in, which anyone gets, adds no passkey, and none works for someone else", async () => {
  await keep({ use: "challenge", purpose: "sign in", challenge: "c" });
  expect(await takeChallenge("add to ada")).toBeNull();
  expect(await takeChallenge("sign in")).toBe("c");
  await keep({ use: "challenge", purpose: "add to ada", challenge: "c" });
  expect(await takeChallenge("sign in")).toBeNull();
  expect(await takeChallenge("add to eve")).toBeNull();
  expect(await takeChallenge("add to ada")).toBe("c");
  await keep({ use: "session", purpose: "sign in", challenge: "c" });
  expect(await takeChallenge("sign in")).toBeNull();
});
