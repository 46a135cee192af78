/** Cases that WeChat's published examples (`vectors.json`) don't show. */
import { hash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { requestOf } from "#lib/core/verify/testing/test-request.ts";
import { prepareVerifier } from "#lib/core/verify/verify.ts";
import { wechat } from "./wechat.ts";

const nowMs = 1_700_000_000_000;
const timestamp = "1700000000";
const secret = "BjAu1Zp9bXoQ2mCk7TtY4rWs8eLhNf3d";
const nonce = "415670741";
const encrypted = Buffer.alloc(96, 7).toString("base64");
const digest = (...parts: string[]) => hash("sha1", parts.toSorted().join(""));
const plain = { signature: digest(secret, timestamp, nonce), timestamp, nonce };
const secure = {
  ...plain,
  encrypt_type: "aes",
  msg_signature: digest(secret, timestamp, nonce, encrypted),
};
const xml = (text: string) =>
  `<xml><ToUserName>gh_97417a04a28d</ToUserName><Encrypt><![CDATA[${text}]]></Encrypt></xml>`;

function verify(query: Record<string, string> | string, { body = "<xml/>", key = secret } = {}) {
  const text = new URLSearchParams(query).toString();
  const verifier = prepareVerifier({ scheme: wechat.scheme, secrets: [key], tellsSigned: true });
  return verifier(requestOf({}, body, { query: text }), nowMs);
}

function outcome(...sent: Parameters<typeof verify>): string {
  const verdict = verify(...sent);
  return verdict.outcome === "failed" ? verdict.reason : verdict.outcome;
}

describe("plain text mode", () => {
  const signedAt = (time: number) => {
    const at = String(Number(timestamp) + time);
    return { timestamp: at, nonce, signature: digest(secret, at, nonce) };
  };

  it.each<[string, Record<string, string> | string, string]>([
    ["as it was sent", plain, "verified"],
    ["another nonce", { ...plain, nonce: "415670742" }, "signature_mismatch"],
    ["another time", { ...plain, timestamp: "1700000001" }, "signature_mismatch"],
    ["another signature", { ...plain, signature: "0".repeat(40) }, "signature_mismatch"],
    ["a short signature", { ...plain, signature: "0".repeat(39) }, "signature_malformed"],
    ["no signature", { timestamp, nonce }, "signature_missing"],
    ["no time", { signature: plain.signature, nonce }, "timestamp_missing"],
    ["no nonce", { signature: plain.signature, timestamp }, "value_missing"],
    ["two nonces", `${new URLSearchParams(plain)}&nonce=1`, "header_repeated"],
    ["a time that is none", { ...plain, timestamp: "1e9" }, "timestamp_malformed"],
    ["a long nonce", { ...plain, nonce: "1".repeat(33) }, "value_malformed"],
    ["five minutes ago", signedAt(-300), "verified"],
    ["longer ago", signedAt(-301), "timestamp_too_old"],
    ["in the future", signedAt(301), "timestamp_in_future"],
  ])("%s is %s", (_what, query, expected) => {
    expect(outcome(query)).toBe(expected);
  });

  it("another token is rejected", () => {
    expect(outcome(plain, { key: "another" })).toBe("signature_mismatch");
  });

  it("a captured request with another body counts as a replay", () => {
    const hashOf = (body: string) => {
      const verdict = verify(plain, { body });
      return verdict.outcome === "verified" ? verdict.hashSigned?.() : null;
    };
    expect(hashOf("<xml>1</xml>")).toBeInstanceOf(Buffer);
    expect(hashOf("<xml>1</xml>")).toEqual(hashOf("<xml>2</xml>"));
    expect(wechat.replay?.isOn).toBe(true);
  });
});

describe("security mode", () => {
  it.each<[string, Record<string, string>, string, string]>([
    ["XML as it was sent", secure, xml(encrypted), "verified"],
    ["JSON as it was sent", secure, JSON.stringify({ Encrypt: encrypted }), "verified"],
    [
      "other encrypted bytes",
      secure,
      xml(Buffer.alloc(96, 8).toString("base64")),
      "signature_mismatch",
    ],
    ["nothing encrypted", secure, "<xml><Content>a</Content></xml>", "value_missing"],
    ["two of them", secure, `<xml>${xml(encrypted).repeat(2)}</xml>`, "value_missing"],
    ["a body that is nothing", secure, "\u0000", "value_missing"],
    ["a body that is too large", secure, xml(encrypted) + " ".repeat(262_144), "value_missing"],
    [
      "only the other signature",
      { ...plain, encrypt_type: "aes" },
      xml(encrypted),
      "signature_missing",
    ],
    // The signature of a plain message, with the end of the nonce in the body.
    [
      "a part of the nonce as what is encrypted",
      { ...secure, nonce: "4156", msg_signature: plain.signature },
      xml("70741"),
      "value_malformed",
    ],
  ])("%s is %s", (_what, query, body, expected) => {
    expect(outcome(query, { body })).toBe(expected);
  });
});
