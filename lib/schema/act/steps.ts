/** The steps of an action, as exchanged by the API and the database. */
import { z } from "zod";
import { brokenRule } from "#lib/schema/field/command-result.ts";
import { describeJsonProblem, type JsonValue } from "#lib/schema/field/json-value.ts";
import { stepFilterSchema, stepPath } from "./action-filter.ts";
import { requestSchema } from "./action-request.ts";
import { retrySchema } from "./retry-schema.ts";
import { maxSteps, onlyCallKey, stepKeyPattern } from "./step-limits.ts";
import { successSchema } from "./success.ts";

const dayMs = 86_400_000;

const template = (maxChars: number) =>
  z.string().min(1, "must not be empty").max(maxChars, `must have at most ${maxChars} characters`);

const key = z
  .string()
  .regex(
    stepKeyPattern,
    "must start with a letter and have only a–z, 0–9, and _, at most 40 characters",
  )
  .describe("The name of the step: templates of later ones read `steps.<key>`");

const common = {
  key,
  /** If the filter doesn't match, the step is skipped. */
  when: stepFilterSchema.nullable().default(null),
  /** Repeats the step for each item of a list, available as `item` with its `index`. */
  forEach: z
    .strictObject({
      path: stepPath.describe("The list, such as `data.items`"),
      parallel: z
        .int()
        .min(1, "must be at least 1")
        .max(20, "must be at most 20")
        .default(1)
        .describe("How many items at the same time. 1: in order, and none after a failed one"),
    })
    .meta({ id: "ForEach" })
    .nullable()
    .default(null),
};

const call = z.strictObject({
  ...common,
  kind: z.literal("call").describe("Decides which other fields the step has"),
  request: requestSchema.describe("For `call`: the request to send"),
  timeoutMs: z
    .int()
    .min(100, "must be at least 100")
    .max(60_000, "must be at most 60000")
    .nullable()
    .default(null)
    .describe("For `call`: the timeout. Null: the action's"),
  retry: retrySchema
    .nullable()
    .default(null)
    .describe("For `call`: the retry policy. Null: the action's"),
  success: successSchema
    .nullable()
    .default(null)
    .describe("For `call`: the responses that are a success. Null: the action's rule"),
  onUnknown: z
    .enum(["repeat", "ask"], { error: "must be repeat or ask" })
    .nullable()
    .default(null)
    .describe(
      "For `call`: what to do if a crash hides whether it was made. Null: `ask` for POST and PATCH",
    ),
});

const delay = z
  .strictObject({
    ...common,
    kind: z.literal("delay"),
    ms: z
      .int()
      .min(1_000, "must be at least 1000")
      .max(30 * dayMs, "must be at most 30 days")
      .optional()
      .describe("For `delay`: how long to wait in milliseconds, unless `until` is there"),
    until: template(1_000)
      .optional()
      .describe("For `delay`: a template that gives the time to wait for"),
  })
  .refine(
    ({ ms, until }) => (ms === undefined) !== (until === undefined),
    brokenRule("conflict", "needs ms or until, not both"),
  );

const dataLimits = { maxDepth: 64, maxNodes: 5_000, maxChars: 256 * 1024 };

/** Any JSON value. Strings in it are templates. */
const data = z.unknown().transform((value, ctx): JsonValue => {
  const problem = describeJsonProblem(value, dataLimits);
  if (problem !== null) ctx.addIssue({ code: "custom", message: problem });
  return problem === null ? (value as JsonValue) : null;
});

const publish = z.strictObject({
  ...common,
  kind: z.literal("publish"),
  type: template(1_000).describe("For `publish`: a template of the event's type"),
  recipient: template(1_000)
    .nullable()
    .default(null)
    .describe(
      "For `publish`: a template of the recipient. Null: the event goes to subscriptions without one",
    ),
  data: data
    .optional()
    .transform((value) => value ?? null)
    .describe("For `publish`: the event's data. Strings in it are templates"),
});

/** A step whose value is the function's return value. The function handles lists itself. */
const transform = z.strictObject({
  key,
  when: common.when,
  forEach: z.null({ error: "a transform goes through a list by itself" }).default(null),
  kind: z.literal("transform"),
  code: template(65_536).describe(
    "For `transform`: JavaScript, `export default (delivery, steps) => …`",
  ),
});

/** In the order in which errors name them. */
export const stepKinds = ["call", "transform", "delay", "publish"] as const;

/** A step of any kind. A step in a branch has no branch itself, so `onFailure` differs. */
function stepWith<OnFailure extends z.ZodType>(onFailure: OnFailure) {
  const more = { onFailure };
  return z.discriminatedUnion(
    "kind",
    [
      call.safeExtend(more),
      transform.safeExtend(more),
      delay.safeExtend(more),
      publish.safeExtend(more),
    ],
    { error: `must be one of ${stepKinds.join(", ")}` },
  );
}

/** The steps to run instead of a failed one. */
const onFailureError = 'must be "stop", "continue", or {"steps": […]}';
const branchStep = stepWith(z.enum(["stop", "continue"]).default("stop"));
type BranchStep = z.infer<typeof branchStep>;

const branch = z.strictObject({ steps: z.array(branchStep).min(1, "at least one step") });

/** Not a union: zod would report "invalid input" without the path of the error. */
const onFailure = z
  .unknown()
  .transform((value, ctx): "stop" | "continue" | { readonly steps: readonly BranchStep[] } => {
    if (value === "stop" || value === "continue") return value;
    if (typeof value !== "object" || value === null) {
      ctx.addIssue({ code: "custom", message: onFailureError });
      return z.NEVER;
    }
    const parsed = branch.safeParse(value);
    if (parsed.success) return parsed.data;
    for (const issue of parsed.error.issues)
      ctx.issues.push({ ...issue, input: value } as z.core.$ZodRawIssue);
    return z.NEVER;
  })
  .prefault("stop");

export const stepSchema = stepWith(onFailure).meta({ id: "Step" });

/** A step with all defaults filled in. Credentials of calls are stored separately. */
export type ActionStep = z.infer<typeof stepSchema>;
export type AnyStep = ActionStep | BranchStep;
export type StepOf<Kind extends AnyStep["kind"]> = Extract<AnyStep, { kind: Kind }>;

/** Steps in order. Templates are checked separately, by `requireSendableSteps`. */
export const stepsSchema = z
  .array(stepSchema)
  .min(1, "at least one step")
  .superRefine((steps, ctx) => {
    const all = listSteps(steps);
    if (all.length > maxSteps) {
      const message = `at most ${maxSteps} steps, those for failures included`;
      ctx.addIssue({ code: "custom", ...brokenRule("too_long", message, { limit: maxSteps }) });
    }
    const known = new Set<string>();
    for (const { path, step: each } of all) {
      if (known.has(each.key)) {
        const at = [...path, "key"];
        const rule = brokenRule("duplicate", `another step has the key ${each.key}`);
        ctx.addIssue({ code: "custom", path: at, ...rule });
      }
      known.add(each.key);
    }
  });

export type PlacedStep = {
  /** The path below the list: `[0, "onFailure", "steps", 1]`. */
  readonly path: readonly (string | number)[];
  readonly step: AnyStep;
};

/** Every step. The steps of a branch follow the step whose failure they handle. */
export function listSteps(steps: readonly ActionStep[]): readonly PlacedStep[] {
  return steps.flatMap((each, index) => {
    const own: PlacedStep = { path: [index], step: each };
    if (typeof each.onFailure !== "object") return [own];
    const handled = each.onFailure.steps.map((inner, at) => ({
      path: [index, "onFailure", "steps", at],
      step: inner,
    }));
    return [own, ...handled];
  });
}

/** Changes every step, including those of branches. */
export function mapSteps(
  steps: readonly ActionStep[],
  change: <Step extends AnyStep>(step: Step) => Step,
): readonly ActionStep[] {
  return steps.map((each) => {
    const changed = change(each);
    const { onFailure } = changed;
    if (typeof onFailure !== "object") return changed;
    return { ...changed, onFailure: { steps: onFailure.steps.map(change) } };
  });
}

/** True if a call whose outcome a crash hides is repeated without asking. */
export function repeatsUnknown({ onUnknown, request }: StepOf<"call">): boolean {
  if (onUnknown !== null) return onUnknown === "repeat";
  return ["GET", "HEAD", "PUT", "DELETE"].includes(request.method);
}

/** The request of a single call that uses no feature of steps. Undefined for anything else. */
export function asOneCall(steps: readonly ActionStep[]): StepOf<"call">["request"] | undefined {
  const [only] = steps;
  if (steps.length !== 1 || only?.kind !== "call" || only.key !== onlyCallKey) return undefined;
  const { when, forEach, timeoutMs, retry, success, onUnknown, onFailure } = only;
  const options = [when, forEach, timeoutMs, retry, success, onUnknown];
  const isPlain = options.every((option) => option === null);
  return isPlain && onFailure === "stop" ? only.request : undefined;
}

/** The call that a list shows for an action: its first. Null: the action makes no call. */
export function firstCallOf(action: {
  readonly request: { readonly method: string; readonly url: string } | null;
  readonly steps: readonly ActionStep[] | null;
}): { readonly method: string; readonly url: string } | null {
  return action.request ?? listCalls(action.steps ?? [])[0]?.step.request ?? null;
}

/** The calls among the steps, each with its path in the input. */
export function listCalls(
  steps: readonly ActionStep[],
): readonly { readonly step: StepOf<"call">; readonly at: string }[] {
  return listSteps(steps).flatMap(({ step: each, path }) =>
    each.kind === "call" ? [{ step: each, at: ["steps", ...path].join(".") }] : [],
  );
}
