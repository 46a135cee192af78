/** Providers whose keys sign for all their customers: what is meant for another one is rejected. */
import { generateKeyPairSync, sign } from "node:crypto";
import { describe, expect, it } from "vitest";
import { signJwt } from "./jwt/jwt.ts";
import { readSigningKeys } from "./scheme/read-signing-keys.ts";
import type { KeyLookup, KeySource } from "./scheme/signing-key.ts";
import { outcomeOf } from "./testing/test-outcome.ts";
import { requestOf, testUrl } from "./testing/test-request.ts";

const atMs = 1_800_000_000_000;
const seconds = atMs / 1000;
const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const response = (body: unknown) => ({ status: 200, body: Buffer.from(JSON.stringify(body)) });
const times = { iat: seconds, exp: seconds + 3600 };

/** Keys as published at one address, each with its endorsements, and nothing elsewhere. */
function keysAt(url: string, endorsements?: readonly string[]): KeyLookup {
  const jwk = { ...publicKey.export({ format: "jwk" }), kid: "k1", endorsements };
  const keys = readSigningKeys("jwks", response({ keys: [jwk] }));
  return (source: KeySource) => (source.url === url ? (keys ?? undefined) : undefined);
}

const bearer = (claims: object) => `Bearer ${signJwt("RS256", privateKey, { ...claims }, "k1")}`;

describe("google chat", () => {
  const chat = "chat@system.gserviceaccount.com";
  const ofGoogle = keysAt("https://www.googleapis.com/oauth2/v3/certs");
  const ofChat = keysAt(`https://www.googleapis.com/service_accounts/v1/jwk/${chat}`);
  const check = (settings: Record<string, string>, claims: object, keys: KeyLookup) =>
    outcomeOf(
      "google-chat",
      settings,
      requestOf({ authorization: bearer({ ...times, ...claims }) }, "{}"),
      { keys, atMs },
    );
  const byUrl = { iss: "https://accounts.google.com", aud: testUrl, email: chat };

  it("the audience is the catch URL, of Chat's service account", () => {
    const check1 = (claims: object) => check({}, { email_verified: true, ...claims }, ofGoogle);
    expect(check1(byUrl)).toBe("verified");
    expect(check1({ ...byUrl, aud: "https://evil.example" })).toBe("claim_mismatch");
    expect(check1({ ...byUrl, email: "a@b.iam.gserviceaccount.com" })).toBe("claim_mismatch");
    expect(check1({ ...byUrl, iss: chat })).toBe("claim_mismatch");
  });

  it("or of the add-on's, if the app is one", () => {
    const settings = { addOnProjectNumber: "1234567890" };
    const email = "service-1234567890@gcp-sa-gsuiteaddons.iam.gserviceaccount.com";
    const ofAddOn = { ...byUrl, email, email_verified: true };
    expect(check(settings, ofAddOn, ofGoogle)).toBe("verified");
    expect(check({}, ofAddOn, ofGoogle)).toBe("claim_mismatch");
    for (const changed of [
      { email: chat },
      { email: email.replace("1234567890", "1234567891") },
      { email: `${email}.evil.example` },
      { email_verified: false },
      { aud: "1234567890" },
    ])
      expect(check(settings, { ...ofAddOn, ...changed }, ofGoogle)).toBe("claim_mismatch");
  });

  it("or the project number, signed with Chat's own keys", () => {
    const settings = { projectNumber: "1234567890" };
    const byNumber = { iss: chat, aud: "1234567890" };
    expect(check(settings, byNumber, ofChat)).toBe("verified");
    expect(check(settings, { ...byNumber, aud: "1234567891" }, ofChat)).toBe("claim_mismatch");
    expect(check(settings, { ...byUrl, aud: "1234567890" }, ofChat)).toBe("claim_mismatch");
    expect(check(settings, byNumber, ofGoogle)).toBe("needsKey");
  });
});

describe("bot framework", () => {
  const appId = "6a1d9c1e-5b0f-4c6a-9d59-0d8f6c9f3f10";
  const serviceUrl = "https://smba.trafficmanager.net/emea/";
  const url = "https://login.botframework.com/v1/.well-known/keys";
  const claims = { ...times, iss: "https://api.botframework.com", aud: appId };
  const check = (
    changed: object,
    activity: object,
    keys = keysAt(url, ["msteams"]),
    settings = {},
  ) =>
    outcomeOf(
      "bot-framework",
      { appId, ...settings },
      requestOf(
        { authorization: bearer({ ...claims, serviceurl: serviceUrl, ...changed }) },
        JSON.stringify({ channelId: "msteams", serviceUrl, ...activity }),
      ),
      { keys, atMs },
    );

  it("a token is for one bot, one service URL, and the channels of its key", () => {
    expect(check({}, {})).toBe("verified");
    expect(check({}, { channelId: "slack" }, keysAt(url))).toBe("verified");
    expect(check({ aud: "6a1d9c1e-5b0f-4c6a-9d59-0d8f6c9f3f11" }, {})).toBe("claim_mismatch");
    expect(check({ iss: "https://sts.windows.net/x/" }, {})).toBe("claim_mismatch");
    expect(check({}, { serviceUrl: "https://evil.example/" })).toBe("claim_mismatch");
    expect(check({ serviceurl: undefined }, {})).toBe("claim_missing");
    expect(check({}, { channelId: "slack" })).toBe("key_unknown");
    expect(check({ exp: seconds - 301 }, {})).toBe("timestamp_too_old");
  });

  it("Azure Government has its own issuer and keys, and neither cloud speaks for the other", () => {
    const keys = keysAt("https://login.botframework.azure.us/v1/.well-known/keys", ["msteams"]);
    const cloud = { cloud: "government" };
    const iss = "https://api.botframework.us";
    expect(check({ iss }, {}, keys, cloud)).toBe("verified");
    expect(check({}, {}, keys, cloud)).toBe("claim_mismatch");
    expect(check({ iss }, {})).toBe("claim_mismatch");
    expect(check({ iss }, {}, undefined, cloud)).toBe("needsKey");
  });
});

describe("travis ci", () => {
  const pem = publicKey.export({ type: "spki", format: "pem" }).toString();
  const config = { config: { notifications: { webhook: { public_key: pem } } } };
  const found = readSigningKeys("travis", response(config));
  const keys: KeyLookup = ({ url }) =>
    url === "https://api.travis-ci.com/config" ? (found ?? undefined) : undefined;
  const payloadOf = (owner: string) => JSON.stringify({ id: 1, repository: { owner_name: owner } });
  const check = (payload: string, signed = payload) =>
    outcomeOf(
      "travis-ci",
      { owner: "acme" },
      requestOf(
        { signature: sign("sha1", Buffer.from(signed), privateKey).toString("base64") },
        new URLSearchParams({ payload }).toString(),
      ),
      { keys, atMs },
    );

  it("a build of the owner is accepted, and another owner's isn't, though its signature is right", () => {
    expect(check(payloadOf("acme"))).toBe("verified");
    expect(check(payloadOf("evil"))).toBe("claim_mismatch");
    expect(check(payloadOf("acme"), payloadOf("evil"))).toBe("signature_mismatch");
    expect(check("[]")).toBe("claim_mismatch");
  });

  it("a response without the key is no key", () => {
    expect(readSigningKeys("travis", response({ config: {} }))).toBeNull();
    expect(readSigningKeys("travis", { ...response(config), status: 500 })).toBeNull();
  });
});

describe("a body that is a token", () => {
  const keys = keysAt("https://acme.kinde.com/.well-known/jwks");
  const token = signJwt("RS256", privateKey, { event_id: "event_1", type: "user.created" }, "k1");
  const accessToken = { iss: "https://acme.kinde.com", sub: "kp_1", aud: [], scp: ["openid"] };
  const check = (body: string, subdomain = "acme") =>
    outcomeOf("kinde", { subdomain }, requestOf({}, body), { keys, atMs });

  it("is accepted whole, from the keys of the hook's own business", () => {
    expect(check(token)).toBe("verified");
    expect(check(`${token} `)).toBe("signature_malformed");
    expect(check("{}")).toBe("signature_missing");
    expect(check(token, "evil")).toBe("needsKey");
    expect(check(token, "evil.example/#")).toBe("setting_missing");
  });

  const event = { event_id: "event_1", type: "user.created", source: "admin", data: {} };
  it.each([
    ["an access token", { ...accessToken }, "claim_missing"],
    [
      "an ID token",
      { sub: "kp_1", aud: ["app"], email: "eve@example.com", nonce: "n" },
      "claim_missing",
    ],
    ["a token of a machine", { azp: "app", gty: ["client_credentials"], scp: [] }, "claim_missing"],
    [
      "an access token with added claims of an event",
      { ...accessToken, ...event },
      "claim_mismatch",
    ],
    ["a token with an added audience", { ...event, aud: [] }, "claim_mismatch"],
    ["no type", { ...event, type: undefined }, "claim_missing"],
    ["an empty id", { ...event, event_id: " " }, "claim_mismatch"],
    ["a number as the id", { ...event, event_id: 7 }, "claim_mismatch"],
  ])("%s of the same business is no event", (_what, claims, reason) => {
    expect(check(signJwt("RS256", privateKey, event, "k1"))).toBe("verified");
    expect(check(signJwt("RS256", privateKey, claims, "k1"))).toBe(reason);
  });
});
