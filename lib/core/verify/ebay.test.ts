import { createPublicKey, generateKeyPairSync, sign } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { schemeOf } from "./testing/scheme-of.ts";
import { requestOf } from "./testing/test-request.ts";
import { prepareVerifier } from "./verify.ts";

const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const secret = createPublicKey(privateKey).export({ type: "spki", format: "pem" }).toString();
const verify = prepareVerifier({ scheme: schemeOf("ebay"), secrets: [secret] });

/**
 * The text that eBay's package recomputes from the received body: the parsed message, written
 * again.
 */
const message = {
  metadata: { topic: "MARKETPLACE_ACCOUNT_DELETION", schemaVersion: "1.0", deprecated: false },
  notification: {
    notificationId: "49feeaeb-4982-42d9-a377-9645b8479411_33f7e043",
    publishAttemptCount: 1,
    note: null,
    data: { username: 'a "b" \\ \u00e9 \ud83d\ude00', userId: "ma8vp1jySJC", price: 10 },
  },
};
const signedText = JSON.stringify(message);

function outcome(body: string | Uint8Array, signed = signedText) {
  const parts = {
    alg: "ecdsa",
    kid: "k",
    signature: sign("sha1", Buffer.from(signed), privateKey).toString("base64"),
    digest: "SHA1",
  };
  const header = Buffer.from(JSON.stringify(parts)).toString("base64");
  return verify(requestOf({ "x-ebay-signature": header }, body), 0).outcome;
}

const swap = (part: string, replacement: string) => {
  expect(signedText).toContain(part);
  return signedText.replace(part, () => replacement);
};

describe("a captured eBay message", () => {
  it.each([
    ["as signed", signedText],
    ["indented", JSON.stringify(message, null, 2)],
    ["with CRLF and tabs", JSON.stringify(message, null, "\t").replaceAll("\n", "\r\n")],
    ["with white space around it", ` \n${signedText}\r\n\t`],
  ])("is accepted %s", (_, body) => {
    expect(outcome(body)).toBe("verified");
    expect(JSON.parse(body)).toEqual(message);
  });

  it.each([
    ["a forged first metadata", swap('{"metadata"', '{"metadata":{"topic":"EVIL"},"metadata"')],
    ["a forged first value in an object", swap('"userId"', '"userId":"evil","userId"')],
    ["a key that JSON.parse drops", swap('"userId"', '"__proto__":1,"userId"')],
    ["1e999 for null", swap('"note":null', '"note":1e999')],
    ["-1e999 for null", swap('"note":null', '"note":-1e999')],
    ["1e1 for 10", swap('"price":10', '"price":1e1')],
    ["10.0 for 10", swap('"price":10', '"price":10.0')],
    ["10 with digits that are rounded away", swap('"price":10', '"price":10.00000000000000000001')],
    ["an escaped value", swap('"ma8vp1jySJC"', '"\\u006da8vp1jySJC"')],
    ["an escaped key", swap('"userId"', '"user\\u0049d"')],
    ["an escaped slash", swap('"1.0"', '"1\\u002e0"')],
    ["another case of letters outside of ASCII", swap("\u00e9", "\\u00E9")],
    ["white space in a string", swap('"ma8vp1jySJC"', '"ma8vp1jy SJC"')],
    ["white space after an escaped quote", swap('\\"b\\"', '\\" b\\"')],
    ["white space after an escaped backslash", swap("\\\\ ", "\\\\  ")],
    ["white space in a number", swap('"price":10', '"price":1 0')],
    ["white space in a word", swap("null", "nu ll")],
    ["a space that JSON doesn't know", swap('"note":null', '"note":\u00a0null')],
    ["a byte order mark", `\ufeff${signedText}`],
    ["something after its end", `${signedText}{}`],
  ])("is rejected with %s", (_, body) => {
    expect(outcome(body)).toBe("failed");
  });

  it("is rejected with bytes that decode to the same text", () => {
    const signed = signedText.replace("ma8vp1jySJC", "\ufffd");
    const [before, after] = signed.split("\ufffd");
    const body = Buffer.concat([
      Buffer.from(`${before}`),
      Buffer.of(0xff),
      Buffer.from(`${after} `),
    ]);
    expect(outcome(body, signed)).toBe("failed");
  });
});

it("property: a body is accepted exactly if it is what was signed, but for white space", () => {
  const gap = fc.constantFrom("", " ", "\n", "\t", "\r\n  ");
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), gap, gap, (value, indent, around) => {
      const signed = JSON.stringify(value);
      const body = around + JSON.stringify(value, null, indent) + around;
      expect(outcome(body, signed)).toBe("verified");
      const other = JSON.stringify({ ...value, added: 1 }, null, indent);
      expect(outcome(other, JSON.stringify({ ...value, added: 2 }))).toBe("failed");
    }),
    { numRuns: 100 },
  );
});
