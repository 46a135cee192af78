import type { DeliveryView } from "#lib/core/mapping/build-request/delivery-context.ts";
import type { HookView } from "#lib/core/mapping/build-request/hook-view.ts";
import { parseExactJson } from "#lib/core/mapping/json/parse-exact-json.ts";
import { stringifyExactJson } from "#lib/core/mapping/json/stringify-exact-json.ts";
import {
  failTransform,
  type TransformCheck,
  type TransformError,
  type TransformResult,
  transformLimits,
} from "#lib/core/mapping/transform/transform.ts";
import type { JsonValue } from "#lib/schema/field/json-value.ts";
import { toOwnBytes } from "../prepare-call-task.ts";
import { isBusy, type ThreadOutcome } from "../thread-outcome.ts";
import type { Threads } from "../thread-pool.ts";
import { outOfMemory, tooSlow } from "./read-thrown.ts";
import type { RealmResult } from "./run-in-realm.ts";
import type { TransformTasks } from "./transform-task.ts";

type TransformInput = {
  /** `export default (delivery, steps) => …` */
  readonly source: string;
  readonly delivery: DeliveryView;
  readonly hook: HookView;
  /** Results by step key: status, headers, body, value, error. */
  readonly steps: JsonValue;
  /**
   * The time that `Date` returns: the delivery's, so that previews and retries give the same
   * result.
   */
  readonly nowMs: number;
  /** The seed of `Math.random`, such as run and step. */
  readonly seed: string;
};

type Whose = { readonly accountId: string };

/**
 * Runs a transform: the same input gives the same result everywhere. It runs in a thread, so that
 * nothing that it does can block or fill the process. Errors are values.
 *
 * Numbers that JavaScript can't hold exactly keep their digits from the delivery to the result:
 * in between they are objects that text shows in full, and that `Number(…)` rounds. A `bigint` in
 * the result is a number with all its digits.
 */
export async function runTransform(
  threads: Threads<TransformTasks>,
  { steps, ...input }: TransformInput,
  { accountId }: Whose,
): Promise<TransformResult> {
  const problem = checkSize(input.source);
  if (problem !== null) return problem;
  const stepsJson = stringifyExactJson(steps, transformLimits.inputChars);
  if (!stepsJson.ok)
    return failTransform("input_too_large", `The steps can't be read: ${stepsJson.message}.`);
  const sent = { ...input, delivery: toOwnBytes(input.delivery), stepsJson: stepsJson.text };
  const outcome = await threads.run("runTransform", sent, { accountId, limitsMs });
  const result = readOutcome(outcome);
  if (!result.ok) return result;
  if (Buffer.byteLength(result.json) > transformLimits.outputBytes)
    return failTransform("output_too_large", outputTooLarge);
  const parsed = parseExactJson(result.json, transformLimits.outputDepth);
  if (!parsed.ok) return failTransform("not_json", `The result can't be read: ${parsed.message}.`);
  return { ok: true, value: parsed.value };
}

/** Checks on save whether the code loads and exports a function. */
export async function checkTransform(
  threads: Threads<TransformTasks>,
  source: string,
  { accountId }: Whose,
): Promise<TransformCheck> {
  const problem = checkSize(source);
  if (problem !== null) return problem;
  const options = { accountId, limitsMs, maxWaitMs: 10_000 };
  const outcome = await threads.run("checkTransform", source, options);
  const result = readOutcome(outcome);
  return result.ok ? { ok: true } : result;
}

/** The realm stops the user's code after `runMs`, except within a built-in function. */
const limitsMs = { run: 5_000, transform: transformLimits.threadMs };

function checkSize(source: string): TransformError | null {
  if (source.length <= transformLimits.sourceChars) return null;
  return failTransform(
    "source_too_large",
    `The code has more than ${transformLimits.sourceChars} characters. Make it shorter.`,
  );
}

const outputTooLarge = `The result is larger than ${transformLimits.outputBytes / 1024} KiB. Return less.`;

const tooBusy = "The server was too busy to begin with the transform. Try again in a minute.";
const slowDelivery =
  "Reading the delivery took too long. Have the provider send less in one delivery.";

function readOutcome(outcome: ThreadOutcome<RealmResult>): RealmResult {
  if (outcome.kind === "done") return outcome.value;
  if (outcome.kind === "too_large") return failTransform("out_of_memory", outOfMemory);
  if (isBusy(outcome)) return failTransform("too_busy", tooBusy);
  const hasBegun = outcome.kind === "too_slow" && outcome.phase === "transform";
  return failTransform("too_slow", hasBegun ? tooSlow : slowDelivery);
}
