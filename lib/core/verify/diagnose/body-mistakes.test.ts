/**
 * Changes that proxies and frameworks make to a body: the provider signs one text, another arrives.
 */
import { createHmac } from "node:crypto";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { sign as signGithub } from "@octokit/webhooks-methods";
import { describe, expect, it } from "vitest";
import { diagnoseDelivery } from "./testing/test-diagnosis-input.ts";

const secret = "It's a Secret to Everybody";
const hook = { provider: "github", secret };
const json = {
  id: 1,
  name: "Zoë ☃",
  url: "https://a/b?c=1&d=<2>",
  list: [1, { a: null }, []],
  empty: {},
  quote: 'say "hi" it\'s + fine',
};
const compact = JSON.stringify(json);

function signBytes(bytes: Uint8Array | string): Record<string, string> {
  return {
    "x-hub-signature-256": `sha256=${createHmac("sha256", secret).update(bytes).digest("hex")}`,
  };
}

/** `signed` is what the provider signed, `arrived` what we got. */
function diagnoseChange(signed: string | Uint8Array, arrived: string | Uint8Array) {
  const { verdict, findings } = diagnoseDelivery(hook, signBytes(signed), arrived);
  expect([verdict, findings.length, findings[0]?.confidence, findings[0]?.fix]).toEqual([
    "explained",
    1,
    "certain",
    null,
  ]);
  return [findings[0]?.code, findings[0]?.sentence ?? ""] as const;
}

it("the test signs as the provider's package does", async () => {
  expect({ "x-hub-signature-256": await signGithub(secret, compact) }).toEqual(signBytes(compact));
});

describe("line endings", () => {
  it.each([
    [
      "a line break at the end was cut off",
      `${compact}\n`,
      compact,
      "with a line break at the end",
    ],
    ["a line break was added", compact, `${compact}\n`, "without the white space at the end"],
    ["CRLF at the end was cut off", `${compact}\r\n`, compact, "with CRLF at the end"],
    ["LF became CRLF", "a: 1\nb: 2\nc", "a: 1\r\nb: 2\r\nc", "LF line breaks instead of CRLF"],
    ["CRLF became LF", "a: 1\r\nb: 2\r\nc", "a: 1\nb: 2\nc", "CRLF line breaks instead of LF"],
  ])("%s", (_, signed, arrived, words) => {
    const [code, sentence] = diagnoseChange(signed, arrived);
    expect(code).toBe("body_line_end");
    expect(sentence).toContain(words);
  });
});

describe("JSON that was parsed and written again", () => {
  const python =
    '{"id": 1, "name": "Zo\\u00eb \\u2603", "url": "https://a/b?c=1&d=<2>", "list": [1, ' +
    '{"a": null}, []], "empty": {}, "quote": "say \\"hi\\" it\'s + fine"}';
  const php =
    '{"id":1,"name":"Zo\\u00eb ' +
    '\\u2603","url":"https:\\/\\/a\\/b?c=1&d=<2>","list":[1,{"a":null},[]],"empty":{},"quote":"say ' +
    '\\"hi\\" it\'s + fine"}';
  const go =
    '{"id":1,"name":"Zoë ' +
    '☃","url":"https://a/b?c=1\\u0026d=\\u003c2\\u003e","list":[1,{"a":null},[]],"empty":{},"quote":"say ' +
    '\\"hi\\" it\'s + fine"}';
  const dotnet =
    '{"id":1,"name":"Zo\\u00EB ' +
    '\\u2603","url":"https://a/b?c=1\\u0026d=\\u003C2\\u003E","list":[1,{"a":null},[]],"empty":{},"quote":"say ' +
    '\\u0022hi\\u0022 it\\u0027s \\u002B fine"}';
  const sorted =
    '{"empty":{},"id":1,"list":[1,{"a":null},[]],"name":"Zoë ' +
    `☃","quote":${JSON.stringify(json.quote)},"url":"https://a/b?c=1&d=<2>"}`;

  it.each([
    ["indented by two", JSON.stringify(json, null, 2), "indented by two spaces"],
    ["indented by four", JSON.stringify(json, null, 4), "indented by four spaces"],
    ["indented by tabs", JSON.stringify(json, null, "\t"), "indented by tabs"],
    ["by Python", python, "(Python)"],
    ["by PHP", php, "(PHP)"],
    ["by Go or Rails", go, "(Go, Rails)"],
    ["by .NET", dotnet, "with the escapes of .NET"],
    ["with sorted keys", sorted, "with sorted keys"],
    [
      "indented, and with a line break at the end",
      `${JSON.stringify(json, null, 2)}\n`,
      "and a line break at the end",
    ],
  ])("the provider wrote it %s, and compact JSON arrived", (_, signed, words) => {
    expect(JSON.parse(signed)).toEqual(json);
    const [code, sentence] = diagnoseChange(signed, compact);
    expect(code).toBe("body_rewritten");
    expect(sentence).toContain(words);
  });

  it("compact JSON that arrives indented", () => {
    expect(diagnoseChange(compact, JSON.stringify(json, null, 2))[1]).toContain(
      "without white space",
    );
  });

  it("unescaped characters: Meta signs \\uXXXX", () => {
    const body = '{"text":"Zoë"}';
    const escaped = '{"text":"Zo\\u00eb"}';
    const headers = {
      "x-hub-signature-256": `sha256=${createHmac("sha256", "app").update(escaped).digest("hex")}`,
    };
    const { findings } = diagnoseDelivery({ provider: "meta", secret: "app" }, headers, body);
    expect(findings[0]?.sentence).toContain("\\uXXXX");
  });

  it("numbers keep their digits, repeated keys and order stay: only white space differs", () => {
    const odd =
      '{"n":12345678901234567890,"e":1e400,"z":-0,"p":1.10,"a":1,"a":2,"__proto__":{"x":1}}';
    const spaced = odd.replaceAll(",", ", ").replaceAll(":", ": ");
    expect(diagnoseChange(spaced, odd)[0]).toBe("body_rewritten");
  });
});

describe("character sets and envelopes", () => {
  it.each([
    ["a byte-order mark was added", compact, `\ufeff${compact}`, "without the byte-order mark"],
    ["a byte-order mark was cut off", `\ufeff${compact}`, compact, "with a byte-order mark"],
    [
      "UTF-8 became Latin-1",
      "Zoë",
      Buffer.from("Zoë", "latin1"),
      "in UTF-8, but it arrived in Latin-1",
    ],
    [
      "Latin-1 became UTF-8",
      Buffer.from("Zoë", "latin1"),
      "Zoë",
      "in Latin-1, but it arrived in UTF-8",
    ],
    ["accents were taken apart", "Zo\u00eb", "Zoe\u0308", "NFC"],
    ["accents were put together", "Zoe\u0308", "Zo\u00eb", "NFD"],
  ])("%s", (_, signed, arrived, words) => {
    const [code, sentence] = diagnoseChange(signed, arrived);
    expect(code).toBe("body_charset");
    expect(sentence).toContain(words);
  });

  it.each([
    ["a queue", compact, JSON.stringify({ MessageId: "1", Message: compact }), '"Message"'],
    [
      "a function, as base64",
      compact,
      JSON.stringify({ body: Buffer.from(compact).toString("base64"), isBase64Encoded: true }),
      '"body"',
    ],
    ["a second serialization", compact, JSON.stringify(compact), "serialized twice"],
  ])("put into an envelope by %s", (_, signed, arrived, words) => {
    const [code, sentence] = diagnoseChange(signed, arrived);
    expect(code).toBe("body_wrapped");
    expect(sentence).toContain(words);
  });

  it("compressed on the way, and decompressed on the way", () => {
    expect(diagnoseChange(compact, gzipSync(compact))[1]).toContain("the decompressed body");
    expect(diagnoseChange(compact, brotliCompressSync(compact))[1]).toContain(
      "the decompressed body",
    );
    expect(diagnoseChange(gzipSync(compact), compact)[1]).toContain(
      "it was decompressed on the way",
    );
  });

  it("a bomb isn't decompressed", () => {
    const fast = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };
    const bomb = brotliCompressSync(Buffer.alloc(32 * 1024 * 1024), fast);
    expect(diagnoseDelivery(hook, signBytes("x"), bomb).verdict).toBe("unexplained");
  });

  it("a form's field was signed instead of the form, and a form was encoded again", () => {
    const form = new URLSearchParams({ payload: compact }).toString();
    expect(diagnoseChange(compact, form)[1]).toContain("form field payload");
    expect(diagnoseChange("a=1%202&b=3", "a=1+2&b=3")[0]).toBe("body_form");
    expect(diagnoseChange("a=1+2&b=3", "a=1%202&b=3")[0]).toBe("body_form");
  });

  it("the provider signed an empty body", () => {
    expect(diagnoseChange("", compact)[0]).toBe("body_missing");
  });
});

describe("two problems", () => {
  it("a rewritten body and a secret with a line break", () => {
    const headers = signBytes(JSON.stringify(json, null, 2));
    const { findings } = diagnoseDelivery(
      { provider: "github", secret: `${secret}\n` },
      headers,
      compact,
    );
    expect(findings.map(({ code }) => code)).toEqual(["secret_text", "body_rewritten"]);
  });

  it("a body that lost its last line break, and another hash", () => {
    const headers = {
      "x-hub-signature-256": `sha256=${createHmac("sha1", secret).update(`${compact}\n`).digest("hex")}`,
    };
    const { findings } = diagnoseDelivery(hook, headers, compact);
    expect(findings.map(({ code }) => code)).toEqual(["other_hash", "body_line_end"]);
  });
});

describe("a body's own digest", () => {
  const md5 = (text: string) => process.getBuiltinModule("node:crypto").hash("md5", text, "base64");
  const bad = { "x-hub-signature-256": `sha256=${"0".repeat(64)}` };

  it("a digest that doesn't match proves a change", () => {
    const { findings } = diagnoseDelivery(
      hook,
      { ...bad, "Content-MD5": md5(compact) },
      '{"id":2}',
    );
    expect(findings[0]).toMatchObject({ code: "body_changed", confidence: "likely" });
  });

  it("a digest that matches rules out the body", () => {
    const { findings } = diagnoseDelivery(hook, { ...bad, "Content-MD5": md5(compact) }, compact);
    expect(findings.find(({ code }) => code === "body_changed")?.sentence).toContain(
      "The body is unchanged",
    );
  });

  it("Content-Encoding without compression: a proxy decompressed it", () => {
    const { findings } = diagnoseDelivery(hook, { ...bad, "content-encoding": "gzip" }, compact);
    expect(findings[0]).toMatchObject({ code: "body_compression", confidence: "likely" });
  });
});
