import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import variant from "@jitl/quickjs-wasmfile-release-sync";
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSWASMModule,
} from "quickjs-emscripten-core";
import { transformLimits } from "#lib/core/mapping/transform/transform.ts";

/**
 * QuickJS in WebAssembly. One instance serves many runs, each with a runtime of its own. `discard`
 * it after a run that may have damaged it: the next run gets a new one.
 */
export class QuickJs {
  #code: Promise<WebAssembly.Module> | undefined;
  #instance: Promise<QuickJSWASMModule> | undefined;

  instance(): Promise<QuickJSWASMModule> {
    this.#instance ??= this.#open();
    return this.#instance;
  }

  discard(): void {
    this.#instance = undefined;
  }

  async #open(): Promise<QuickJSWASMModule> {
    this.#code ??= compileCode();
    const code = await this.#code;
    const wasmMemory = new WebAssembly.Memory({ initial: 256, maximum: maxPages });
    const emscriptenModule = {
      // Hides the engine's message about an abort. The error contains it too.
      printErr: () => {},
      instantiateWasm(
        imports: WebAssembly.Imports,
        onSuccess: (instance: WebAssembly.Instance) => void,
      ): WebAssembly.Exports {
        const instance = new WebAssembly.Instance(code, withUtc(imports, wasmMemory));
        onSuccess(instance);
        return instance.exports;
      },
    };
    return newQuickJSWASMModuleFromVariant(newVariant(variant, { wasmMemory, emscriptenModule }));
  }
}

/**
 * The memory limit of a runtime counts memory in use. A list that grows by copying leaves gaps, and
 * took 285 MB within that limit without this bound.
 */
const maxPages = (2 * transformLimits.memoryBytes) / 65_536;

async function compileCode(): Promise<WebAssembly.Module> {
  const path = createRequire(import.meta.url).resolve("@jitl/quickjs-wasmfile-release-sync/wasm");
  return WebAssembly.compile(await readFile(path));
}

/**
 * Makes local time UTC on every machine. The names of imports are shortened in each build, so
 * `localtime` is found by its behavior.
 */
function withUtc(imports: WebAssembly.Imports, memory: WebAssembly.Memory): WebAssembly.Imports {
  const { a: functions = {} } = imports;
  const name = Object.keys(functions).find((key) => /\.getMonth\(/.test(String(functions[key])));
  if (name === undefined) throw new Error("QuickJS has no localtime to replace.");
  const localtime = (seconds: bigint, address: number): void => {
    const date = new Date(Number(seconds) * 1_000);
    const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
    const yearDay = Math.floor((Date.UTC(year, month, day) - Date.UTC(year, 0, 1)) / 86_400_000);
    const time = [date.getUTCSeconds(), date.getUTCMinutes(), date.getUTCHours()];
    const fields = [...time, day, month, year - 1_900, date.getUTCDay(), yearDay, 0, 0];
    new Int32Array(memory.buffer).set(fields, address >> 2);
  };
  return { ...imports, a: { ...functions, [name]: localtime } };
}
