import { expect, test } from "vitest";
import { renderString } from "#lib/core/mapping/template/render-template.ts";
import { readValue } from "#lib/core/mapping/template/render-value.ts";
import { addStepNames } from "#lib/core/mapping/template/step-context.ts";
import { contextOf } from "#lib/core/mapping/template/testing/test-context.ts";
import { toCallResult } from "./step-result.ts";

const response = { status: 200, headers: [], body: Buffer.from('{"id":7}'), truncated: false };

/** The value that a template of a later step gets. */
function read(template: string, usedChars: number): unknown {
  const steps = { find: readValue(toCallResult(response, null, [], usedChars)) };
  const context = addStepNames(contextOf("{}"), { steps });
  const rendered = renderString(template, { context, nowMs: 0 });
  return rendered.ok ? rendered.value : rendered.messages;
}

test("a later step reads the body of a response", () => {
  expect(read("{{ steps.find.body }}", 0)).toEqual({ id: 7 });
});

test("a body that a run has no room for is missing, and never sent as null", () => {
  expect(read("{{ steps.find.status }}", 512 * 1024)).toBe(200);
  expect(read("{{ steps.find.body }}", 512 * 1024)).toEqual([
    "steps.find.body is not in the outcome of this step",
  ]);
});
