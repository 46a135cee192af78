import { expect, test } from "vitest";
import {
  asIs,
  type Codecs,
  group,
  numberOr,
  optionalGroup,
  optionalNumber,
  optionalText,
  plainText,
  readDraft,
  seconds,
  textIfAny,
  toDraft,
} from "./codec.ts";
import { findField } from "./field-of.ts";

test.each([
  ["plain text is trimmed", plainText, " a ", "a"],
  ["empty text is null", optionalText, "  ", null],
  ["empty text isn't sent", textIfAny, "  ", undefined],
  ["an empty number is null", optionalNumber, " ", null],
  ["a number", optionalNumber, " 12 ", 12],
  ["text that isn't a number stays for the schema", optionalNumber, "many", "many"],
  ["nor are other notations numbers", optionalNumber, "0x10", "0x10"],
  ["an empty number is the usual one", numberOr(60), "", 60],
  ["seconds are milliseconds", seconds, "0.25", 250],
  ["with a comma too", seconds, "1,5", 1_500],
  ["and stay text if they are none", seconds, "soon", "soon"],
] as const)("%s", (_what, codec, text, value) => {
  expect(codec.read(text)).toBe(value);
});

const fields = {
  name: plainText,
  on: asIs<boolean>(),
  rateLimit: optionalGroup({ count: optionalNumber, perSeconds: numberOr(1) }),
  silence: group({ enabled: asIs<boolean>(), timeoutMs: seconds }),
} satisfies Codecs;

const values = {
  name: "CRM",
  on: true,
  rateLimit: { count: 5, perSeconds: 60 },
  silence: { enabled: false, timeoutMs: 1_500 },
};

test("what was read is typed, and what was typed is read again", () => {
  expect(readDraft(fields, toDraft(fields, values))).toEqual({ ok: true, input: values });
});

test("a group without its first field is null, and its other fields keep their defaults", () => {
  const draft = toDraft(fields, { ...values, rateLimit: null });
  expect(draft.rateLimit).toEqual({ count: "", perSeconds: "" });
  expect(readDraft(fields, draft)).toMatchObject({ input: { rateLimit: null } });
  const rateLimit = { count: "9", perSeconds: "" };
  expect(readDraft(fields, { ...draft, rateLimit })).toMatchObject({
    input: { rateLimit: { count: 9, perSeconds: 1 } },
  });
});

test("text that can't be read is an error, and nothing is sent", () => {
  const error = { path: "filter.0", code: "invalid_json", message: "isn't JSON" } as const;
  const broken = { text: (value: string) => value, read: () => null, errors: () => [error] };
  expect(readDraft({ ...fields, broken }, { ...toDraft(fields, values), broken: "{" })).toEqual({
    ok: false,
    errors: [error],
  });
});

test("a field has its value, its change, and the first error at its path", () => {
  const changes: unknown[] = [];
  const at = (path: string) => ({ path, code: "invalid_value" as const, message: `wrong ${path}` });
  const of = findField({
    fields,
    draft: toDraft(fields, values),
    change: (part) => changes.push(part),
    errors: [at("names"), at("silence.timeoutMs"), at("rateLimit")],
  });
  expect(of("name")).toMatchObject({ name: "name", value: "CRM", error: undefined });
  expect(of("silence").error).toBe("timeoutMs: wrong silence.timeoutMs");
  const timeout = of("silence", "timeoutMs");
  expect(timeout).toMatchObject({ name: "silence.timeoutMs", value: "1.5" });
  expect(timeout.error).toBe("wrong silence.timeoutMs");
  timeout.onChange("2");
  expect(changes).toEqual([{ silence: { enabled: false, timeoutMs: "2" } }]);
  expect(of("rateLimit", "count").error).toBe("wrong rateLimit");
  expect(of("rateLimit", "perSeconds").error).toBeUndefined();
});
