import type { ActionDraft } from "../draft/action-draft.ts";
import { listAllSteps } from "../draft/edit-steps.ts";
import type { AuthDraft } from "../draft/request-draft.ts";
import type { StepDraft } from "../draft/step-draft.ts";

const secretFields = ["token", "password", "value"] as const;
type Secrets = Pick<AuthDraft, (typeof secretFields)[number]>;

const none: Secrets = { token: "", password: "", value: "" };

/** The draft without the secrets of its credentials. */
export function withoutSecrets(draft: ActionDraft): ActionDraft {
  return mapAuths(draft, () => none);
}

/** The draft with the secrets that `source` has for the same steps and kinds of credentials. */
export function withSecretsOf(source: ActionDraft | null, draft: ActionDraft): ActionDraft {
  const known = new Map(
    listAllSteps(source?.steps ?? []).flatMap(({ step: { id, work } }) =>
      work.kind === "call" ? [[id, work.request.auth] as const] : [],
    ),
  );
  return mapAuths(draft, (id, { type }) => {
    const auth = known.get(id);
    if (auth?.type !== type) return {};
    const { token, password, value } = auth;
    return { token, password, value };
  });
}

function mapAuths(
  draft: ActionDraft,
  change: (stepId: number, auth: AuthDraft) => Partial<Secrets>,
): ActionDraft {
  const map = (step: StepDraft): StepDraft => {
    const branch = step.branch.map(map);
    const { id, work } = step;
    if (work.kind !== "call") return { ...step, branch };
    const auth = { ...work.request.auth, ...change(id, work.request.auth) };
    return { ...step, branch, work: { ...work, request: { ...work.request, auth } } };
  };
  return { ...draft, steps: draft.steps.map(map) };
}
