import { AppError } from "#lib/base/errors.ts";
import { listAuthSecrets } from "#lib/core/people/redact/auth-secrets.ts";
import type { Sealer } from "#lib/core/people/seal/sealer.ts";
import { openActionAuth, openStepAuths } from "#lib/core/sending/credential/action-auth.ts";
import { openSaved, type SavedRows } from "#lib/core/sending/credential/open-saved.ts";
import {
  listCredentialSecrets,
  type SavedCredential,
  toRequestAuth,
} from "#lib/core/sending/credential/saved-credential.ts";
import type { RunTarget } from "#lib/db/queue/load-run-inputs.ts";
import { type ActionFilter, actionFilterSchema } from "#lib/schema/act/action-filter.ts";
import { type ActionRequestTemplate, requestSchema } from "#lib/schema/act/action-request.ts";
import type { RequestAuth } from "#lib/schema/act/request-auth.ts";
import type { RetryPolicy } from "#lib/schema/act/retry-policy.ts";
import { retrySchema } from "#lib/schema/act/retry-schema.ts";
import { type ActionStep, listCalls, stepsSchema } from "#lib/schema/act/steps.ts";
import { type SuccessRule, successSchema } from "#lib/schema/act/success.ts";
import { ConfigCache, readJson } from "./config-cache.ts";

type CommonConfig = {
  readonly filter: ActionFilter | null;
  /** Null: the default policy. */
  readonly retry: RetryPolicy | null;
  /** Null: every 2xx is a success. */
  readonly success: SuccessRule | null;
  /** Secrets in plain text. They must not appear in anything that is stored. */
  readonly secretValues: readonly string[];
};

/** An action that makes one call. */
export type CallConfig = CommonConfig & {
  readonly steps: null;
  readonly request: ActionRequestTemplate;
  readonly auth: RequestAuth | null;
  /** The saved credential of the call. Null: it uses none. */
  readonly credential: SavedCredential | null;
};

export type StepsConfig = CommonConfig & {
  readonly steps: readonly ActionStep[];
  /** The credentials of the requests, by the key of the step. */
  readonly auths: ReadonlyMap<string, RequestAuth>;
  /** The saved credentials, by the key of the step. */
  readonly credentials: ReadonlyMap<string, SavedCredential>;
};

/** An action that is ready to run. */
export type ActionConfig = CallConfig | StepsConfig;

export type ActionConfigResult =
  | { readonly ok: true; readonly config: ActionConfig }
  | {
      readonly ok: false;
      readonly code: ConfigErrorCode;
      readonly message: string;
    };

type ConfigErrorCode = "action_invalid" | "credentials_unreadable" | "credential_unusable";

export type ActionConfigs = ConfigCache<RunTarget, ActionConfigResult>;

/** Reads stored actions. */
export function openActionConfigs(sealer: Sealer): ActionConfigs {
  const read = (target: RunTarget) => readActionConfig(target, sealer);
  return new ConfigCache({ idOf: ({ targetId }) => targetId, read, max: 1_000 });
}

export function readActionConfig(target: RunTarget, sealer: Sealer): ActionConfigResult {
  const filter = actionFilterSchema.nullable().safeParse(readJson(target.filterJson));
  const retry = retrySchema.nullable().safeParse(readJson(target.retryJson));
  const rule = successSchema.nullable().safeParse(readJson(target.successJson));
  if (!filter.success || !retry.success || !rule.success) return unreadable;
  const common = { filter: filter.data, retry: retry.data, success: rule.data };
  const { requestJson, stepsJson } = target;
  try {
    if (requestJson === null) {
      const steps = stepsSchema.safeParse(readJson(stepsJson));
      if (!steps.success) return unreadable;
      return { ok: true, config: { ...common, ...readSteps(target, steps.data, sealer) } };
    }
    const request = requestSchema.safeParse(readJson(requestJson));
    if (!request.success) return unreadable;
    const { auth: _kept, ...template } = request.data;
    const own = openActionAuth(sealer, { ...target, id: target.targetId });
    const { auth, credential, secretValues } = readAuth(target, template, own, sealer);
    const config = { ...common, steps: null, request: template, auth, credential };
    return { ok: true, config: { ...config, secretValues } };
  } catch (error) {
    return error instanceof AppError ? fail("credential_unusable", error.message) : sealed;
  }
}

function readSteps(target: RunTarget, steps: readonly ActionStep[], sealer: Sealer) {
  const auths = new Map(openStepAuths(sealer, { ...target, id: target.targetId }));
  const credentials = new Map<string, SavedCredential>();
  const secretValues: string[] = [];
  for (const { step } of listCalls(steps)) {
    const read = readAuth(target, step.request, auths.get(step.key) ?? null, sealer);
    if (read.auth !== null) auths.set(step.key, read.auth);
    if (read.credential !== null) credentials.set(step.key, read.credential);
    secretValues.push(...read.secretValues);
  }
  return { steps, auths, credentials, secretValues };
}

/** @param own the credentials of the request itself */
function readAuth(
  { accountId, savedJson }: RunTarget,
  request: ActionRequestTemplate,
  own: RequestAuth | null,
  sealer: Sealer,
) {
  const saved: SavedRows = typeof savedJson === "string" ? JSON.parse(savedJson) : nothing;
  const credential =
    savedJson === undefined ? null : openSaved(sealer, accountId, saved, request, own !== null);
  if (credential === null) return { auth: own, credential, secretValues: listAuthSecrets(own) };
  const auth = toRequestAuth(credential.auth);
  return { auth, credential, secretValues: listCredentialSecrets(credential.auth) };
}

const nothing: SavedRows = { credentials: [], destinations: [] };

const unreadable = fail("action_invalid", "The stored action can't be read. Save it again.");
const sealed = fail(
  "credentials_unreadable",
  "The credentials of this action can't be decrypted: the secret key has changed. Enter them again.",
);

function fail(code: ConfigErrorCode, message: string): ActionConfigResult {
  return { ok: false, code, message };
}
