import type {
  QuickJSContext,
  QuickJSHandle,
  QuickJSRuntime,
  QuickJSWASMModule,
} from "quickjs-emscripten-core";
import {
  failTransform,
  type TransformError,
  transformLimits,
} from "#lib/core/transform/transform.ts";
import type { TransformInputText } from "#lib/core/transform/transform-input.ts";
import { readThrown, sourceName } from "./read-thrown.ts";
import { realmSource } from "./realm-source.ts";

export type RealmRun = {
  readonly source: string;
  /** Null: only checks that the module loads and exports a function. */
  readonly input: TransformInputText | null;
  /** Unix time: what `Date` says. */
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
  using runtime = instance.newRuntime();
  runtime.setMemoryLimit(transformLimits.memoryBytes);
  runtime.setMaxStackSize(transformLimits.stackBytes);
  using context = runtime.newContext();
  return new Realm(runtime, context, run).run(onStart);
}

class Realm {
  readonly #runtime: QuickJSRuntime;
  readonly #context: QuickJSContext;
  readonly #input: RealmRun;
  #isTooSlow = false;

  constructor(runtime: QuickJSRuntime, context: QuickJSContext, input: RealmRun) {
    this.#runtime = runtime;
    this.#context = context;
    this.#input = input;
  }

  run(onStart: () => void): RealmResult {
    const context = this.#context;
    using realm = context.unwrapResult(context.evalCode(this.#realmCode(), "catchment.js"));
    using argument = this.#readInput(realm);
    onStart();
    this.#allowMs(transformLimits.runMs);
    const loaded = context.evalCode(this.#input.source, sourceName, { type: "module" });
    if (loaded.error) return this.#fail(realm, loaded.error);
    using module = loaded.value;
    using transform = context.getProp(module, "default");
    const problem = this.#findProblem(module, transform);
    if (problem !== null) return problem;
    if (this.#input.input === null) return { ok: true, json: "null" };
    const returned = this.#callRealm(realm, "call", transform, argument);
    if (returned.error) return this.#fail(realm, returned.error);
    using value = returned.value;
    this.#allowMs(transformLimits.runMs);
    const written = this.#callRealm(realm, "write", value);
    if (written.error) return this.#fail(realm, written.error);
    using json = written.value;
    return { ok: true, json: context.getString(json) };
  }

  #realmCode(): string {
    const { nowMs, seeds } = this.#input;
    const { outputBytes, outputDepth } = transformLimits;
    const limits = JSON.stringify({ outputBytes, outputDepth });
    return `${realmSource}(${Number(nowMs)}, ${JSON.stringify(seeds)}, ${limits})`;
  }

  #readInput(realm: QuickJSHandle): QuickJSHandle {
    const { input } = this.#input;
    const context = this.#context;
    if (input === null) return context.undefined;
    using json = context.newString(input.json);
    using exactKey = context.newString(input.exactKey ?? "");
    return context.unwrapResult(this.#callRealm(realm, "read", json, exactKey));
  }

  /** A function of `realmSource`. */
  #callRealm(realm: QuickJSHandle, name: string, ...args: QuickJSHandle[]) {
    using called = this.#context.getProp(realm, name);
    return this.#context.callFunction(called, this.#context.undefined, ...args);
  }

  #findProblem(module: QuickJSHandle, transform: QuickJSHandle): TransformError | null {
    const state = this.#context.getPromiseState(module);
    if (state.type !== "fulfilled" || state.notAPromise !== true)
      return failTransform(
        "async_not_allowed",
        "Transforms run at once: remove await from the top of the code.",
      );
    if (this.#context.typeof(transform) === "function") return null;
    return failTransform(
      "no_function",
      "The code must export a function: export default (delivery, steps) => …",
    );
  }

  #fail(realm: QuickJSHandle, error: QuickJSHandle): TransformError {
    using thrown = error;
    const isTooSlow = this.#isTooSlow;
    // To say what happened. What ran out of time or memory has ended.
    this.#allowMs(50);
    this.#runtime.setMemoryLimit(transformLimits.memoryBytes + 4 * 1024 * 1024);
    const told = this.#callRealm(realm, "describe", thrown);
    if (told.error) told.error.dispose();
    using text = told.error ? null : told.value;
    const description = text === null ? null : this.#context.getString(text);
    return readThrown(description, { isTooSlow, source: this.#input.source });
  }

  /** Processor time, so that a busy machine doesn't stop a run that would pass on an idle one. */
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
