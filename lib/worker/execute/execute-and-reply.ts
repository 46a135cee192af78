import { toError } from "#lib/base/errors.ts";
import { log } from "#lib/base/log.ts";
import type { RunReply } from "#lib/db/replies/store-replies.ts";
import type { Executed } from "../outcome/run-outcome.ts";
import type { StepsOptions } from "../steps/worker-run.ts";
import { buildReply } from "./build-reply.ts";
import { type ExecuteInput, executeRun } from "./execute-run.ts";

/**
 * Makes one attempt of a run whose action replies to the provider. Once the run has ended, its
 * reply is stored with it. A run that continues has no reply yet.
 */
export async function executeAndReply(
  input: ExecuteInput,
  options: StepsOptions,
): Promise<Executed> {
  const executed = await executeRun(input, options);
  const { run, target, delivery } = input;
  const { finished } = executed;
  if (finished.next.state === "retrying" || target === undefined) return executed;
  const reply = await buildReply({ run, target, delivery }, executed, options).catch(
    // Thrown, it would take the outcome with it: a call that was made would count as never made.
    (error: unknown): RunReply => {
      log.warn("run.reply_failed", { runId: run.id, error: toError(error) });
      return { reply: null, problem: "The reply couldn't be built." };
    },
  );
  return { ...executed, finished: { ...finished, reply } };
}
