import type {
  QuickJSContext,
  QuickJSHandle,
  QuickJSRuntime,
  QuickJSWASMModule,
  VmCallResult,
} from "quickjs-emscripten-core";
import {
  failTransform,
  type TransformError,
  transformLimits,
} from "#lib/core/mapping/transform/transform.ts";
import type { TransformInputText } from "#lib/core/mapping/transform/transform-input.ts";
import { formatLocale } from "./format-locale.ts";
import { readThrown, sourceName } from "./read-thrown.ts";
import { realmSource } from "./realm-source.ts";

export type RealmRun = {
  readonly source: string;
  /** Null: only checks that the module loads and exports a function. */
  readonly input: TransformInputText | null;
  /** The Unix time that `Date` returns. */
  readonly nowMs: number;
  /** Four 32-bit numbers, for `Math.random`. */
  readonly seeds: readonly number[];
};

export type RealmResult = { readonly ok: true; readonly json: string } | TransformError;

/**
 * Runs a transform in a new runtime of the instance. Throws if the instance itself failed, and must
 * not be used again.
 *
 * @param onStart the user's code starts now
 */
export function runInRealm(
  instance: QuickJSWASMModule,
  run: RealmRun,
  onStart: () => void,
): RealmResult {
  const realm = new Realm(instance, run);
  const result = realm.run(onStart);
  // Not in `finally`: a damaged instance can't free anything, and ends as a whole.
  realm.dispose();
  return result;
}

class Realm {
  readonly #runtime: QuickJSRuntime;
  readonly #context: QuickJSContext;
  readonly #input: RealmRun;
  readonly #handles: QuickJSHandle[] = [];
  readonly #functions: QuickJSHandle;
  #isTooSlow = false;

  constructor(instance: QuickJSWASMModule, input: RealmRun) {
    this.#input = input;
    this.#runtime = instance.newRuntime();
    this.#runtime.setMemoryLimit(transformLimits.memoryBytes);
    this.#runtime.setMaxStackSize(transformLimits.stackBytes);
    this.#context = this.#runtime.newContext();
    this.#functions = this.#expect(this.#context.evalCode(this.#realmCode(), "catchment.js"));
    this.#expect(this.#call("connect", this.#formatter()));
  }

  run(onStart: () => void): RealmResult {
    const context = this.#context;
    const argument = this.#readInput();
    onStart();
    this.#allowMs(transformLimits.runMs);
    const loaded = context.evalCode(this.#input.source, sourceName, { type: "module" });
    if (loaded.error) return this.#fail(loaded.error);
    const module = this.#keep(loaded.value);
    const transform = this.#keep(context.getProp(module, "default"));
    const problem = this.#findProblem(module, transform);
    if (problem !== null) return problem;
    if (this.#input.input === null) return { ok: true, json: "null" };
    const returned = this.#call("call", transform, argument);
    if (returned.error) return this.#fail(returned.error);
    this.#allowMs(transformLimits.writeMs);
    const written = this.#call("write", this.#keep(returned.value));
    if (written.error) return this.#fail(written.error);
    return { ok: true, json: context.getString(this.#keep(written.value)) };
  }

  dispose(): void {
    for (const handle of this.#handles.toReversed()) handle.dispose();
    this.#context.dispose();
    this.#runtime.dispose();
  }

  #keep(handle: QuickJSHandle): QuickJSHandle {
    this.#handles.push(handle);
    return handle;
  }

  #realmCode(): string {
    const { nowMs, seeds } = this.#input;
    const { outputBytes, outputDepth, memoryBytes } = transformLimits;
    const limits = JSON.stringify({ outputBytes, outputDepth, memoryBytes });
    return `${realmSource}(${Number(nowMs)}, ${JSON.stringify(seeds)}, ${limits})`;
  }

  #readInput(): QuickJSHandle {
    const { input } = this.#input;
    const context = this.#context;
    if (input === null) return context.undefined;
    const json = this.#keep(context.newString(input.json));
    const exactKey = this.#keep(context.newString(input.exactKey ?? ""));
    return this.#expect(this.#call("read", json, exactKey));
  }

  #formatter(): QuickJSHandle {
    const context = this.#context;
    return this.#keep(
      context.newFunction("format", (kind, value, settings) => {
        const [name, text, json] = [kind, value, settings].map((each) => context.getString(each));
        return context.newString(formatLocale(name ?? "", text ?? "", json ?? ""));
      }),
    );
  }

  /** Calls a function of `realmSource`. */
  #call(name: string, ...args: QuickJSHandle[]) {
    const called = this.#keep(this.#context.getProp(this.#functions, name));
    return this.#context.callFunction(called, this.#context.undefined, ...args);
  }

  /** Unwraps a result of our own code, which only fails when memory is short. */
  #expect(result: VmCallResult<QuickJSHandle>): QuickJSHandle {
    return this.#keep(this.#context.unwrapResult(result));
  }

  #findProblem(module: QuickJSHandle, transform: QuickJSHandle): TransformError | null {
    const state = this.#context.getPromiseState(module);
    if (state.type !== "fulfilled" || state.notAPromise !== true) {
      if (state.type === "fulfilled") this.#keep(state.value);
      if (state.type === "rejected") this.#keep(state.error);
      return failTransform(
        "async_not_allowed",
        "Transforms run at once: remove await from the top of the code.",
      );
    }
    if (this.#context.typeof(transform) === "function") return null;
    return failTransform(
      "no_function",
      "The code must export a function: export default (delivery, steps) => …",
    );
  }

  #fail(error: QuickJSHandle): TransformError {
    const thrown = this.#keep(error);
    const isTooSlow = this.#isTooSlow;
    // Gives time for describing what happened. Code that ran out of time or memory has ended.
    this.#allowMs(50);
    this.#runtime.setMemoryLimit(transformLimits.memoryBytes + 4 * 1024 * 1024);
    const told = this.#call("describe", thrown);
    const text = this.#keep(told.error ?? told.value);
    const description = told.error ? null : this.#context.getString(text);
    return readThrown(description, { isTooSlow, source: this.#input.source });
  }

  /**
   * Limits processor time, so that a busy machine doesn't stop a run that would pass on an idle
   * one.
   */
  #allowMs(limitMs: number): void {
    const endsAtMs = usedMs() + limitMs;
    this.#runtime.setInterruptHandler(() => {
      this.#isTooSlow = usedMs() > endsAtMs;
      return this.#isTooSlow;
    });
  }
}

function usedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
