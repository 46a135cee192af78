import type { FilterVerdict } from "#lib/core/filter/evaluate-filter.ts";
import { stringifyExactJson } from "#lib/core/json/stringify-exact-json.ts";
import { redactText } from "#lib/core/redact/redact-text.ts";
import { readPublishedEvent } from "#lib/core/sender/read-published-event.ts";
import { readDelay } from "#lib/core/steps/read-delay.ts";
import { newId } from "#lib/ids.ts";
import type { StepOf } from "#lib/schema/action/steps.ts";
import type { FieldError } from "#lib/schema/field/command-result.ts";
import type { JsonValue } from "#lib/schema/field/json-value.ts";
import type { ShownRequest } from "#lib/services/actions/build-preview.ts";
import {
  type DraftGround,
  prepareDraft,
  readDraftGround,
  showStart,
} from "#lib/services/actions/preview-draft.ts";
import type { ServiceParts } from "#lib/services/service-parts.ts";
import {
  prepareStep,
  type ReadLast,
  readLastOf,
  readResult,
  renderValue,
  type StepGround,
  transform,
} from "./prepare-step.ts";
import { type ShownResult, showResult } from "./show-result.ts";
import type { StepDraftInput, StepPlace } from "./step-draft-input.ts";

/** What the editor shows of a step before it is done. Paths are those of the step. */
export type StepPreview = {
  /** Why it can't be done; null: it can. */
  readonly code: string | null;
  readonly errors: readonly FieldError[];
  /** Of a call. */
  readonly request: ShownRequest | null;
  /** What each template field renders to, by path. */
  readonly resolved: Readonly<Record<string, string>>;
  /** Of the action's filter. Null: it can't be evaluated. */
  readonly verdict: FilterVerdict | null;
  /** Of the step's own condition. */
  readonly when: FilterVerdict | null;
  readonly items: StepGround["items"];
  /** Of a transform: what it gives. Of an event: what is published. Of a delay: its length in ms. */
  readonly value: string | null;
  /** Of a transform: what later steps see. */
  readonly result: ShownResult | null;
};

const nothing: Omit<StepPreview, "verdict"> = {
  code: null,
  errors: [],
  request: null,
  resolved: {},
  when: null,
  items: null,
  value: null,
  result: null,
};

/**
 * What a step would do for a stored delivery, by the functions that do it. Sends nothing. Transforms
 * are run: they reach nothing.
 */
export async function previewStep(
  context: ServiceParts,
  accountId: string,
  place: StepPlace,
  input: StepDraftInput,
): Promise<StepPreview> {
  const found = await readDraftGround(context, accountId, place);
  return previewOn(context, found, input, readLastOf(context, accountId, place));
}

/** The same on what is read already. */
export async function previewOn(
  context: ServiceParts,
  found: DraftGround,
  input: StepDraftInput,
  readLast: ReadLast,
): Promise<StepPreview> {
  const ground = await prepareStep(context, found, input, readLast);
  const { verdict } = ground;
  if (!ground.ok) return { ...nothing, code: "list_invalid", errors: ground.errors, verdict };
  const { items } = ground;
  const shown = await previewWork(context, ground, input);
  return { ...nothing, verdict, items, ...shown };
}

type Shown = Partial<StepPreview>;

async function previewWork(
  context: ServiceParts,
  ground: StepGround,
  { step, formerKey }: StepDraftInput,
): Promise<Shown> {
  switch (step.kind) {
    case "call":
      return await previewCall(context, ground, step, formerKey);
    case "transform":
      return await previewTransform(context, ground, step);
    case "delay":
      return await previewDelay(context, ground, step);
    case "publish":
      return await previewPublish(context, ground, step);
    default:
      return step satisfies never;
  }
}

async function previewCall(
  context: ServiceParts,
  ground: StepGround,
  { request, when }: StepOf<"call">,
  formerKey: string | null,
): Promise<Shown> {
  const { names } = ground;
  const draft = { request, filter: when, step: { formerKey, names } };
  const prepared = await prepareDraft(context, ground, draft, newId());
  if (!prepared.ok) return { code: "template_invalid", errors: prepared.errors };
  const { secrets, call } = prepared;
  const resolved = prepared.resolved.map(({ path, text }) => [
    `request.${path}`,
    redactText(text, secrets),
  ]);
  return {
    code: call.ok ? null : call.code,
    errors: call.ok ? [] : call.errors.map(atWhen),
    request: call.request === undefined ? null : showStart(call.request, secrets),
    resolved: Object.fromEntries(resolved),
    when: when === null ? null : prepared.verdict,
  };
}

/** The condition of the step is the filter of its call. */
function atWhen(error: FieldError): FieldError {
  return error.path === "filter" ? { ...error, path: "when" } : error;
}

async function previewTransform(
  context: ServiceParts,
  ground: StepGround,
  { key, code, when }: StepOf<"transform">,
): Promise<Shown> {
  const { verdict } = await renderValue(context, ground, { value: null, when });
  const run = await transform(ground, { key, code, names: ground.names });
  const shown = { when: when === null ? null : verdict, result: showResult(key, readResult(run)) };
  if (run.ok) return { ...shown, value: write(run.value) };
  const { message, line, column } = run;
  const place = line === null || column === null ? {} : { line, column };
  const errors = [{ path: "code", code: "invalid_value" as const, message, ...place }];
  return { ...shown, code: `transform_${run.code}`, errors };
}

async function previewDelay(
  context: ServiceParts,
  ground: StepGround,
  step: StepOf<"delay">,
): Promise<Shown> {
  const { when } = step;
  const rendered = await renderValue(context, ground, { value: step.until ?? null, when });
  const shown = { when: when === null ? null : rendered.verdict };
  if (!rendered.ok)
    return { ...shown, code: "mapping_failed", errors: under("until", rendered.errors) };
  const read = readDelay(step, rendered.value, Date.now());
  if (read.ok) return { ...shown, value: String(read.delayMs) };
  const message = read.message.replace(/^until: /, "");
  return {
    ...shown,
    code: "time_invalid",
    errors: [{ path: "until", code: "invalid_value", message }],
  };
}

async function previewPublish(
  context: ServiceParts,
  ground: StepGround,
  { type, recipient, data, when }: StepOf<"publish">,
): Promise<Shown> {
  const body = { type, ...(recipient !== null && { recipient }), data };
  const rendered = await renderValue(context, ground, { value: body, when });
  const shown = { when: when === null ? null : rendered.verdict };
  if (!rendered.ok) return { ...shown, code: "mapping_failed", errors: rendered.errors };
  const value = write(rendered.value);
  const read = readPublishedEvent(Buffer.from(value));
  if (read.ok) return { ...shown, value };
  return { ...shown, value, code: "event_invalid", errors: read.problem.errors ?? [] };
}

function under(path: string, errors: readonly FieldError[]): readonly FieldError[] {
  return errors.map((error) => ({ ...error, path }));
}

/** As much as a page shows. */
const maxChars = 20_001;

function write(value: JsonValue): string {
  const written = stringifyExactJson(value);
  return written.ok ? written.text.slice(0, maxChars) : "";
}
