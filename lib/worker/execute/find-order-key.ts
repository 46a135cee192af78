import { createHash } from "node:crypto";
import { readValue } from "#lib/core/mapping/template/render-value.ts";
import { unkeyedKey } from "#lib/db/queue/control/claim-order.ts";
import type { KeyedRun } from "#lib/db/queue/set-order-keys.ts";
import type { ExecuteOptions } from "../action/execute-options.ts";
import { readDelivery } from "../action/read-delivery.ts";
import { type Executed, endRun, failBeforeCall } from "../outcome/run-outcome.ts";
import { prepareInRun } from "../steps/step-context.ts";
import type { ExecuteInput } from "./execute-run.ts";

/**
 * The order key of a run of an ordered action, or the end of a run that has nothing to do and so
 * holds no other run. A key whose value is empty or null means that the run isn't ordered, so the
 * run gets a key of its own.
 */
export async function findOrderKey(
  { run, target, delivery }: ExecuteInput,
  options: ExecuteOptions,
): Promise<KeyedRun | Executed> {
  const { id, leaseId } = run;
  const read = target === undefined ? undefined : options.configs.read(target);
  // A run that can't be prepared reports that when it runs.
  const alone = { id, leaseId, orderKey: toOrderKey(`run ${id}`) };
  if (target === undefined || delivery === undefined || read?.ok !== true) return alone;
  if (target.orderBy === null) return alone;
  const { config } = read;
  const context = {
    runId: id,
    threads: options.threads,
    target,
    delivery: readDelivery(delivery),
    version: options.version,
  };
  const prepared = await prepareInRun(context, {
    filter: run.attemptNumber === 1 ? config.filter : null,
    need: { kind: "value", value: target.orderBy, at: "order.by" },
    chars: target.stepsJson?.length ?? 0,
  });
  if (prepared.kind === "skip")
    return endRun(run, "skipped", "filter_not_matched", prepared.message);
  if (prepared.kind === "fail")
    return failBeforeCall(run, prepared.code, prepared.message, config.secretValues);
  const value = readValue(prepared.value);
  if (value === null || value === "") return alone;
  const text = typeof value === "string" ? value : prepared.value;
  return { id, leaseId, orderKey: toOrderKey(`key ${text}`) };
}

function toOrderKey(text: string): bigint {
  const key = createHash("sha256").update(text).digest().readBigInt64BE();
  return key === unkeyedKey ? key + 1n : key;
}
