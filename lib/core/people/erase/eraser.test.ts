import { expect, it } from "vitest";
import { createEraser } from "./eraser.ts";

const value = "jo.doe@example.com";
const { eraseText, eraseBytes } = createEraser([value, "4711", "cus_Ab12"]);
const base64 = (text: string, encoding: "base64" | "base64url" = "base64") =>
  Buffer.from(text).toString(encoding);

it.each([
  [`{"email":"${value}","n":1.10}`, '{"email":"[erased]","n":1.10}'],
  ['{"email":"JO.Doe@Example.COM"}', '{"email":"[erased]"}'],
  [String.raw`{"email":"jo.doe\u0040example.com"}`, '{"email":"[erased]"}'],
  [
    String.raw`{"inner":"{\"email\":\"jo.doe\\u0040example.com\"}"}`,
    String.raw`{"inner":"{\"email\":\"[erased]\"}"}`,
  ],
  ["a=1&email=jo.doe%40example.com&b=2", "a=1&email=[erased]&b=2"],
  [
    "link=https%3A%2F%2Fa.example%2F%3Fe%3Djo.doe%2540example.com",
    "link=https%3A%2F%2Fa.example%2F%3Fe%3D[erased]",
  ],
  ["<e>jo.doe&#64;example.com</e><e>jo.doe&#x40;example.com</e>", "<e>[erased]</e><e>[erased]</e>"],
  [String.raw`{"text":"Hello\njo.doe@example.com."}`, String.raw`{"text":"Hello\n[erased]."}`],
  ['{"id":4711,"other":14711,"more":47110}', '{"id":0,"other":14711,"more":47110}'],
  ['{"customer":"CUS_AB12"}', '{"customer":"[erased]"}'],
  [`Basic ${base64(`${value}:secret`)}`, `Basic ${base64("[erased]:secret")}`],
  [
    `{"blob":"${base64(`{"pad":"é","email":"${value}"}`)}"}`,
    `{"blob":"${base64('{"pad":"é","email":"[erased]"}')}"}`,
  ],
  [
    `t=a.${base64(`{"sub":"${value}"}`, "base64url")}.sig`,
    `t=a.${base64('{"sub":"[erased]"}', "base64url")}.sig`,
  ],
  [
    `{"b":"${base64(`???>>>${value}???`).replaceAll("/", "\\/")}"}`,
    `{"b":"${base64("???>>>[erased]???").replaceAll("/", "\\/")}"}`,
  ],
  [
    `b=${encodeURIComponent(base64(`>>>>${value}`))}`,
    `b=${encodeURIComponent(base64(">>>>[erased]"))}`,
  ],
])("erases the value from %s", (text, expected) => {
  expect(eraseText(text)).toBe(expected);
});

it.each([
  '{"email":"mary.jo.doe@example.com"}',
  '{"email":"banjo.doe@example.com"}',
  '{"email":"jo.doe@example.com.au"}',
  '{"email":"jo.doe@example.community"}',
  '{"id":"cus_Ab123"}',
  '{"blob":"YWJjZGVmZ2hpamtsbW5vcA=="}',
  "",
])("leaves other values alone: %s", (text) => {
  expect(eraseText(text)).toBeNull();
});

it("leaves every other byte as it is", () => {
  const around = Buffer.from([0, 255, 128, 34, 10]);
  const erased = eraseBytes(Buffer.concat([around, Buffer.from(value), around]));
  expect(erased).toEqual(Buffer.concat([around, Buffer.from("[erased]"), around]));
});

it("finds what isn't ASCII in any case and encoding", () => {
  const { eraseText: eraseName } = createEraser(["Zoë Ünal 🙂"]);
  expect(eraseName("name=zo%C3%AB+%c3%9cnal+%F0%9F%99%82")).toBe("name=[erased]");
  expect(eraseName(String.raw`"ZO\u00CB \u00fcnal \ud83d\ude42"`)).toBe('"[erased]"');
});

it("is done with a long text of the largest values in linear time", { tags: "variant" }, () => {
  const long = Array.from({ length: 20 }, (_, at) => `${"a".repeat(240)}${at}@example.com`);
  const { eraseText: eraseLong } = createEraser(long);
  expect(eraseLong("a".repeat(100_000))).toBeNull();
  expect(eraseLong(`x ${long[7]} y`)).toBe("x [erased] y");
});
