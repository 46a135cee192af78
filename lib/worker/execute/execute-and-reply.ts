import type { Executed } from "../outcome/run-outcome.ts";
import { buildAnswer } from "../reply/build-reply.ts";
import type { StepsOptions } from "../steps/step-flow.ts";
import { type ExecuteInput, executeRun } from "./execute-run.ts";

/**
 * One attempt of a run whose action answers the provider. Once the run has ended, its answer is
 * stored with it. A run that goes on has none yet.
 */
export async function executeAndAnswer(
  input: ExecuteInput,
  options: StepsOptions,
): Promise<Executed> {
  const executed = await executeRun(input, options);
  const { run, target, delivery } = input;
  const { finished } = executed;
  if (finished.next.state === "retrying" || target === undefined) return executed;
  const answer = await buildAnswer({ run, target, delivery }, executed, options);
  return { ...executed, finished: { ...finished, answer } };
}
