import fc from "fast-check";
import { expect, it } from "vitest";
import { repairHead } from "./repair-head.ts";

const repair = (head: string) => repairHead(Buffer.from(head, "latin1"));

it.each([
  ["a strict head", "HTTP/1.1 200 OK\r\nX: y\r\nContent-Length: 2\r\n\r\n"],
  ["values with colons, commas, and high bytes", "HTTP/1.1 200 OK\r\nX: a:b, c\xff\r\n\r\n"],
  ["different lengths", "HTTP/1.1 200 OK\r\nX: y\r\nContent-Length: 2\r\nX-Length: 3\r\n\r\n"],
])("%s stays as it was sent", (_what, head) => {
  expect(repair(`${head}body\n\n`)).toEqual({ repaired: null, end: head.length, isInterim: false });
});

it.each([
  ["LF alone", "HTTP/1.1 200 OK\nA: b\n\n", "HTTP/1.1 200 OK\r\nA: b\r\n\r\n"],
  [
    "a space before the colon",
    "HTTP/1.1 200 OK\r\nA \t: b\r\n\r\n",
    "HTTP/1.1 200 OK\r\nA: b\r\n\r\n",
  ],
  [
    "a folded line",
    "HTTP/1.1 200 OK\r\nA: b\r\n  c : d\r\n\te\r\n\r\n",
    "HTTP/1.1 200 OK\r\nA: b c : d e\r\n\r\n",
  ],
  [
    "equal lengths",
    "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nA: b\r\nCONTENT-LENGTH: 5, 5\r\n\r\n",
    "HTTP/1.1 200 OK\r\ncontent-length: 5\r\nA: b\r\n\r\n",
  ],
  [
    "lengths that differ, which the parser rejects",
    "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n",
    "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n",
  ],
])("%s: the parser gets one strict form", (_what, head, strict) => {
  const found = repair(`${head}body`);
  expect(found?.repaired?.toString("latin1")).toBe(strict);
  expect(found?.end).toBe(head.length);
});

it("interim responses are told apart from final ones, and 100 becomes 102", () => {
  expect(repair("HTTP/1.1 100 Continue\r\n\r\n")?.repaired?.toString()).toBe(
    "HTTP/1.1 102 Continue\r\n\r\n",
  );
  expect(repair("HTTP/1.1 100 Continue\r\n\r\n")?.isInterim).toBe(true);
  expect(repair("HTTP/1.1 103 Early Hints\r\n\r\n")).toMatchObject({
    repaired: null,
    isInterim: true,
  });
  expect(repair("HTTP/1.1 101 Switching Protocols\r\n\r\n")?.isInterim).toBe(false);
  expect(repair("HTTP/1.1 200 OK\r\nA: b\r\n")).toBeNull();
});

it("a repaired head is strict, whatever the lines are", () => {
  const part = fc.constantFrom("A", ":", " ", "\t", "\r\n", "\n", "b", "content-length: 1", ",");
  fc.assert(
    fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
      const first = repair(`HTTP/1.1 200 OK\r\n${parts.join("")}\r\n\r\n`);
      if (!first?.repaired) return;
      const again = repairHead(first.repaired);
      expect(again?.end).toBe(first.repaired.length);
      expect(again?.repaired?.toString() ?? first.repaired.toString()).toBe(
        first.repaired.toString(),
      );
    }),
  );
});
