import { parseArgs } from "node:util";
import fc from "fast-check";
import { randomTransform } from "#lib/threads/transform/testing/random-transform.ts";
import { run, threads } from "#lib/threads/transform/testing/run.ts";

/**
 * `npm run bench:transform`: memory over 10,000 transforms that fail, and whether 1,000 random ones
 * give the same in a second thread, whatever ran in it before.
 */
const { values } = parseArgs({
  options: {
    bad: { type: "string", default: "10000" },
    random: { type: "string", default: "1000" },
  },
});

const bad = [
  "throw new Error('x')",
  "throw 1",
  "for (;;);",
  "return 'a'.repeat(1e8)",
  "const f = () => f() + 1; return f()",
  "return 'x'.repeat(300_000)",
  "const a = []; for (;;) a.push(new Array(10_000).fill(0))",
  "const a = {}; a.a = a; globalThis.a = a; return a",
  "const keep = []; for (let i = 0; i < 20_000; i += 1) keep.push({ i }); globalThis.keep = keep; null.x",
  "return (() => {}).constructor('return process')()",
  "Object.prototype.toJSON = () => { throw 1 }; return {}",
  "return Promise.reject(new Error('x'))",
  "return JSON.parse('['.repeat(100_000))",
  "return new Array(1e7).fill(1)",
  "return (10n ** 1_000_000n).toString().length / 0",
];

const count = Number(values.bad);
const codes = new Map<string, number>();
for (let done = 0; done < count; done += 1) {
  const result = await run(`export default () => { ${bad[done % bad.length]} }`);
  const code = result.ok ? "ok" : result.code;
  codes.set(code, (codes.get(code) ?? 0) + 1);
  if (done % Math.ceil(count / 10) === 0 || done === count - 1) tell(`${done + 1} bad runs`);
}
process.stdout.write(`${JSON.stringify(Object.fromEntries(codes))}\n`);

const sources = fc.sample(randomTransform(), Number(values.random));
const first = await runAll();
await threads.close();
const differences = (await runAll()).filter((text, index) => text !== first[index]).length;
tell(`${sources.length} random transforms, ${differences} different in a new thread`);
await threads.close();
process.exitCode = differences === 0 ? 0 : 1;

async function runAll(): Promise<readonly string[]> {
  const results: string[] = [];
  for (const source of sources) results.push(JSON.stringify(await run(source)));
  return results;
}

function tell(what: string): void {
  process.stdout.write(`${what}: ${Math.round(process.memoryUsage.rss() / 1e6)} MB resident\n`);
}
