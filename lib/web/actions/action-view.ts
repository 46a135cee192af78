import { z } from "zod";
import type { Sealer } from "#lib/core/people/seal/sealer.ts";
import { openActionAuth, openStepAuths } from "#lib/core/sending/credential/action-auth.ts";
import { secretHint } from "#lib/core/verify/secret/secret-hint.ts";
import {
  type ActionOptionName,
  type ActionOptions,
  mapOptions,
} from "#lib/schema/act/action-options.ts";
import type { ActionRequestTemplate } from "#lib/schema/act/action-request.ts";
import { partContents } from "#lib/schema/act/multipart.ts";
import { orderSchema } from "#lib/schema/act/order.ts";
import type { RequestAuth } from "#lib/schema/act/request-auth.ts";
import type { AnyStep } from "#lib/schema/act/steps.ts";
import type { SuccessRule } from "#lib/schema/act/success.ts";
import { rateLimitSchema } from "#lib/schema/field/rate-limit.ts";
import { readKnown } from "#lib/services/actions/known-calls.ts";
import type { ActionRecord, ActionWithBreaker } from "#lib/services/actions/read-actions.ts";
import { shownBreaker } from "#lib/web/destinations/destination-view.ts";
import { exactJson } from "#lib/web/route/api-json.ts";
import { view } from "#lib/web/route/view.ts";

const downSince = z.date();
const nextTryAt = z.date();

/** The current state of an action's breaker. */
export const breakerStateSchema = z
  .discriminatedUnion("state", [
    z.object({ state: z.literal("closed") }),
    z.object({ state: z.literal("held"), heldSince: z.date(), reason: z.string() }),
    z.object({ state: z.literal("open"), downSince, nextTryAt }),
    z.object({ state: z.literal("probing"), downSince, nextTryAt }),
    z.object({ state: z.literal("recovering"), downSince, concurrency: z.int() }),
  ])
  .meta({ id: "BreakerState" });

const filter = z.unknown().describe("Which deliveries run it. Null: every accepted one");

const authSchema = z
  .object({
    type: z.string(),
    name: z.string().optional().describe("The name of the header, parameter, or field"),
    hint: z.string().nullable().optional().describe("The last 4 characters"),
    credentialId: z.string().optional().describe("A saved credential"),
  })
  .meta({ id: "ShownAuth" });

const requestSchema = z
  .object({
    method: z.string(),
    url: z.string(),
    headers: z.record(z.string(), z.string()),
    query: z.record(z.string(), z.string()),
    body: z.unknown().describe("Any JSON. Its strings are templates"),
    bodyText: z.string().nullable(),
    multipart: z
      .array(
        z.object({
          name: z.string(),
          content: z.enum(partContents).describe("What the part holds"),
          value: z.string(),
          fileName: z.string().nullable().describe("Null: a field"),
          contentType: z.string().nullable(),
        }),
      )
      .readonly()
      .nullable()
      .describe("The parts of a multipart/form-data body. Null: no such body"),
    forward: z
      .object({
        method: z.boolean(),
        query: z.boolean(),
        headers: z.union([z.literal("all"), z.array(z.string())]),
      })
      .nullable(),
    destinationId: z.string().nullable(),
    auth: authSchema.nullable(),
  })
  .meta({ id: "ActionRequest" });

const stepSchema = z.looseObject({ key: z.string(), kind: z.string() }).meta({ id: "ActionStep" });

const optionFields = mapOptions((_name, option) =>
  option.default === null ? z.int().nullable() : z.int(),
) as { [Name in ActionOptionName]: z.ZodType<ActionOptions[Name]> };

/** The settings of an action besides its calls. Nothing is left to its defaults. */
export const shownContent = {
  filter,
  retry: z
    .object({
      maxAttempts: z.int(),
      initialDelayMs: z.int(),
      maxDelayMs: z.int(),
      on: z.array(z.union([z.string(), z.int()])).readonly(),
      giveUpAfterSeconds: z.int().nullable().optional(),
    })
    .meta({ id: "ShownRetry" }),
  success: z
    .object({
      statuses: z.array(z.union([z.string(), z.int()])).nullable(),
      when: z.unknown().describe("What else must hold. Null: nothing"),
    })
    .meta({ id: "ShownSuccess" })
    .nullable(),
  rateLimit: rateLimitSchema.nullable(),
  breaker: shownBreaker.nullable(),
  order: orderSchema.nullable(),
  ...optionFields,
};

const actionSchema = z
  .object({
    id: z.string(),
    hookId: z.string(),
    name: z.string(),
    enabled: z.boolean(),
    position: z.int(),
    request: requestSchema.nullable().describe("The one call. Null: it has steps"),
    steps: z.array(stepSchema).nullable().describe("Null: it makes one call"),
    ...shownContent,
    version: z.int().describe("Goes up with each save of what the action does"),
    createdAt: z.date(),
    updatedAt: z.date(),
  })
  .meta({ id: "Action" });

/** An action in the API's responses, with only the kind and a hint of its credentials. */
export const actionView = view(actionSchema, (action: ActionRecord, { sealer }) => {
  const { id, hookId, name, enabled, position, retry, rateLimit, breaker, order } = action;
  const { version, createdAt, updatedAt } = action;
  return {
    id,
    hookId,
    name,
    enabled,
    position,
    filter: exactJson(action.filter),
    ...showWork(action, sealer),
    retry,
    success: showSuccess(action.success),
    rateLimit,
    breaker,
    order,
    ...(mapOptions((option) => action[option]) as ActionOptions),
    version,
    createdAt,
    updatedAt,
  };
});

/** An action by itself, with the state of its breaker if it has one or is held. */
export const actionWithBreakerView = view(
  actionSchema.extend({ breakerState: breakerStateSchema.optional() }).meta({ id: "WholeAction" }),
  ({ action, breakerState }: ActionWithBreaker, context) => {
    const shown = actionView.show(action, context);
    const isShown = action.breaker !== null || breakerState.state === "held";
    return isShown ? { ...shown, breakerState } : shown;
  },
);

const missingCredentials = z
  .array(z.string())
  .readonly()
  .describe("The keys of calls whose credentials must be entered");

type Restored = { readonly action: ActionRecord; readonly missingCredentials: readonly string[] };

/** An action that does what one of its versions did. */
export const restoredActionView = view(
  actionSchema.extend({ missingCredentials }).meta({ id: "RestoredAction" }),
  ({ action, ...missing }: Restored, context) => ({
    ...actionView.show(action, context),
    ...missing,
  }),
);

type Imported = Restored & { readonly missingDestinations: readonly string[] };

/** An action that came from a document. */
export const importedActionView = view(
  actionSchema
    .extend({
      missingCredentials,
      missingDestinations: z
        .array(z.string())
        .readonly()
        .describe("The keys of calls whose destination isn't there. They call their URL"),
    })
    .meta({ id: "ImportedAction" }),
  ({ action, ...missing }: Imported, context) => ({
    ...actionView.show(action, context),
    ...missing,
  }),
);

function showSuccess(rule: SuccessRule | null) {
  return rule === null ? null : { ...rule, when: exactJson(rule.when) };
}

type ShownAuth = { readonly type: string; readonly hint: string | null };

/** The kind and a hint of the credentials of each call that has some, by the key of its step. */
export function listShownAuths(
  action: ActionRecord,
  sealer: Sealer,
): Readonly<Record<string, ShownAuth>> {
  const shown: Record<string, ShownAuth> = {};
  for (const [key, { auth, request }] of readKnown(sealer, action, action)) {
    if (auth !== null) shown[key] = { type: auth.type, ...hintOf(auth) };
    else if (request.credentialId !== undefined) shown[key] = { type: "credential", hint: null };
  }
  return shown;
}

function showWork(action: ActionRecord, sealer: Sealer) {
  const { request, steps } = action;
  if (request !== null)
    return { request: showRequest(request, openActionAuth(sealer, action)), steps: null };
  const auths = openStepAuths(sealer, action);
  return { request: null, steps: (steps ?? []).map((step) => showStep(step, auths)) };
}

type ShownStep = z.output<typeof stepSchema>;

function showStep(step: AnyStep, auths: ReadonlyMap<string, RequestAuth>): ShownStep {
  const { onFailure } = step;
  const branch =
    typeof onFailure === "object"
      ? { steps: onFailure.steps.map((each) => showStep(each, auths)) }
      : onFailure;
  const shown = { ...step, when: exactJson(step.when), onFailure: branch };
  if (step.kind === "publish") return { ...shown, data: exactJson(step.data) };
  if (step.kind !== "call") return shown;
  const request = showRequest(step.request, auths.get(step.key) ?? null);
  return { ...shown, success: showSuccess(step.success), request };
}

function showRequest(template: ActionRequestTemplate, auth: RequestAuth | null) {
  const { method, url, headers, query, body, bodyText, multipart = null, forward } = template;
  const { destinationId = null, credentialId } = template;
  const shown = {
    method,
    url,
    headers,
    query,
    body: exactJson(body),
    bodyText,
    multipart,
    forward,
  };
  return { ...shown, destinationId, auth: showAuth(auth, credentialId) };
}

function showAuth(auth: RequestAuth | null, credentialId: string | undefined) {
  if (credentialId !== undefined) return { type: "credential" as const, credentialId };
  return auth === null ? null : { type: auth.type, ...hintOf(auth) };
}

function hintOf(auth: RequestAuth) {
  switch (auth.type) {
    case "bearer":
      return { hint: secretHint(auth.token) };
    case "basic":
      // Many services use a key as the user name alone, so the name is as secret as the password.
      return { hint: secretHint(auth.password === "" ? auth.username : auth.password) };
    case "header":
    case "query":
    case "body":
      return { name: auth.name, hint: secretHint(auth.value) };
    default:
      return auth satisfies never;
  }
}
