import { expect, it } from "vitest";
import { toPublishCommand, writeEventBody } from "./event-draft.ts";

const draft = { type: " order.paid ", recipient: "cust_42", data: '{\n  "amount": 1.10\n}\n' };

it("the body has the data as it was typed, and no recipient if none was", () => {
  expect(writeEventBody(draft)).toEqual({
    ok: true,
    body: '{"type": "order.paid", "recipient": "cust_42", "data": {\n  "amount": 1.10\n}}',
  });
  expect(writeEventBody({ ...draft, recipient: " ", data: "1" })).toEqual({
    ok: true,
    body: '{"type": "order.paid", "data": 1}',
  });
});

it("the command publishes the same body, and there is none for data that isn't JSON", () => {
  const command = toPublishCommand("https://hooks.example/api/v1/events", draft, undefined);
  const written = writeEventBody(draft);
  expect(command).toContain(written.ok ? written.body : "not written");
  expect(command).toContain("Bearer YOUR_API_TOKEN");
  const broken = { ...draft, data: '{"amount": }' };
  expect(writeEventBody(broken)).toMatchObject({
    ok: false,
    errors: [{ path: "data", code: "invalid_json" }],
  });
  expect(toPublishCommand("https://hooks.example/api/v1/events", broken, "cmt_1")).toBeNull();
  expect(writeEventBody({ ...draft, data: '{"to":{"id":1,"id":2}}' })).toMatchObject({
    ok: false,
    errors: [{ path: "data", code: "duplicate", message: "has to.id twice" }],
  });
});
