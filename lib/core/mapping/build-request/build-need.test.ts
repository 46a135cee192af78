import { expect, test } from "vitest";
import { RenderBudget } from "#lib/core/mapping/template/render-budget.ts";
import { contextOf } from "#lib/core/mapping/template/testing/test-context.ts";
import { buildNeed } from "./build-need.ts";
import type { Need } from "./need.ts";

const context = contextOf('{"id":"e","status":201,"big":12345678901234567890123}');

function build(need: Need, from = context) {
  return buildNeed(need, { context: from, nowMs: 0, budget: new RenderBudget() });
}

test("a value is JSON text with all digits, or every error with its path", () => {
  expect(build({ kind: "value", value: { big: "{{ payload.big }}" }, at: "" })).toEqual({
    ok: true,
    made: '{"big":12345678901234567890123}',
  });
  const value = { a: "{{ payload.none }}", b: ["{{ payload.nil }}"] };
  expect(build({ kind: "value", value, at: "" })).toMatchObject({
    code: "mapping_failed",
    errors: [
      { at: "a", missingName: "payload.none" },
      { at: "b[0]", missingName: "payload.nil" },
    ],
  });
  expect(build({ kind: "value", value: "{{ payload.none }}", at: "until" })).toMatchObject({
    errors: [{ at: "until" }],
  });
});

test("a reply has its status, its headers, and a body encoded for its content type", () => {
  const headers = { "X-Id": "{{ id }}", "Content-Type": "application/json" };
  const parts = { status: "{{ payload.status }}", headers, body: '{"id":"{{ id }}"}' };
  const built = build({ kind: "reply", parts });
  expect(built).toMatchObject({
    ok: true,
    made: {
      status: "201",
      headers: Object.entries(headers).map(([name]) => [
        name,
        name === "X-Id" ? "e" : "application/json",
      ]),
    },
  });
  const plain = build({ kind: "reply", parts: { status: 200, headers: {}, body: "" } });
  expect(plain).toMatchObject({
    made: { status: "200", headers: [["Content-Type", "text/plain; charset=utf-8"]] },
  });
});

test("errors of a reply name its parts as the user knows them", () => {
  const bad = "{{ payload.none }}";
  const parts = { status: bad, headers: { "X-Id": bad }, body: bad };
  expect(build({ kind: "reply", parts })).toMatchObject({
    ok: false,
    errors: [{ at: "status" }, { at: "headers.X-Id" }, { at: "body" }],
  });
});

test("nothing is made of a delivery that hooks pass on endlessly", () => {
  const loop = Object.create(context, { hops: { value: 6 } });
  const reply = { status: 200, headers: {}, body: "" };
  for (const need of [
    { kind: "value", value: null, at: "" },
    { kind: "reply", parts: reply },
  ] as const)
    expect(build(need, loop)).toMatchObject({ ok: false, code: "loop" });
});
