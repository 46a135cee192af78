import { afterAll, describe, expect, it, test } from "vitest";
import { run, threads, value } from "./testing/run.ts";

afterAll(() => threads.close());

describe("what takes too much is stopped, and the next run is fine:", () => {
  it.each<[string, string | RegExp]>([
    ["{ for (;;); }", "too_slow"],
    ["{ try { for (;;); } catch { return 1 } finally { return 2 } }", "too_slow"],
    ["[3, 1, 2].sort(() => { for (;;); })", "too_slow"],
    ["/^(a+)+$/.test('a'.repeat(40) + 'b')", "too_slow"],
    ["({ toJSON() { for (;;); } })", "too_slow"],
    ["new Proxy({}, { ownKeys() { for (;;); } })", "too_slow"],
    ["{ const a = []; for (;;) a.push({}) }", /too_slow|out_of_memory/],
    ["{ const a = []; for (;;) a.push(new Array(10_000).fill(0)) }", /too_slow|out_of_memory/],
    ["{ let s = 'x'; for (;;) s += s }", /threw|out_of_memory/],
    ["'a'.repeat(1e8).length", "out_of_memory"],
    ["'a'.padEnd(5e6).split('').length", /too_slow|out_of_memory/],
    ["JSON.parse('['.repeat(1_000_000))", /stack_overflow|threw/],
    ["new RegExp('('.repeat(50_000) + ')'.repeat(50_000))", /stack_overflow|threw/],
    ["{ const f = () => [1].map(f); return f() }", "stack_overflow"],
    ["{ const o = {}; o.toString = () => '' + o; return '' + o }", "stack_overflow"],
    ["new ArrayBuffer(1e9)", /threw|out_of_memory/],
    ["'x'.repeat(300_000)", "output_too_large"],
    ["new Array(60_000).fill(12345)", "output_too_large"],
    ["'é'.repeat(200_000)", "output_too_large"],
    ["({ get a() { return this } })", "not_json"],
    ["{ const a = {}; a.a = a; return a }", "not_json"],
    ["new Proxy([], { get: (_, key) => key === 'length' ? 1e9 : 1 })", /output_too_large|too_slow/],
  ])("%s", async (body, code) => {
    const result = await run(`export default () => ${body}`);
    expect(result).toMatchObject({ ok: false });
    expect(!result.ok && result.code).toMatch(code);
    expect(await value("1 + 1")).toBe(2);
  });
});

// In loops, so that a fast machine doesn't finish them.
describe("a built-in function that can't be interrupted ends with its thread, soon:", () => {
  it.each([
    "(() => { for (;;) new Array(1e8).join('') })()",
    "'a'.repeat(1e6).replaceAll('a', 'bbbb').replaceAll('b', 'cccc').replaceAll('c', 'dddd').length",
    "(() => { for (;;) (10n ** 300_000n).toString() })()",
  ])("%s", async (body) => {
    await value("1");
    const startedMs = process.cpuUsage();
    const result = await value(body);
    const { user, system } = process.cpuUsage(startedMs);
    expect(result).toMatchObject({ ok: false, code: expect.stringMatching(/too_slow|out_of/) });
    // 200 ms, and what a busy machine needs to start the next thread. It was a second and a half.
    expect((user + system) / 1_000).toBeLessThan(1_200);
    expect(await value("1 + 1")).toBe(2);
  });
});

describe("a transform can't leave its realm:", () => {
  it.each<[string, unknown]>([
    [
      "typeof process + typeof require + typeof fetch + typeof setTimeout + typeof console",
      "undefined".repeat(5),
    ],
    ["typeof globalThis.constructor.constructor('return process')", "function"],
    [
      "(() => { try { return (() => {}).constructor('return process')() } catch (e) { return e.name } })()",
      "ReferenceError",
    ],
    ["Object.keys((() => {}).constructor('return this')()).length", 0],
    ["(() => { try { return eval('process') } catch (e) { return e.name } })()", "ReferenceError"],
    [
      "typeof WebAssembly + typeof SharedArrayBuffer + typeof std + typeof os",
      "undefined".repeat(4),
    ],
  ])("%s", async (expression, expected) => {
    expect(await value(expression)).toEqual(expected);
  });

  test("what it does to built-in objects changes its own result only", async () => {
    const pollute = `
      Object.prototype.toJSON = () => "polluted";
      Array.prototype[Symbol.iterator] = () => { throw new Error("polluted") };
      Array.prototype.push = Object.keys = JSON.stringify = JSON.parse = () => "polluted";
      Object.prototype.polluted = 1;
      String.prototype.slice = () => "polluted";
      Error.prototype.name = "Polluted";
      globalThis.leaked = 1;
      Object.prototype.__proto__ === null;
      export default () => ({ a: [1, "x"], toJSON: null });`;
    expect(await run(pollute)).toEqual({ ok: true, value: { a: [1, "x"], toJSON: null } });
    expect(await value("[typeof leaked, {}.polluted === undefined, JSON.stringify([1])]")).toEqual([
      "undefined",
      true,
      "[1]",
    ]);
    expect(Reflect.get({}, "polluted")).toBeUndefined();
    for (const what of ["Object.prototype", "Error.prototype", "String.prototype"]) {
      const hide = `${what}.toJSON = () => null; ${what}.message = ${what}.code = "fake";`;
      expect(await run(`${hide} export default () => { null.x }`)).toMatchObject({
        code: "threw",
        message: "TypeError: cannot read property 'x' of null",
      });
    }
    const noInstance = "Object.defineProperty(Error, Symbol.hasInstance, { value() { throw 1 } });";
    expect(await run(`${noInstance} export default () => { null.x }`)).toMatchObject({
      code: "threw",
    });
  });

  test("getters and proxies of the result are read once, and can't make anything but JSON", async () => {
    const source = `
      let reads = 0;
      const tricky = { get a() { reads += 1; return reads === 1 ? "once" : NaN } };
      const list = new Proxy([1, 2], { get: (target, key) => (key === "length" ? 2 : target[key] ?? "x") });
      export default () => ({ tricky, list, key: { ['"}, "injected": {"']: 1 } });`;
    expect(await run(source)).toEqual({
      ok: true,
      value: { tricky: { a: "once" }, list: [1, 2], key: { '"}, "injected": {"': 1 } },
    });
  });
});
