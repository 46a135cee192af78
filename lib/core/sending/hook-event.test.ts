import { expect, test } from "vitest";
import { readPayload } from "#lib/core/mapping/payload/read-payload.ts";
import { toHookEvent } from "./hook-event.ts";

const publish = { eventType: null, recipientPath: null, content: null };

function read(
  body: string | Buffer,
  contentType = "application/json",
  eventType: string | null = null,
) {
  const bytes = Buffer.from(body);
  return { bytes, payload: readPayload(bytes, contentType), eventType };
}

test.each([
  ["orders/create", "orders.create"],
  ["invoice.paid", "invoice.paid"],
  ["Issue Comment: Created!", "issue.comment.created"],
  ["é", "webhook.received"],
  [null, "webhook.received"],
  ["a".repeat(200), "a".repeat(128)],
  ["a/".repeat(20), "a.a.a.a.a.a.a.a.a.a"],
])("the event type %s becomes %s", (eventType, type) => {
  expect(toHookEvent(publish, read("{}", undefined, eventType)).type).toBe(type);
  expect(toHookEvent({ ...publish, eventType: "own" }, read("{}", undefined, eventType)).type).toBe(
    "own",
  );
});

test("JSON is published as it was sent, and other bodies as JSON", () => {
  const dataOf = (body: string | Buffer, type?: string) =>
    toHookEvent(publish, read(body, type)).dataJson;
  expect(dataOf('\n{"n": 1.10, "id":12345678901234567890}')).toBe(
    '{"n": 1.10, "id":12345678901234567890}',
  );
  expect(dataOf("a=1&b=2&b=3", "application/x-www-form-urlencoded")).toBe(
    '{"a":"1","b":["2","3"]}',
  );
  expect(dataOf("hé", "text/csv")).toBe('{"body":"hé","encoding":"utf8"}');
  expect(dataOf(Buffer.from([0xff, 0]), "image/png")).toBe('{"body":"/wA=","encoding":"base64"}');
  expect(dataOf("")).toBe('{"body":"","encoding":"utf8"}');
  const deep = `${"[".repeat(200)}${"]".repeat(200)}`;
  expect(JSON.parse(dataOf(deep))).toEqual({ body: deep, encoding: "utf8" });
});

test("an event in an envelope gives its own data, as it was sent, and other payloads are the data", () => {
  const dataOf = (body: string) => toHookEvent(publish, read(body)).dataJson;
  const data = '{ "object": {"amount": 1.10, "id":12345678901234567890} }';
  expect(dataOf(`\n{"id":"evt_1","object":"event","data":${data} ,"type":"a.b"}`)).toBe(data);
  // The last of two counts, as everywhere.
  expect(dataOf(`{"data":{"a":1},"id":"e","type":"t","data":${data}}`)).toBe(data);
  const deep = `{"data":${"[".repeat(126)}${"]".repeat(126)}}`;
  expect(dataOf(`{"id":"e","type":"t","data":${deep}}`)).toBe(deep);
  for (const other of [
    `{"id":1,"type":"a.b","data":${data}}`,
    `{"type":"a.b","data":${data}}`,
    `{"id":"e","type":null,"data":${data}}`,
    '{"id":"e","type":"a.b","data":[1]}',
    '{"id":"e","type":"a.b","data":null}',
    '{"id":"e","type":"a.b","data":"text"}',
    '{"id":"e","type":"a.b"}',
    `[{"id":"e","type":"a.b","data":${data}}]`,
  ])
    expect(dataOf(other)).toBe(other);
});

test("a hook says whether the payload or its data is published, whatever its shape", () => {
  const dataOf = (content: "payload" | "data", body: string) =>
    toHookEvent({ ...publish, content }, read(body)).dataJson;
  const square = '{"merchant_id":"M","type":"payment.updated","event_id":"e","data":{"n":1.10}}';
  const clerk = '{"data":{"id":"user_1"},"object":"event","timestamp":1,"type":"user.created"}';
  const measured = '{"id":"m_1","type":"measured","data":{"value":7},"unit":"°C"}';
  expect(dataOf("data", square)).toBe('{"n":1.10}');
  expect(dataOf("data", clerk)).toBe('{"id":"user_1"}');
  expect(dataOf("payload", measured)).toBe(measured);
  // Nothing is lost where there is no data.
  for (const body of ['{"type":"a.b"}', '[{"data":1}]', '"data"', "7"])
    expect(dataOf("data", body)).toBe(body);
  for (const data of ["null", "[1]", '"text"', "false"])
    expect(dataOf("data", `{"data":${data}}`)).toBe(data);
});

test("the recipient is read from the payload with all its digits, or there is a warning", () => {
  const of = (body: string) =>
    toHookEvent({ ...publish, recipientPath: "customer.id" }, read(body));
  expect(of('{"customer":{"id":"cust_42"}}')).toMatchObject({
    recipient: "cust_42",
    warning: null,
  });
  expect(of('{"customer":{"id":12345678901234567890}}').recipient).toBe("12345678901234567890");
  for (const body of ["{}", '{"customer":{"id":"a b"}}', '{"customer":{"id":{}}}', "[]"])
    expect(of(body)).toMatchObject({
      recipient: null,
      warning: expect.stringContaining("customer.id"),
    });
});
