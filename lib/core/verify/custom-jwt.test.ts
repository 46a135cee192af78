/** Custom JSON Web Token verifications, with tokens signed by jose. */
import { generateKeyPairSync, hash } from "node:crypto";
import { SignJWT } from "jose";
import { expect, it } from "vitest";
import { verificationSchema } from "#lib/schema/receive/verification.ts";
import { signRequest } from "./sign.ts";
import { requestOf } from "./testing/test-request.ts";
import { toScheme } from "./to-scheme.ts";
import { prepareVerifier } from "./verify.ts";

const nowMs = 1_700_000_000_000;
const seconds = nowMs / 1000;
const body = '{"id":"evt_1"}';
const shared = "a shared secret of 32 characters";
const rule = {
  kind: "jwt",
  source: { from: "header", name: "Authorization" },
  prefix: "Bearer ",
  algorithms: ["HS256"],
  issuer: "acme",
  audience: "us",
  claims: { env: "live" },
  bodyHash: { claim: "digest", hash: "sha512", encoding: "base64url" },
};
const claims = {
  iss: "acme",
  aud: ["others", "us"],
  env: "live",
  digest: hash("sha512", body, "base64url"),
  exp: seconds + 60,
};

async function sign(
  content: object,
  alg = "HS256",
  key: Parameters<SignJWT["sign"]>[0] = Buffer.from(shared),
) {
  return await new SignJWT({ ...content }).setProtectedHeader({ alg }).sign(key);
}

function verify(verification: unknown, token: string, secret = shared, text = body, atMs = nowMs) {
  const scheme = toScheme(verificationSchema.parse(verification));
  const verdict = prepareVerifier({ scheme, secrets: [secret] })(
    requestOf({ authorization: token }, text),
    atMs,
  );
  return verdict.outcome === "failed" ? verdict.reason : verdict.outcome;
}

it("a token is verified with its body, its claims, and its time", async () => {
  const token = `bearer ${await sign(claims)}`;
  expect(verify(rule, token)).toBe("verified");
  expect(verify(rule, token, shared, `${body} `)).toBe("body_mismatch");
  expect(verify(rule, token, "another secret")).toBe("signature_mismatch");
  expect(verify(rule, token, shared, body, nowMs + 121_000)).toBe("timestamp_too_old");
  expect(verify(rule, await sign(claims))).toBe("signature_malformed");
  const wrong: readonly [object, string][] = [
    [{ iss: "other" }, "claim_mismatch"],
    [{ aud: "others" }, "claim_mismatch"],
    [{ env: "test" }, "claim_mismatch"],
    [{ env: undefined }, "claim_missing"],
    [{ digest: undefined }, "claim_missing"],
    [{ exp: undefined }, "timestamp_missing"],
  ];
  for (const [change, reason] of wrong)
    expect([change, verify(rule, `Bearer ${await sign({ ...claims, ...change })}`)]).toEqual([
      change,
      reason,
    ]);
});

it("the algorithm is fixed: a public key is never an HMAC secret, and none is not supported", async () => {
  const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const pem = publicKey.export({ type: "spki", format: "pem" }).toString();
  const both = { ...rule, algorithms: ["RS512", "HS256"] };
  expect(verify(both, `Bearer ${await sign(claims, "RS512", privateKey)}`, pem)).toBe("verified");
  expect(verify(both, `Bearer ${await sign(claims, "HS256", Buffer.from(pem))}`, pem)).toBe(
    "signature_mismatch",
  );
  expect(verify(both, `Bearer ${await sign(claims, "RS256", privateKey)}`, pem)).toBe(
    "signature_malformed",
  );
  const none = [{ alg: "none" }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
    .join(".");
  expect(verify(both, `Bearer ${none}.`, pem)).toBe("signature_malformed");
});

it("a shared secret may be base64, the token may be in the body, and iat may limit its age", async () => {
  const custom = {
    kind: "jwt",
    source: { from: "body", path: "token" },
    algorithms: ["HS384"],
    decode: "base64",
    bodyNotSigned: true,
    maxAgeSeconds: 30,
    leewaySeconds: 0,
  };
  const key = Buffer.alloc(48, 7);
  const token = await sign({ iat: seconds - 30 }, "HS384", key);
  const check = (atMs: number) =>
    verify(custom, "", key.toString("base64"), JSON.stringify({ token }), atMs);
  expect([check(nowMs), check(nowMs + 1000)]).toEqual(["verified", "timestamp_too_old"]);
});

it("a custom scheme can sign samples", () => {
  const scheme = toScheme(verificationSchema.parse(rule));
  if (scheme.kind !== "code") throw new Error("not code");
  const input = {
    secret: shared,
    settings: {},
    body: Buffer.from(body),
    timestampMs: nowMs,
    id: "1",
    url: "https://a.example/",
    method: "POST",
  };
  expect(verify(rule, scheme.sign(input).headers.authorization ?? "")).toBe("verified");
  expect(() => signRequest(scheme, shared, input)).toThrow();
});

it.each([
  [{ bodyHash: undefined }, "bodyHash"],
  [{ bodyNotSigned: true }, "bodyNotSigned"],
  [{ algorithms: [] }, "algorithms"],
  [{ algorithms: ["none"] }, "algorithms.0"],
  [{ algorithms: ["HS256", "HS256"] }, "algorithms"],
  [{ maxAgeSeconds: 60, timeNotSigned: true }, "timeNotSigned"],
  [{ source: { from: "part", key: "t" } }, "source.from"],
  [{ key: "x" }, ""],
])("%j is rejected at %s", (change, path) => {
  const { error } = verificationSchema.safeParse({ ...rule, ...change });
  expect(error?.issues[0]?.path.join(".")).toBe(path);
});
