import { createSecretKey } from "node:crypto";
import { expect, it } from "vitest";
import { type Arrived, listArrivedValues, maxArrivedValues } from "./arrived-values.ts";
import { createEraser } from "./eraser.ts";
import { hashValue } from "./rule-key.ts";

const key = createSecretKey(Buffer.alloc(32, 7));
const nothing = { texts: [], query: "", body: Buffer.alloc(0), contentType: null };
const json = (text: string) => ({ body: Buffer.from(text), contentType: "application/json" });

function has(arrived: Partial<Arrived>, value: string): boolean {
  const hash = hashValue(key, value.normalize("NFC"));
  const values = [...listArrivedValues({ ...nothing, ...arrived })];
  return values.some((one) => hashValue(key, one).equals(hash));
}

const email = "Jo.Doe@example.com";

it.each<[string, Partial<Arrived>, string]>([
  ["a field of JSON", json('{"user":{"emails":["jo.doe@example.com"]}}'), email],
  ["a name in JSON", json('{"JO.DOE@example.com":true}'), email],
  ["escapes", json(String.raw`{"e":"jo.doe\u0040example.com"}`), email],
  ["JSON in JSON", json(String.raw`{"in":"{\"e\":\"jo.doe\\u0040example.com\"}"}`), email],
  ["JSON that is cut", json('{"e":"jo.doe@example.com","n'), email],
  ["a number", json('{"id":123456789012345678901234}'), "123456789012345678901234"],
  ["a longer text", json('{"t":"Mail jo.doe@example.com, please."}'), email],
  ["a name in a longer text", json('{"t":"Dear Jo Doe-Smith,\\nhello"}'), "jo doe-smith"],
  ["an id in brackets", json('{"t":"order (cus_Ab12)."}'), "CUS_AB12"],
  ["a phone number", json('{"t":"call +49 30 1234567 now"}'), "+49 30 1234567"],
  ["other letters around it", json('{"t":"値jo.doe@example.com値"}'), email],
  ["letters that aren't ASCII", json('{"n":"ZOË ÜNAL 🙂"}'), "zoë ünal 🙂"],
  ["lines of JSON", { body: Buffer.from('{"a":1}\n{"e":"jo.doe@example.com"}') }, email],
  [
    "XML",
    { body: Buffer.from("<u><e>jo.doe&#64;example.com</e></u>"), contentType: "application/xml" },
    email,
  ],
  [
    "a form",
    {
      body: Buffer.from("n=zo%C3%AB+%c3%9cnal&e=jo.doe%40example.com"),
      contentType: "application/x-www-form-urlencoded",
    },
    "Zoë Ünal",
  ],
  [
    "a file of a form",
    {
      body: Buffer.from(
        '--b\r\nContent-Disposition: form-data; name="f"; filename="a.csv"\r\n\r\n1;jo.doe@example.com\r\n--b--\r\n',
      ),
      contentType: "multipart/form-data; boundary=b",
    },
    email,
  ],
  ["text", { body: Buffer.from("Hello,\njo.doe@example.com\n"), contentType: "text/plain" }, email],
  ["a query", { query: "a=1&e=jo.doe%40example.com" }, email],
  ["a header", { texts: ["<jo.doe@example.com>; q=1"] }, email],
  ["a link", { texts: ["https://a.example/?e=jo.doe%2540example.com"] }, email],
])("lists a value in %s", (_what, arrived, value) => {
  expect(has(arrived, value)).toBe(true);
});

it.each([
  "mary.jo.doe@example.com",
  "banjo.doe@example.com",
  "jo.doe@example.com.au",
  "jo.doe@example.community",
])("doesn't list it in %s, in which an erasure doesn't find it", (text) => {
  expect(has({ texts: [text] }, email)).toBe(false);
  expect(createEraser([email]).eraseText(text)).toBeNull();
});

it("lists a bounded number of values, whole fields first", () => {
  const words = Array.from({ length: 20_000 }, (_, at) => `word${at}`).join(" ");
  const body = JSON.stringify({ text: words, email });
  const values = listArrivedValues({ ...nothing, ...json(body) });
  expect(values.size).toBe(maxArrivedValues);
  expect(values.has(email)).toBe(true);
});

it("hashes a value alike in any case, and otherwise with another key", () => {
  expect(hashValue(key, "ΟΔΟΣ 4711")).toEqual(hashValue(key, "οδος 4711"));
  expect(hashValue(createSecretKey(Buffer.alloc(32, 8)), email)).not.toEqual(hashValue(key, email));
});
