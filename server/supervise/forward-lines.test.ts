import { once } from "node:events";
import { PassThrough, Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { forwardLines } from "./forward-lines.ts";

test("lines arrive complete, including a last one without a line end", async () => {
  const from = new PassThrough();
  const to = new PassThrough();
  forwardLines(from, to);
  from.write("one\ntw");
  from.end("o\nthree");
  await once(from, "end");
  to.end();
  expect(await text(to)).toBe("one\ntwo\nthree\n");
});

test("a writer is not blocked when there is no reader any more", async () => {
  const from = new PassThrough();
  const to = new Writable({ write: (_chunk, _encoding, done) => done(new Error("EPIPE")) });
  to.on("error", () => {});
  forwardLines(from, to);
  for (let line = 0; line < 100; line += 1) from.write(`${"x".repeat(10_000)}\n`);
  from.end();
  await once(from, "end");
  expect(to.destroyed).toBe(true);
});
