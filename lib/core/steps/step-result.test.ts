import { expect, test } from "vitest";
import { renderString } from "#lib/core/mapping/template/render-template.ts";
import { readValue } from "#lib/core/mapping/template/render-value.ts";
import { addStepNames } from "#lib/core/mapping/template/step-context.ts";
import { contextOf } from "#lib/core/mapping/template/testing/test-context.ts";
import { toCallResult } from "./step-result.ts";

const response = { status: 200, headers: [], body: Buffer.from('{"id":7}'), truncated: false };

/** The value that a template of a later step gets. */
function read(template: string, usedChars: number, body: Uint8Array = response.body): unknown {
  const steps = { find: readValue(toCallResult({ ...response, body }, null, [], usedChars)) };
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

test("a binary body is missing, and never sent as text that it isn't", () => {
  const png = Buffer.from("89504e470d0a1a0a00", "hex");
  expect(read("{{ steps.find.status }}", 0, png)).toBe(200);
  expect(read("{{ steps.find.body }}", 0, png)).toEqual([
    "steps.find.body is not there: steps.find got a binary body, which isn't text",
  ]);
  const latin1 = Buffer.from("der Käufer fehlt", "latin1");
  expect(read("{{ steps.find.body }}", 0, latin1)).toBe("der K\ufffdufer fehlt");
});
