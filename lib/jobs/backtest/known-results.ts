import { showStoredBody } from "#lib/core/api/http/show-response.ts";
import { parseExactJson } from "#lib/core/mapping/json/parse-exact-json.ts";
import type { StepNames } from "#lib/core/mapping/template/step-context.ts";
import { wholeStep } from "#lib/core/steps/collect-results.ts";
import type { StepError } from "#lib/core/steps/kinds/step-kind.ts";
import type { RealRun } from "#lib/db/backtests/work-backtests.ts";
import type { BacktestResponse } from "#lib/schema/act/backtest.ts";
import { onlyCallKey } from "#lib/schema/act/step-limits.ts";
import type { JsonValue } from "#lib/schema/field/json-value.ts";

type Ended = { readonly error: StepError | null };

/**
 * The results that later steps of a backtest see: those of this backtest, and the responses of
 * calls.
 */
export class KnownResults {
  readonly #real: RealRun | undefined;
  readonly #given: Readonly<Record<string, BacktestResponse>>;
  readonly #whole = new Map<string, JsonValue>();
  readonly #items = new Map<string, JsonValue[]>();
  /** The sources of the responses that were used. */
  readonly sources: Record<string, "stored" | "given"> = {};

  constructor(real: RealRun | undefined, given: Readonly<Record<string, BacktestResponse>>) {
    this.#real = real;
    this.#given = given;
  }

  set(key: string, item: number | null, result: JsonValue): void {
    if (item === null) this.#whole.set(key, result);
    else {
      const list = this.#items.get(key) ?? [];
      list[item] = result;
      this.#items.set(key, list);
    }
  }

  /** Uses the response of a call. Undefined: there is none. */
  respond(key: string, item: number | null): Ended | undefined {
    const stored = this.#findStored(key, item ?? wholeStep);
    if (stored !== undefined) {
      this.sources[key] = "stored";
      this.set(key, item, stored.result);
      return stored.ended;
    }
    const given = Object.hasOwn(this.#given, key) ? this.#given[key] : undefined;
    if (given === undefined) return undefined;
    const { status, headers, body } = given;
    const isDone = status >= 200 && status < 300;
    const error = isDone
      ? null
      : { code: `http_${status}`, message: `It responded with ${status}.` };
    this.sources[key] = "given";
    this.set(key, item, { status, headers, body: (body ?? null) as JsonValue, error });
    return { error };
  }

  names(item: { readonly value: JsonValue; readonly index: number } | null): StepNames {
    const steps: Record<string, JsonValue> = Object.create(null);
    for (const [key, result] of this.#whole) {
      const items = this.#items.get(key);
      const list = items === undefined ? {} : { items: Array.from(items, (each) => each ?? null) };
      steps[key] = { ...(result as Record<string, JsonValue>), ...list };
    }
    return item === null ? { steps } : { steps, item: item.value, index: item.index };
  }

  #findStored(key: string, item: number) {
    const record = this.#real?.steps.find((step) => step.key === key && step.item === item);
    if (record !== undefined) {
      if (record.state !== "succeeded" && record.state !== "failed") return undefined;
      const result = read(record.resultJson);
      const { errorCode, errorMessage } = record;
      const error =
        record.state === "failed"
          ? { code: errorCode ?? "failed", message: errorMessage ?? "The step failed." }
          : null;
      return result === undefined ? undefined : { result, ended: { error } };
    }
    // The action had one call when the delivery ran it.
    if (key !== onlyCallKey || item !== wholeStep) return undefined;
    return readResponse(this.#real?.responseJson ?? null);
  }
}

function read(json: string | null): JsonValue | undefined {
  const parsed = json === null ? undefined : parseExactJson(json);
  return parsed?.ok === true ? parsed.value : undefined;
}

/** A response as the history stores it: `{status, headers: [[name, value]], body, truncated}`. */
function readResponse(json: string | null) {
  if (json === null) return undefined;
  const stored = JSON.parse(json) as {
    status: number;
    headers: [string, string][];
    body: string;
    bodyBinary?: boolean;
  };
  const { status, headers } = stored;
  const { text, isBinary } = showStoredBody(stored);
  const body = isBinary
    ? { bodyBinary: true }
    : { body: read(text) ?? (text === "" ? null : text) };
  const isDone = status >= 200 && status < 300;
  const error = isDone ? null : { code: `http_${status}`, message: `It responded with ${status}.` };
  const result: JsonValue = { status, headers: Object.fromEntries(headers), ...body, error };
  return { result, ended: { error } };
}
