import { expect, it } from "vitest";
import type { OutgoingRequest } from "#lib/core/api/http/http-types.ts";
import { compareRequests } from "./compare-requests.ts";

function request(body: unknown, rest: Partial<OutgoingRequest> = {}): OutgoingRequest {
  const bytes = body === null ? null : Buffer.from(JSON.stringify(body));
  return { method: "POST", url: "https://a.test/in", headers: [], body: bytes, ...rest };
}

it("names each JSON value that differs by its path", () => {
  const before = request({ customer: { email: "a@b.test", name: "A" }, items: [1, 2] });
  const after = request({ customer: { email: "c@d.test", name: "A" }, items: [1], total: 5 });
  expect(compareRequests(before, after, []).changes).toEqual([
    { path: "body.customer.email", before: '"a@b.test"', after: '"c@d.test"' },
    { path: "body.items.1", before: "2", after: null },
    { path: "body.total", before: null, after: "5" },
  ]);
});

it("sees digits that a JavaScript number would lose", () => {
  const before = { ...request(null), body: Buffer.from('{"id":12345678901234567890123}') };
  const after = { ...request(null), body: Buffer.from('{"id":12345678901234567890124}') };
  expect(compareRequests(before, after, []).changes).toEqual([
    { path: "body.id", before: "12345678901234567890123", after: "12345678901234567890124" },
  ]);
});

it("finds nothing in equal requests, and ignores the headers that it is told to", () => {
  const before = request({ a: 1 }, { headers: [["Idempotency-Key", "one"]] });
  const after = request({ a: 1 }, { headers: [["Idempotency-Key", "two"]] });
  const { changes } = compareRequests(before, after, [], new Set(["idempotency-key"]));
  expect(changes).toEqual([]);
});

it("shows that a credential changed, and neither of the two", () => {
  const before = request(null, { headers: [["Authorization", "Bearer old-secret"]] });
  const after = request(
    { note: "new-secret" },
    {
      url: "https://a.test/in?token=new-secret",
      headers: [["Authorization", "Bearer new-secret"]],
    },
  );
  const shown = compareRequests(before, after, ["old-secret", "new-secret"]);
  expect(JSON.stringify(shown)).not.toContain("-secret");
  expect(shown.changes.map(({ path }) => path)).toEqual([
    "url",
    "headers.authorization",
    "body.note",
  ]);
});

it("shows where a large or binary body begins to differ, and limits what it shows", () => {
  const long = "x".repeat(200_000);
  const before = { ...request(null), body: Buffer.from(`${long}old`) };
  const after = { ...request(null), body: Buffer.from(`${long}new`) };
  const [change] = compareRequests(before, after, []).changes;
  expect(change?.before).toContain("200003 bytes, from byte 199960");
  expect(change?.after?.endsWith("new")).toBe(true);
  const many = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`k${index}`, long]));
  const values = Object.fromEntries(
    Array.from({ length: 200 }, (_, index) => [`k${index}`, index]),
  );
  const shown = compareRequests(request({}), request(values), []);
  expect([shown.changes.length, shown.moreChanges]).toEqual([50, 150]);
  expect(JSON.stringify(compareRequests(request({}), request(many), [])).length).toBeLessThan(
    2_000,
  );
});
