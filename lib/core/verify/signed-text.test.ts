import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { MacScheme, Scheme } from "./scheme/scheme.ts";
import { signRequest } from "./sign.ts";
import { requestOf } from "./testing/test-request.ts";
import { prepareVerifier } from "./verify.ts";

const nowMs = 1_700_000_000_000;

describe("the signed text", () => {
  const custom = (template: string, rest: Partial<MacScheme["signed"]> = {}): MacScheme => ({
    kind: "mac",
    mac: "hmac",
    hash: "sha512",
    encoding: "base64url",
    signature: { sources: [{ from: "header", name: "x-sig" }], format: { type: "bare" } },
    signed: { template, ...rest },
    secret: { decode: "hex" },
  });
  const outcome = (scheme: Scheme, request: Parameters<ReturnType<typeof prepareVerifier>>[0]) =>
    prepareVerifier({ scheme, secrets: ["00ff"] })(request, nowMs).outcome;

  it("takes the URL and the method from the caller", () => {
    const scheme = custom("{method}\n{url}\n{body}");
    const url = "https://hooks.example/catch/a/b?x=1";
    const headers = signRequest(scheme, "00ff", {
      body: Buffer.from("hi"),
      timestampMs: 0,
      url,
      method: "PUT",
    });
    const request = requestOf({ ...headers, host: "evil.example" }, "hi", { url, method: "PUT" });
    expect(outcome(scheme, request)).toBe("verified");
    expect(outcome(scheme, { ...request, url: `${url}/` })).toBe("failed");
    expect(outcome(scheme, { ...request, method: "POST" })).toBe("failed");
  });

  it("has header values byte for byte, even beyond ASCII", () => {
    const scheme = custom("{v}.{body}", { values: { v: { from: "header", name: "x-v" } } });
    const raw = Buffer.from([0xe9, 0xff, 0x80]);
    const signed = Buffer.concat([raw, Buffer.from(".hi")]);
    const signature = createHmac("sha512", Buffer.from("00ff", "hex"))
      .update(signed)
      .digest("base64url");
    expect(
      outcome(scheme, requestOf({ "x-sig": signature, "x-v": raw.toString("latin1") }, "hi")),
    ).toBe("verified");
  });

  it("finds nothing that the body doesn't contain", () => {
    for (const path of ["constructor.name", "__proto__.x", "a.length", "toString"]) {
      const scheme = custom("{v}{body}", { values: { v: { from: "body", path } } });
      const verdict = prepareVerifier({ scheme, secrets: ["00ff"] })(
        requestOf({ "x-sig": Buffer.alloc(64).toString("base64url") }, '{"a":"text"}'),
        nowMs,
      );
      expect(verdict).toMatchObject({ reason: "value_missing", subject: `the body field ${path}` });
    }
  });

  it("needs the headers that the scheme requires, with their values", () => {
    const scheme = {
      ...custom("{body}"),
      requiredHeaders: [{ name: "x-version", value: "1" }, { name: "x-any" }],
    };
    const headers = {
      ...signRequest(scheme, "00ff", { body: Buffer.from(""), timestampMs: 0 }),
      "x-any": "y",
    };
    const reasonOf = (change: Record<string, string | string[]>) => {
      const verdict = prepareVerifier({ scheme, secrets: ["00ff"] })(
        requestOf({ ...headers, ...change }, ""),
        nowMs,
      );
      return verdict.outcome === "failed" ? verdict.reason : verdict.outcome;
    };
    expect(
      [{}, { "x-version": "2" }, { "x-version": [] }, { "x-any": ["y", "y"] }].map(reasonOf),
    ).toEqual(["verified", "header_unexpected", "header_missing", "header_repeated"]);
  });

  it("takes values from body, form, query and headers", () => {
    const sources = {
      body: {
        scheme: custom("{v}{body}", { values: { v: { from: "body", path: "a.0.v" } } }),
        body: '{"a":[{"v":"é"}]}',
      },
      form: {
        scheme: custom("{v}{body}", { values: { v: { from: "form", name: "v" } } }),
        body: "v=%C3%A9&w=1",
      },
      query: {
        scheme: custom("{v}{body}", { values: { v: { from: "query", name: "v" } } }),
        body: "",
      },
      header: {
        scheme: custom("{v}{body}", { values: { v: { from: "header", name: "x-v" } } }),
        body: "",
      },
    } as const;
    for (const { scheme, body } of Object.values(sources)) {
      const extra = { "x-v": "\u00c3\u00a9" };
      const input = {
        body: Buffer.from(body),
        timestampMs: 0,
        url: "https://h.example/?v=%C3%A9",
        headers: extra,
      };
      const request = requestOf({ ...signRequest(scheme, "00ff", input), ...extra }, body, {
        query: "v=%C3%A9",
      });
      expect(outcome(scheme, request)).toBe("verified");
      expect(
        outcome(scheme, {
          ...request,
          query: "v=1",
          body: Buffer.from("v=2"),
          headers: { ...request.headers, "x-v": [] },
        }),
      ).toBe("failed");
    }
  });
});
