/** Handshakes configured by a user, as shown in docs/custom-verification.md. */
import { createHmac } from "node:crypto";
import { expect, it } from "vitest";
import { verificationSchema } from "#lib/schema/receive/verification.ts";
import { toHandshakes } from "./custom-handshakes.ts";
import { exposesMacs, isMacChallenge } from "./mac-challenge.ts";
import { greet as greetWith, type Sent } from "./testing/greet.ts";
import { takesVerifyToken } from "./verify-token.ts";

const mac = {
  kind: "mac",
  mac: "hmac",
  hash: "sha256",
  encoding: "hex",
  signature: {
    sources: [{ from: "header", name: "x-li-signature" }],
    format: { type: "prefixed", prefix: "hmacsha256=" },
  },
  signed: { template: "hmacsha256={body}" },
  secret: { decode: "utf8" },
};
const inQuery = (name: string) => ({ from: "query", name });
const inHeader = (name: string) => ({ from: "header", name });

const linkedIn = {
  method: "GET",
  challenge: inQuery("challengeCode"),
  hmac: { hash: "sha256", encoding: "hex" },
  reply: { json: { challengeCode: "{challenge}", challengeResponse: "{hmac}" } },
};
const strava = {
  method: "GET",
  when: [{ field: inQuery("hub.mode"), equals: "subscribe" }],
  challenge: inQuery("hub.challenge"),
  verifyToken: inQuery("hub.verify_token"),
  reply: { json: { "hub.challenge": "{challenge}" } },
};
const ringCentral = {
  method: "POST",
  challenge: inHeader("Validation-Token"),
  reply: { headers: { "Validation-Token": "{challenge}" } },
};
const adobeSign = {
  method: "GET",
  challenge: inHeader("X-AdobeSign-ClientId"),
  reply: { json: { xAdobeSignClientId: "{challenge}" } },
};

function greet(handshakes: readonly unknown[], sent: Sent) {
  const parsed = verificationSchema.parse({ ...mac, handshakes });
  const known = { key: Buffer.from("s3cret") };
  const outcome = greetWith(toHandshakes(parsed.handshakes ?? []), { body: {}, ...sent }, known);
  if (outcome?.kind === "respond") return outcome.response;
  return outcome?.kind === "rejected" ? outcome.reason : outcome;
}

const json = { "content-type": "application/json" };

it("LinkedIn: the challenge and its HMAC", () => {
  const challenge = "890e4665-4dfe-4ab1-b689-ed553bceeed0";
  const challengeResponse = createHmac("sha256", "s3cret").update(challenge).digest("hex");
  expect(
    greet([linkedIn], { method: "GET", query: `challengeCode=${challenge}&applicationId=1` }),
  ).toEqual({
    status: 200,
    headers: json,
    body: JSON.stringify({ challengeCode: challenge, challengeResponse }),
  });
  expect(greet([linkedIn], { method: "GET", query: "challengeCode=%7B%22a%22%3A1%7D" })).toBe(
    "challenge_malformed",
  );
  expect(greet([linkedIn], { method: "GET" })).toBeNull();
});

it("Strava: the challenge, with the right verify token", () => {
  const query =
    "hub.mode=subscribe&hub.challenge=15f7d1a91c1f40f8a748fd134752feb3&hub.verify_token=";
  expect(greet([strava], { method: "GET", query: `${query}catchment-key` })).toEqual({
    status: 200,
    headers: json,
    body: '{"hub.challenge":"15f7d1a91c1f40f8a748fd134752feb3"}',
  });
  expect(greet([strava], { method: "GET", query: `${query}other` })).toBe("verify_token_mismatch");
  expect(
    takesVerifyToken(
      toHandshakes(verificationSchema.parse({ ...mac, handshakes: [strava] }).handshakes ?? []),
    ),
  ).toBe(true);
});

it("RingCentral and Adobe Sign: a header, returned in a header or in JSON", () => {
  const headers = { "validation-token": "a1b2", "x-adobesign-clientid": "CBJ" };
  expect(greet([ringCentral], { method: "POST", headers })).toEqual({
    status: 200,
    headers: { "validation-token": "a1b2" },
    body: "",
  });
  expect(greet([adobeSign], { method: "GET", headers })).toEqual({
    status: 200,
    headers: json,
    body: '{"xAdobeSignClientId":"CBJ"}',
  });
  expect(greet([adobeSign], { method: "POST", headers })).toBeNull();
});

it("a JSON field returned as text, signed, and answered while the hook awaits its secret", () => {
  const slack = {
    method: "POST",
    signed: true,
    challenge: { from: "body", path: "challenge" },
    reply: { text: "{challenge}" },
  };
  expect(greet([slack], { method: "POST", body: { challenge: "3eZ" } })).toMatchObject({
    body: "3eZ",
  });
  const [handshake] = toHandshakes(
    verificationSchema.parse({ ...mac, handshakes: [slack] }).handshakes ?? [],
  );
  expect(handshake).toMatchObject({ proof: "signature", respondsWhilePending: true });
});

it("a form field whose name has dots, as WebSub names them", () => {
  const inForm = (name: string) => ({ from: "form", name });
  const webSub = {
    method: "POST",
    when: [{ field: inForm("hub.mode"), equals: "subscribe" }],
    challenge: inForm("hub.challenge"),
    reply: { text: "{challenge}" },
  };
  const body = "hub.mode=subscribe&hub.challenge=15f7d1a9";
  expect(greet([webSub], { method: "POST", body })).toMatchObject({ body: "15f7d1a9" });
  expect(greet([webSub], { method: "POST", body: "hub.challenge=15f7d1a9" })).toBeNull();
});

it("a response with a MAC never signs an event", () => {
  const handshakes = toHandshakes(
    verificationSchema.parse({ ...mac, handshakes: [linkedIn] }).handshakes ?? [],
  );
  expect(exposesMacs(handshakes)).toBe(true);
  for (const body of ["", "=", "1700000000.", "abc==", "123"])
    expect([body, isMacChallenge(Buffer.from(body))]).toEqual([body, true]);
  expect(isMacChallenge(Buffer.from('{"a":1}'))).toBe(false);
});

it.each<[object, string]>([
  [{ handshakes: [{ method: "POST", reply: {} }] }, "handshakes.0.challenge"],
  [{ handshakes: [{ ...linkedIn, challenge: undefined }] }, "handshakes.0.hmac"],
  [{ handshakes: [{ method: "GET", reply: { text: "{challenge}" } }] }, "handshakes.0.reply.text"],
  [{ handshakes: [{ ...strava, reply: { json: { a: "{hmac}" } } }] }, "handshakes.0.reply.json.a"],
  [{ handshakes: [{ ...strava, reply: { text: "a", json: {} } }] }, "handshakes.0.reply.json"],
  [{ handshakes: [{ ...strava, reply: { status: 204, text: "a" } }] }, "handshakes.0.reply.status"],
  ...["location", "set-cookie", "content-type", "refresh", "access-control-allow-origin"].map(
    (name): [object, string] => [
      {
        handshakes: [
          {
            method: "GET",
            challenge: inHeader(name),
            reply: { headers: { [name]: "{challenge}" } },
          },
        ],
      },
      `handshakes.0.reply.headers.${name}`,
    ],
  ),
  [
    { handshakes: [{ ...ringCentral, reply: { headers: { other: "{challenge}" } } }] },
    "handshakes.0.reply.headers.other",
  ],
  [
    {
      handshakes: [linkedIn],
      signed: { template: "{digest}" },
      bodyDigest: { header: "digest", hash: "sha256", encoding: "base64" },
    },
    "handshakes.0.hmac",
  ],
  [{ handshakes: [linkedIn], signed: { template: "{body}", gunzip: true } }, "handshakes.0.hmac"],
])("%j is rejected at %s", (change, path) => {
  const { error } = verificationSchema.safeParse({ ...mac, ...change });
  expect(error?.issues.map((issue) => issue.path.join("."))).toContain(path);
});

it("{hmac} is rejected if the key signs tokens", () => {
  const jwt = {
    kind: "jwt",
    source: inHeader("authorization"),
    algorithms: ["HS256"],
    bodyNotSigned: true,
  };
  for (const scheme of [jwt, { kind: "bearer" }, { kind: "token", source: inHeader("x-token") }]) {
    const { error } = verificationSchema.safeParse({ ...scheme, handshakes: [linkedIn] });
    expect(error?.issues.map((issue) => issue.path.join("."))).toEqual(["handshakes.0.hmac"]);
    expect(verificationSchema.safeParse({ ...scheme, handshakes: [strava] }).success).toBe(true);
  }
});
