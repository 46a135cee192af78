import { parseExactJson } from "#lib/core/json/parse-exact-json.ts";
import { listAuthSecrets } from "#lib/core/redact/auth-secrets.ts";
import type { Sealer } from "#lib/core/seal/sealer.ts";
import { openActionAuth } from "#lib/db/actions/action-record.ts";
import type { RunTarget } from "#lib/db/queue/load-run-inputs.ts";
import { actionInputSchema } from "#lib/schema/action/action.ts";
import { type ActionFilter, actionFilterSchema } from "#lib/schema/action/action-filter.ts";
import type { ActionRequestTemplate, RequestAuth } from "#lib/schema/action/action-request.ts";
import type { RetryPolicy } from "#lib/schema/action/retry-policy.ts";

/** An action that is ready to run. */
export type ActionConfig = {
  readonly filter: ActionFilter | null;
  readonly request: ActionRequestTemplate;
  readonly auth: RequestAuth | null;
  /** Null: the default policy. */
  readonly retry: RetryPolicy | null;
  /** In plain text. They must not appear in anything that is stored. */
  readonly secretValues: readonly string[];
};

export type ActionConfigResult =
  | { readonly ok: true; readonly config: ActionConfig }
  | {
      readonly ok: false;
      readonly code: "action_invalid" | "credentials_unreadable";
      readonly message: string;
    };

const maxCached = 1_000;

/**
 * Parses stored actions. Parsing one costs more than running it, so it is repeated only after a
 * change.
 */
export class ActionConfigs {
  readonly #sealer: Sealer;
  readonly #known = new Map<
    string,
    { readonly target: RunTarget; readonly result: ActionConfigResult }
  >();

  constructor(sealer: Sealer) {
    this.#sealer = sealer;
  }

  /** The action in this version, if it was read before. */
  find(targetId: string, version: string): RunTarget | undefined {
    const known = this.#known.get(targetId);
    return known?.target.version === version ? known.target : undefined;
  }

  read(target: RunTarget): ActionConfigResult {
    const known = this.#known.get(target.targetId);
    if (known?.target.version === target.version) return known.result;
    const result = readActionConfig(target, this.#sealer);
    this.#known.delete(target.targetId);
    this.#known.set(target.targetId, { target, result });
    const [oldest] = this.#known.keys();
    if (this.#known.size > maxCached && oldest !== undefined) this.#known.delete(oldest);
    return result;
  }
}

export function readActionConfig(target: RunTarget, sealer: Sealer): ActionConfigResult {
  const filter = actionFilterSchema.nullable().safeParse(readJson(target.filterJson));
  const request = actionInputSchema.shape.request.safeParse(readJson(target.requestJson));
  const retry = actionInputSchema.shape.retry.nullable().safeParse(readJson(target.retryJson));
  if (!filter.success || !request.success || !retry.success) {
    return fail("action_invalid", "The stored action can't be read. Save it again.");
  }
  const auth = openAuth(target, sealer);
  if (auth === undefined) {
    return fail(
      "credentials_unreadable",
      "The credentials of this action can't be decrypted: the secret key has changed. Enter them again.",
    );
  }
  const { auth: _kept, ...template } = request.data;
  const config = { filter: filter.data, request: template, auth, retry: retry.data };
  return { ok: true, config: { ...config, secretValues: listAuthSecrets(auth) } };
}

function readJson(text: string | null): unknown {
  if (text === null) return null;
  const parsed = parseExactJson(text);
  return parsed.ok ? parsed.value : undefined;
}

/** Null: the action has none. Undefined: they can't be read. */
function openAuth(target: RunTarget, sealer: Sealer): RequestAuth | null | undefined {
  try {
    return openActionAuth(sealer, { ...target, id: target.targetId });
  } catch {
    return undefined;
  }
}

function fail(
  code: "action_invalid" | "credentials_unreadable",
  message: string,
): ActionConfigResult {
  return { ok: false, code, message };
}
