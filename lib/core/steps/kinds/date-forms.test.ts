import { describe, expect, test } from "vitest";
import { evaluateFilter } from "#lib/core/mapping/filter/evaluate-filter.ts";
import { FilterFault } from "#lib/core/mapping/filter/filter-fault.ts";
import { parseExactJson } from "#lib/core/mapping/json/parse-exact-json.ts";
import { renderString } from "#lib/core/mapping/template/render-template.ts";
import { contextOf } from "#lib/core/mapping/template/testing/test-context.ts";
import { actionFilterSchema } from "#lib/schema/act/action-filter.ts";
import { readDelay } from "./delay.ts";

const nowMs = Date.UTC(2026, 10, 21, 9);
const at = "2026-11-21T10:00:00Z";

/** JSON values that are 10:00 on 21 November 2026 in UTC. */
const tenOClock = [
  '"2026-11-21T10:00:00Z"',
  '"2026-11-21t10:00:00z"',
  '"2026-11-21T10:00:00+00:00"',
  '"2026-11-21T10:00:00+0000"',
  '"2026-11-21 10:00:00+00"',
  '"2026-11-21 10:00:00"',
  '"2026-11-21T11:00:00,000+01:00"',
  '"2026-11-21T11:00:00+01:00[Europe/Berlin]"',
  '"2026-11-21T11:00:00[Europe/Berlin]"',
  '"2026-11-21 10:00:00 UTC"',
  '"2026-11-21 05:00:00 EST"',
  '"20261121T100000Z"',
  '"20261121100000"',
  '"2026-W47-6T10:00:00Z"',
  '"2026-325T10:00:00Z"',
  '"Sat, 21 Nov 2026 10:00:00 +0000"',
  '"Sat, 21 Nov 2026 02:00:00 PST"',
  '"Saturday, 21-Nov-26 10:00:00 GMT"',
  '"Sat Nov 21 10:00:00 2026"',
  '"Sat Nov 21 2026 11:00:00 GMT+0100 (Central European Standard Time)"',
  '"02:00:00 Nov 21, 2026 PST"',
  '"/Date(1795255200000)/"',
  '"/Date(1795255200000+0100)/"',
  "1795255200",
  '"1795255200"',
  "1795255200000",
  '"1795255200000"',
  "1795255200000000",
  '"1795255200000000"',
  "1795255200000000000",
  '"1795255200000000000"',
];

const refused = [
  '"11/21/2026"',
  '"21.11.2026"',
  '"2026-02-30"',
  '"2026-11-21 10:00:00 CET"',
  '"2026-11-21T10:00:60Z"',
  '"2026-11-21T10:00:00 01:00"',
  '"Fri, 21 Nov 2026 10:00:00 GMT"',
  '"639010764000000000"',
  "46347.41",
  '"2026"',
  '"soon"',
  '""',
  "true",
  '["2026-11-21"]',
];

const contextWith = (json: string) => contextOf(`{"data":{"at":${json}}}`);

function inTemplate(json: string): unknown {
  const source = '{{ data.at | date: "%Y-%m-%dT%H:%M:%SZ" }}';
  const rendered = renderString(source, { context: contextWith(json), nowMs });
  return rendered.ok ? rendered.value : rendered.messages;
}

/** True only if the filter takes the value for this very second. */
function inFilter(json: string): boolean {
  const filter = actionFilterSchema.parse({
    all: [
      { path: "data.at", op: "after", value: "2026-11-21T09:59:59Z" },
      { path: "data.at", op: "before", value: "2026-11-21T10:00:01Z" },
    ],
  });
  return evaluateFilter(filter, contextWith(json), { nowMs }).matches;
}

function inDelay(json: string) {
  const parsed = parseExactJson(json);
  return readDelay({ kind: "delay", ms: undefined, until: parsed.ok ? parsed.value : null }, nowMs);
}

describe("templates, filters, and delays agree", () => {
  test.each(tenOClock)("%s is the same time in all three", (json) => {
    expect(inTemplate(json)).toBe(at);
    expect(inFilter(json)).toBe(true);
    expect(inDelay(json)).toEqual({ ok: true, delayMs: 3_600_000 });
  });

  test.each(refused)("%s fails in all three, with the value and the way out", (json) => {
    const value = json.startsWith("[") ? "a list" : json;
    const message = expect.stringMatching(/, w(hich|hose) .+: .+/);
    expect(inTemplate(json)).toEqual([message]);
    expect(JSON.stringify(inTemplate(json))).toContain(JSON.stringify(value).slice(1, -1));
    expect(() => inFilter(json)).toThrow(FilterFault);
    expect(() => inFilter(json)).toThrow(`data.at is ${value}, wh`);
    expect(inDelay(json)).toMatchObject({
      ok: false,
      code: "time_invalid",
      message: expect.stringContaining(`can't read ${value}, wh`),
    });
  });

  test.each(["before", "after"])(
    "a condition with a date that has two meanings can't be saved: %s",
    (op) => {
      const condition = { path: "data.at", op, value: "11/21/2026" };
      const [issue] = actionFilterSchema.safeParse({ all: [condition] }).error?.issues ?? [];
      expect(issue?.message).toContain("day and month can't be told apart");
    },
  );

  test("a condition before it leaves values out that aren't dates", () => {
    const isText = { path: "data.at", op: "matches", value: "^\\d" };
    const isPast = { path: "data.at", op: "before", value: "now" };
    const filter = actionFilterSchema.parse({ all: [isText, isPast] });
    const verdict = evaluateFilter(filter, contextWith('"soon"'), { nowMs });
    expect(verdict).toMatchObject({ matches: false });
  });

  test("a missing date and null match neither before nor after", () => {
    for (const op of ["before", "after"]) {
      const filter = actionFilterSchema.parse({ all: [{ path: "data.at", op, value: "now" }] });
      for (const context of [contextWith("null"), contextOf('{"data":{}}')])
        expect(evaluateFilter(filter, context, { nowMs }).matches).toBe(false);
    }
  });
});
