import { AppError } from "#lib/base/errors.ts";
import { readTemplateOrigin } from "#lib/core/mapping/build-request/template-origin.ts";
import type { Sealer } from "#lib/core/people/seal/sealer.ts";
import type { ActionRecord } from "#lib/db/actions/action-record.ts";
import type { StoredVersion } from "#lib/db/actions/action-versions.ts";
import {
  type ActionContent,
  type ActionPatch,
  actionContentSchema,
} from "#lib/schema/act/action.ts";
import type { ActionRequestTemplate } from "#lib/schema/act/action-request.ts";
import { onlyCallKey } from "#lib/schema/act/step-limits.ts";
import type { ActionStep, AnyStep } from "#lib/schema/act/steps.ts";
import { readKnown } from "./known-calls.ts";

type VersionPatch = {
  readonly patch: ActionPatch;
  /** The keys of calls whose credentials must be entered again. */
  readonly missingCredentials: readonly string[];
};

/**
 * The change that makes an action do what an earlier version did. Versions have no secrets, so each
 * call keeps the action's current credentials, if they are of the version's kind and for the same
 * origin. Calls that had none get none. Throws `conflict`.
 */
export function toVersionPatch(
  sealer: Sealer,
  current: ActionRecord,
  stored: StoredVersion,
): VersionPatch {
  const parsed = actionContentSchema.safeParse(stored.content);
  if (!parsed.success)
    throw new AppError("conflict", `Version ${stored.number} can't be used with this release.`);
  const known = readKnown(sealer, current, current);
  const missing: string[] = [];
  const chooseAuth: ChooseAuth = (key, request) => {
    const wanted = stored.auths?.[key];
    const now = known.get(key);
    const hasNow = now !== undefined && (now.auth ?? now.request.credentialId) !== undefined;
    // The version names a saved credential, or had none.
    if (request.credentialId !== undefined) return null;
    if (wanted === undefined && stored.auths !== null) return null;
    const origin = readTemplateOrigin(request.url);
    const isUsable =
      now !== undefined &&
      (wanted === undefined || wanted.type === now.auth?.type) &&
      origin !== null &&
      origin === readTemplateOrigin(now.request.url);
    if (isUsable) return undefined;
    if (wanted !== undefined || hasNow) missing.push(key);
    return null;
  };
  return { patch: withAuths(parsed.data, chooseAuth), missingCredentials: missing };
}

type ChooseAuth = (key: string, request: ActionRequestTemplate) => null | undefined;

function withAuths({ request, steps, ...rest }: ActionContent, choose: ChooseAuth): ActionPatch {
  if (request !== null) return { ...rest, request: withAuth(onlyCallKey, request, choose) };
  return { ...rest, steps: (steps ?? []).map((step) => withStepAuth(step, choose)) };
}

function withStepAuth(step: ActionStep, choose: ChooseAuth): ActionStep {
  const { onFailure } = step;
  const own = withCallAuth(step, choose);
  if (typeof onFailure !== "object") return own;
  const steps = onFailure.steps.map((each) => withCallAuth(each, choose));
  return { ...own, onFailure: { steps } };
}

function withCallAuth<Step extends AnyStep>(step: Step, choose: ChooseAuth): Step {
  return step.kind === "call"
    ? { ...step, request: withAuth(step.key, step.request, choose) }
    : step;
}

function withAuth<Request extends ActionRequestTemplate>(
  key: string,
  request: Request,
  choose: ChooseAuth,
) {
  const auth = choose(key, request);
  return auth === undefined ? request : { ...request, auth };
}
