import { createHash } from "node:crypto";
import {
  type DeliveryView,
  readDeliveryContext,
} from "#lib/core/mapping/build-request/delivery-context.ts";
import type { HookView } from "#lib/core/mapping/build-request/hook-view.ts";
import { parseExactJson } from "#lib/core/mapping/json/parse-exact-json.ts";
import { failTransform, transformLimits } from "#lib/core/mapping/transform/transform.ts";
import {
  toTransformDelivery,
  writeTransformInput,
} from "#lib/core/mapping/transform/transform-input.ts";
import type { QuickJs } from "./quickjs.ts";
import { outOfMemory, stackOverflow } from "./read-thrown.ts";
import { type RealmResult, type RealmRun, runInRealm } from "./run-in-realm.ts";

type SentTransform = {
  readonly source: string;
  readonly delivery: DeliveryView;
  readonly hook: HookView;
  /** JSON text, because copying would lose the digits of exact numbers. */
  readonly stepsJson: string;
  readonly nowMs: number;
  readonly seed: string;
};

/** Runs in a thread. The phase `run` reads the delivery, `transform` runs the user's code. */
async function runTransformTask(
  { source, delivery, hook, stepsJson, nowMs, seed }: SentTransform,
  enter: (phase: string) => void,
): Promise<RealmResult> {
  const context = await readDeliveryContext(delivery, hook);
  const steps = parseExactJson(stepsJson);
  if (!steps.ok) throw new Error(`The steps can't be read in a thread: ${steps.message}`);
  const input = writeTransformInput({ delivery: toTransformDelivery(context), steps: steps.value });
  if (input === null) return inputTooLarge;
  const result = await runOnce({ source, input, nowMs, seeds: toSeeds(seed) }, enter);
  const isDamaged = context.isDamaged && result.ok && result.json.includes("\ufffd");
  return isDamaged ? damagedResult : result;
}

/** Loads the module, without a delivery. */
async function checkTransformTask(
  source: string,
  enter: (phase: string) => void,
): Promise<RealmResult> {
  return await runOnce({ source, input: null, nowMs: 0, seeds: toSeeds("") }, enter);
}

export type TransformTasks = {
  readonly runTransform: typeof runTransformTask;
  readonly checkTransform: typeof checkTransformTask;
};

export const transformTasks: TransformTasks = {
  runTransform: runTransformTask,
  checkTransform: checkTransformTask,
};

let loaded: QuickJs | undefined;

/** Most threads run no transform and don't need its code. */
async function loadQuickJs(): Promise<QuickJs> {
  const { QuickJs } = await import("./quickjs.ts");
  loaded ??= new QuickJs();
  return loaded;
}

async function runOnce(run: RealmRun, enter: (phase: string) => void): Promise<RealmResult> {
  const quickJs = await loadQuickJs();
  const instance = await quickJs.instance();
  try {
    const result = runInRealm(instance, run, () => enter("transform"));
    // Code that ran out of memory may have left something behind, or fragmented memory.
    if (!result.ok && result.code === "out_of_memory") quickJs.discard();
    return result;
  } catch (error) {
    quickJs.discard();
    // The engine called itself, for example to parse nested JSON, and overflowed the thread's own
    // stack.
    if (error instanceof RangeError) return failTransform("stack_overflow", stackOverflow);
    if (isOutOfMemory(error)) return failTransform("out_of_memory", outOfMemory);
    throw error;
  }
}

/**
 * True if the engine aborted while it freed memory, or there was no memory for reading the input.
 */
function isOutOfMemory(error: unknown): boolean {
  return (
    error instanceof WebAssembly.RuntimeError ||
    (error instanceof Error && error.name === "QuickJSUnwrapError")
  );
}

const inputTooLarge = failTransform(
  "input_too_large",
  "The delivery and the results of earlier steps are larger than " +
    `${transformLimits.inputChars / 1024 / 1024} MiB together.`,
);

const damagedResult = failTransform(
  "not_json",
  "The result has bytes of the delivery's body that are not text in its character set, which is UTF-8 unless " +
    "its Content-Type declares another one. Leave them out, or ask the provider to declare it.",
);

function toSeeds(seed: string): readonly number[] {
  const hash = createHash("sha256").update(seed).digest();
  return [0, 4, 8, 12].map((at) => hash.readInt32LE(at));
}
