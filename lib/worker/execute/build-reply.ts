import { readReply } from "#lib/core/mapping/build-request/read-reply.ts";
import { parseExactJson } from "#lib/core/mapping/json/parse-exact-json.ts";
import type { StepNames } from "#lib/core/mapping/template/step-context.ts";
import { redactText } from "#lib/core/people/redact/redact-text.ts";
import { toCallResult } from "#lib/core/steps/step-result.ts";
import type { ClaimedRun } from "#lib/db/queue/claimed-run.ts";
import type { RunTarget } from "#lib/db/queue/load-run-inputs.ts";
import type { RunDelivery } from "#lib/db/queue/run-delivery.ts";
import type { RunReply } from "#lib/db/replies/store-replies.ts";
import { onlyCallKey } from "#lib/schema/act/step-limits.ts";
import type { JsonValue } from "#lib/schema/field/json-value.ts";
import {
  type HookReply,
  type ReplyParts,
  storedHookReplySchema,
} from "#lib/schema/receive/hook-reply.ts";
import type { ExecuteOptions } from "../action/execute-options.ts";
import { prepareNeed } from "../action/prepare-run.ts";
import { readDelivery } from "../action/read-delivery.ts";
import type { Executed } from "../outcome/run-outcome.ts";
import { toStoredText } from "../outcome/stored-attempt.ts";

type ReplyInput = {
  readonly run: ClaimedRun;
  readonly target: RunTarget;
  /** Undefined: it is no longer stored. */
  readonly delivery: RunDelivery | undefined;
};

/** The reply of a run that has ended, from its delivery and the results of its steps. */
export async function buildReply(
  input: ReplyInput,
  executed: Executed,
  options: ExecuteOptions,
): Promise<RunReply> {
  const parts = choose(readConfig(input.target.replyJson), executed.finished.next.state);
  return "problem" in parts ? none(parts.problem) : render(parts, executed, input, options);
}

function readConfig(json: string | null): HookReply | null {
  const parsed = storedHookReplySchema.safeParse(json === null ? null : JSON.parse(json));
  return parsed.success ? parsed.data : null;
}

function choose(
  config: HookReply | null,
  state: string,
): ReplyParts | { readonly problem: string | null } {
  if (config === null) return { problem: "The stored reply can't be read. Save it again." };
  if (state === "succeeded") return config;
  if (state === "failed" && config.onFailure !== null) return config.onFailure;
  return { problem: `The run ${state === "failed" ? "failed" : `was ${state}`}.` };
}

async function render(
  parts: ReplyParts,
  executed: Executed,
  { target, delivery }: ReplyInput,
  options: ExecuteOptions,
): Promise<RunReply> {
  if (delivery === undefined) return none("The delivery is no longer stored.");
  const read = options.configs.read(target);
  const secretValues = read.ok ? read.config.secretValues : [];
  const { names, chars } = executed.readSteps?.() ?? readCall(executed, secretValues);
  const { view, readContext } = readDelivery(delivery);
  const input = {
    delivery: view,
    hook: target.hook,
    filter: null,
    need: { kind: "reply", parts } as const,
    names,
    nowMs: Date.now(),
  };
  const actionChars = (target.replyJson?.length ?? 0) + chars;
  const work = { accountId: target.accountId, actionChars, readContext };
  const prepared = await prepareNeed(options.threads, input, work);
  if (prepared.kind !== "ready") return none(toStoredText(prepared.message, secretValues));
  const reply = readReply(prepared.value);
  if (!reply.ok) return none(toStoredText(reply.problem, secretValues));
  const body = redactText(reply.reply.body, secretValues).toWellFormed();
  return { reply: { ...reply.reply, body }, problem: null };
}

/** The only call of an action, as a later step would see it. */
function readCall({ finished, result }: Executed, secretValues: readonly string[]) {
  const { reason, state } = finished.next;
  const error =
    state === "failed" ? { code: reason?.code ?? "failed", message: reason?.detail ?? "" } : null;
  const json = toCallResult(result?.response ?? null, error, secretValues, 0);
  const parsed = parseExactJson(json);
  const call: JsonValue = parsed.ok ? parsed.value : null;
  const names: StepNames = { steps: { [onlyCallKey]: call } };
  return { names, chars: json.length };
}

function none(problem: string | null): RunReply {
  return { reply: null, problem };
}
