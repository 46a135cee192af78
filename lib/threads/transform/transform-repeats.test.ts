import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { ThreadPool } from "../thread-pool.ts";
import { randomTransform } from "./testing/random-transform.ts";
import { run, threads } from "./testing/run.ts";
import type { TransformTasks } from "./transform-task.ts";

/** A second pool, which for a transform is like another process. */
const others = new ThreadPool<TransformTasks>({
  script: new URL("testing/transform-thread.ts", import.meta.url),
  maxThreads: 1,
});
afterAll(() => Promise.all([threads.close(), others.close()]));

const payload =
  '{"items":[{"price":1.10},{"price":2}],"big":12345678901234567890123,"at":"2026-11-22"}';
const steps = { find: { status: 200, body: { id: 7, tags: ["a", "b"] } } };

test("the same transform gives the same everywhere, whatever ran before it", {
  tags: "variant",
}, async () => {
  let succeeded = 0;
  await fc.assert(
    fc.asyncProperty(randomTransform(), async (source) => {
      const [preview, real] = await Promise.all([
        run(source, payload, steps),
        run(source, payload, steps, others),
      ]);
      expect(preview).toEqual(real);
      if (preview.ok) succeeded += 1;
    }),
    { numRuns: 60, endOnFailure: true },
  );
  expect(succeeded).toBeGreaterThan(10);
});

test("memory stays flat over runs that fail in every way, and none stops the thread", async () => {
  const bad = [
    "throw 1",
    "return 'a'.repeat(1e8)",
    "const f = () => f() + 1; return f()",
    "return 'x'.repeat(300_000)",
    "const a = {}; a.a = a; globalThis.a = a; return a",
    "const keep = []; for (let i = 0; i < 5_000; i += 1) keep.push({ i }); globalThis.keep = keep; null.x",
    "return Promise.reject(new Error('x'))",
    "return JSON.parse('['.repeat(100_000))",
    "return [].nope.nope",
  ];
  const residentBytes: number[] = [];
  for (let round = 0; round < 12; round += 1) {
    const results = await Promise.all(bad.map((body) => run(`export default () => { ${body} }`)));
    expect(results.filter(({ ok }) => ok)).toEqual([]);
    if (round % 4 === 3) residentBytes.push(process.memoryUsage.rss());
  }
  expect(threads.size).toBe(1);
  const [first = 0, , last = 0] = residentBytes;
  expect(last - first).toBeLessThan(64 * 1024 * 1024);
});
