import { describe, expect, it } from "vitest";
import { parseExactJson } from "#lib/core/mapping/json/parse-exact-json.ts";
import type { VersionAuths } from "#lib/schema/act/version.ts";
import type { JsonObject } from "#lib/schema/field/json-value.ts";
import { diffVersions, type VersionContent } from "./diff-versions.ts";
import { summarizeChanges } from "./summarize-changes.ts";

const request = { method: "POST", url: "https://a.example", headers: {}, query: {}, body: null };
const call = { key: "call", kind: "call", request, when: null, forEach: null, timeoutMs: null };
const plain = { ...call, retry: null, onUnknown: null, onFailure: "stop" };
const code = { key: "sum", kind: "transform", code: "a", onFailure: "stop" };

function version(content: object, auths: VersionAuths | null = {}): VersionContent {
  const parsed = parseExactJson(JSON.stringify({ request: null, steps: null, ...content }));
  if (!parsed.ok) throw new Error(parsed.message);
  return { content: parsed.value as JsonObject, auths };
}

const rows: readonly [words: string, before: VersionContent, after: VersionContent][] = [
  [
    "Changed the URL.",
    version({ request }),
    version({ request: { ...request, url: "https://b.example" } }),
  ],
  [
    "Added header X-Team and query parameter a.",
    version({ request }),
    version({ request: { ...request, headers: { "X-Team": "b" }, query: { a: "1" } } }),
  ],
  [
    "Changed the body.",
    version({ request: { ...request, body: { a: [1, { b: 2 }], c: 3 } } }),
    version({ request: { ...request, body: { a: [1, { b: 4 }], d: 3 } } }),
  ],
  [
    "Added the filter. Removed the rate limit.",
    version({ request, filter: null, rateLimit: { count: 1, perSeconds: 1 } }),
    version({ request, filter: { all: [] }, rateLimit: null }),
  ],
  [
    "Changed the retries.",
    version({ request, retry: { a: 1 } }),
    version({ request, retry: { a: 2 } }),
  ],
  ["Added step sum.", version({ request }), version({ request: null, steps: [code, plain] })],
  [
    "Changed the code of step sum.",
    version({ steps: [code, plain] }),
    version({ steps: [{ ...code, code: "b" }, plain] }),
  ],
  [
    "Changed the order of the steps.",
    version({ steps: [code, plain] }),
    version({ steps: [plain, code] }),
  ],
  [
    "Changed the URL of step call.",
    version({ steps: [{ ...code, onFailure: { steps: [plain] } }] }),
    version({
      steps: [
        {
          ...code,
          onFailure: { steps: [{ ...plain, request: { ...request, url: "https://b.example" } }] },
        },
      ],
    }),
  ],
  [
    "Added the credentials.",
    version({ request }),
    version({ request }, { call: { type: "bearer" } }),
  ],
  [
    "Changed the credentials.",
    version({ request }, { call: { type: "bearer" } }),
    version({ request }, { call: { type: "bearer", changed: true } }),
  ],
  [
    "Changed the credentials of step call.",
    version({ steps: [{ ...code, onFailure: { steps: [plain] } }] }, { call: { type: "basic" } }),
    version(
      { steps: [{ ...code, onFailure: { steps: [plain] } }] },
      { call: { type: "basic", changed: true } },
    ),
  ],
  [
    "Changed the method, the URL, the filter, and the retries. 2 more changes.",
    version({ request, filter: { a: 1 }, retry: { a: 1 }, timeoutMs: 1, maxConcurrency: 1 }),
    version({
      request: { ...request, method: "PUT", url: "https://b.example" },
      ...{ filter: { a: 2 }, retry: { a: 2 }, timeoutMs: 2, maxConcurrency: 2 },
    }),
  ],
];

describe("what a version changed", () => {
  it.each(rows)("%s", (words, before, after) => {
    expect(summarizeChanges(diffVersions(before, after))).toBe(words);
  });

  it("numbers differ by their digits", () => {
    const one = { content: { request: null, steps: null, n: read("1.10") }, auths: null };
    const other = { content: { request: null, steps: null, n: read("1.1") }, auths: null };
    expect(diffVersions(one, one)).toEqual([]);
    expect(diffVersions(one, other)).toHaveLength(1);
  });

  it("a field that is newer than a version is no change, and a null in a body is", () => {
    const before = version({ request: { ...request, body: {} } });
    const after = version({ request: { ...request, body: { a: null } }, breaker: null });
    expect(diffVersions(before, after).map(({ path }) => path.join("."))).toEqual([
      "request.body.a",
    ]);
  });

  it("credentials that aren't known are no change", () => {
    const known = version({ request }, { call: { type: "bearer" } });
    expect(diffVersions(version({ request }, null), known)).toEqual([]);
  });

  it("other credentials of a call that changed its kind are one change", () => {
    const before = version({ request }, { call: { type: "bearer" } });
    const after = version({ request }, { call: { type: "header", name: "X-Key", changed: true } });
    expect(diffVersions(before, after).map(({ path }) => path.join("."))).toEqual([
      "request.auth.type",
      "request.auth.name",
    ]);
  });
});

function read(text: string) {
  const parsed = parseExactJson(text);
  if (!parsed.ok) throw new Error(parsed.message);
  return parsed.value;
}
