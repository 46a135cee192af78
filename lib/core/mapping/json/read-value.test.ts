import { expect, test } from "vitest";
import { evaluateFilter } from "#lib/core/mapping/filter/evaluate-filter.ts";
import { readPayload } from "#lib/core/mapping/payload/read-payload.ts";
import { renderString } from "#lib/core/mapping/template/render-template.ts";
import { contextOf } from "#lib/core/mapping/template/testing/test-context.ts";
import { maskBody } from "#lib/core/people/mask/mask-body.ts";
import { startMasking } from "#lib/core/people/mask/mask-state.ts";
import { identifyEvent } from "#lib/core/verify/dedupe/identify-event.ts";
import { actionFilterSchema } from "#lib/schema/act/action-filter.ts";
import { listSources } from "#lib/schema/field/list-sources.ts";
import { dedupeRuleSchema } from "#lib/schema/receive/event-rules.ts";
import { maskText } from "#lib/schema/receive/mask-text.ts";
import { maskedFieldList } from "#lib/schema/receive/masked-fields.ts";

const wanted = "the wanted value";

/** A path as all readers take it, and a body in which it leads to the wanted value. */
const paths: readonly [string, unknown][] = [
  ['payload["data[email]"]', { "data[email]": wanted, data: { email: "no" } }],
  ["payload['data[email]']", { "data[email]": wanted }],
  ['payload["items[]"][1]', { "items[]": ["no", wanted] }],
  ['payload["a.b"].c', { "a.b": { c: wanted }, a: { b: { c: "no" } } }],
  ["payload['x y'][\"it's\"]", { "x y": { "it's": wanted } }],
  [String.raw`payload["say \"hi\""]`, { 'say "hi"': wanted }],
  [String.raw`payload["back\\slash"]`, { "back\\slash": wanted }],
  ['payload["@id"]["#text"]', { "@id": { "#text": wanted } }],
  ['payload["filter[status][]"]', { "filter[status][]": wanted }],
  ["payload.list[-1].id", { list: [{ id: "no" }, { id: wanted }] }],
  ["payload.list.0.id", { list: [{ id: wanted }, { id: "no" }] }],
  ["payload.größe.名前", { größe: { 名前: wanted } }],
  ['payload["]"]["["]', { "]": { "[": wanted } }],
  ['payload["{{%}}"]', { "{{%}}": wanted }],
];

test.each(paths)("%s leads templates, filters, rules, and masks to one value", (path, body) => {
  const text = JSON.stringify(body);
  const context = contextOf(text);
  const filter = actionFilterSchema.parse({ all: [{ path, op: "equals", value: wanted }] });
  expect(evaluateFilter(filter, context, { nowMs: 0 })).toEqual({ matches: true });

  const request = { headers: {}, body: Buffer.from(text) };
  const rule = listSources(dedupeRuleSchema.parse({ from: "body", path }));
  const payload = readPayload(request.body, "application/json");
  expect(identifyEvent(rule, { ...request, payload }).eventId).toBe(wanted);

  const masks = startMasking(maskedFieldList.parse([path.replace("[-1]", "[1]")]));
  const masked = Buffer.from(maskBody(request.body, masks)).toString();
  expect(masked).toBe(text.replace(wanted, maskText));

  const rendered = renderString(`{{ ${path} }}`, { context, nowMs: 0 });
  expect(rendered).toEqual({ ok: true, value: wanted });
});

test.each([
  'headers["X-Shop"]',
  "headers.x-SHOP",
  "headers['x-shop']",
  'headers["X-SHOP"]',
  "headers.X-Shop",
])("%s ignores case", (path) => {
  const context = contextOf("{}", { "x-shop": ["eu"] });
  const filter = actionFilterSchema.parse({ all: [{ path, op: "equals", value: "eu" }] });
  expect(evaluateFilter(filter, context, { nowMs: 0 })).toEqual({ matches: true });
  for (const template of [`{{ ${path} }}`, `{{ ${path} | upcase | downcase }}`])
    expect(renderString(template, { context, nowMs: 0 })).toEqual({ ok: true, value: "eu" });
});

test("an identity stays the same however its path is written, and another path is another one", () => {
  const body = Buffer.from('{"data[email]":"a","list":[{"id":7}],"a.b":"x","a":{"b":"x"}}');
  const payload = readPayload(body, "application/json");
  const hashOf = (path: string) =>
    identifyEvent([{ from: "body", path }], { headers: {}, body, payload }).keyHash?.toString(
      "hex",
    );
  // What an older version stored, and the migration wrote with quotes.
  expect(hashOf('["data[email]"]')).toBe(hashOf("data[email]"));
  expect(hashOf("list[0].id")).toBe(hashOf("list.0.id"));
  expect(hashOf('["a.b"]')).not.toBe(hashOf("a.b"));
});

test("a rule's path begins with the field payload, if the body has one", () => {
  const read = (body: unknown) => {
    const bytes = Buffer.from(JSON.stringify(body));
    const payload = readPayload(bytes, "application/json");
    const rule = [{ from: "body", path: "payload.id" }] as const;
    return identifyEvent(rule, { headers: {}, body: bytes, payload }).eventId;
  };
  expect(read({ id: "outer", payload: { id: "inner" } })).toBe("inner");
  expect(read({ id: "outer" })).toBe("outer");
  expect(read({ id: "outer", payload: null })).toBeNull();
});
