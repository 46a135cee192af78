import { expect, test } from "vitest";
import type { ShownField } from "#lib/schema/shown-call.ts";
import { pageOfNoun } from "#lib/web/api/describe-calls.ts";
import { nouns } from "#lib/web/api/routes.ts";
import { readCalls } from "./read-calls.ts";

const origin = "https://hooks.example.com";
const pages = await Promise.all(
  nouns.map(async ({ name }) => await readCalls(pageOfNoun(name), origin)),
);
const calls = pages.flat();
const find = (id: string) => calls.find((call) => call.id === id);
const codeOf = (id: string, language: string) =>
  find(id)?.samples.find((sample) => sample.language === language)?.code;

test("every call of the table is on the page of its noun, with samples, a response, and errors", () => {
  expect(pages.map((of) => of.map(({ id }) => id).toSorted())).toEqual(
    nouns.map(({ routes }) => routes.map(({ operationId }) => operationId).toSorted()),
  );
  for (const { id, samples, status, response, errors, scope } of calls) {
    expect([id, samples.length, scope.includes(":")]).toEqual([id, 5, true]);
    expect([id, status === 204 ? response === null : response !== null]).toEqual([id, true]);
    expect(errors.map(({ code }) => code)).toContain("unauthenticated");
    expect(samples.map(({ code }) => code).join()).not.toMatch(/undefined|\{\w+\}\//);
  }
});

test("samples in JavaScript can be parsed", () => {
  const run = Object.getPrototypeOf(async () => undefined).constructor;
  for (const { id, samples } of calls)
    for (const { language, code } of samples)
      if (language === "node" || language === "client")
        expect(
          () => run(code.replace(/^import .*$/m, "const createClient = {};")),
          id,
        ).not.toThrow();
});

test("a sample makes the call in its language", () => {
  expect(codeOf("updateHook", "curl")).toBe(
    'curl -s "https://hooks.example.com/api/v1/hooks/01a2063c-9f10-7a31-9c52-6d1f0b7a4e01" \\\n' +
      '  -X PATCH \\\n  -H "Authorization: Bearer $CATCHMENT_TOKEN" \\\n' +
      '  -H "Content-Type: application/json" \\\n  -d \'{\n  "name": "Checkout EU"\n}\'',
  );
  expect(codeOf("updateHook", "client")).toContain(
    'catchment.updateHook({\n  id: "01a2063c-9f10-7a31-9c52-6d1f0b7a4e01",\n  name: "Checkout EU"\n})',
  );
  expect(codeOf("listHooks", "client")).toContain(
    "for await (const item of catchment.listHooks())",
  );
  expect(codeOf("countDuplicates", "python")).toContain(
    'json={\n        "acceptStored": True,\n    },',
  );
  expect(codeOf("deleteHook", "python")).toContain("requests.delete(");
  expect(codeOf("createHook", "go")).toContain('strings.NewReader(`{\n  "name": "Checkout",');
});

test("a field has its type, and the text of the page's table", () => {
  const body = find("createHook")?.given.find(({ title }) => title === "Body")?.fields ?? [];
  expect(body.find(({ name }) => name === "ratePerSecond")).toMatchObject({
    type: "integer, 1 to 100,000 or null",
    isRequired: false,
    html: expect.stringContaining('<a href="/docs/catching#rate-limits">rate limit</a>'),
  });
  const action = find("createAction")?.given.find(({ title }) => title === "Body")?.fields ?? [];
  const retry = action.find(({ name }) => name === "retry")?.fields;
  expect(retry?.find(({ name }) => name === "maxAttempts")).toMatchObject({
    type: "integer, 1 to 20",
    preset: "10",
    html: expect.stringContaining("including the first"),
  });
});

test("what can't be undone asks before it is tried, and what never ends can't be tried", () => {
  expect(find("deleteHook")?.trial?.isDestructive).toBe(true);
  expect(find("rotateHookSecret")?.trial?.isDestructive).toBe(true);
  expect(find("createHook")?.trial?.isDestructive).toBe(false);
  expect(find("streamDeliveries")?.trial).toBeNull();
});

test("every parameter and every field of a request has a text", () => {
  const list = (path: string, fields: readonly ShownField[]): readonly string[] =>
    fields.flatMap(({ name, html, fields: inner }) => [
      ...(isText(html) ? [] : [`${path} ${name}: ${html}`]),
      ...list(`${path} ${name}:`, inner),
    ]);
  const missing = calls.flatMap(({ id, given }) =>
    given.flatMap(({ title, fields }) => list(`${id} ${title}`, fields)),
  );
  expect(missing).toEqual([]);
});

/** Not only what stands beside the type. */
function isText(html: string): boolean {
  return !/^(?:exactly|required|default \S+|)$/.test(html.replace(/<[^>]+>/g, ""));
}
