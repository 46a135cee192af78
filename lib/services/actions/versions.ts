import { AppError } from "#lib/base/errors.ts";
import { shorten } from "#lib/base/shorten.ts";
import { readTemplateOrigin } from "#lib/core/mapping/build-request/template-origin.ts";
import { stringifyExactJson } from "#lib/core/mapping/json/stringify-exact-json.ts";
import { diffVersions, type VersionContent } from "#lib/core/mapping/versions/diff-versions.ts";
import { summarizeChanges } from "#lib/core/mapping/versions/summarize-changes.ts";
import type { Sealer } from "#lib/core/people/seal/sealer.ts";
import type { ActionRecord } from "#lib/db/actions/action-record.ts";
import {
  insertVersion,
  parseContent,
  type StoredVersion,
} from "#lib/db/actions/action-versions.ts";
import { toStoredWork } from "#lib/db/actions/action-work.ts";
import type { Transaction } from "#lib/db/postgres/client.ts";
import {
  type ActionContent,
  type ActionPatch,
  actionContentSchema,
  contentFields,
} from "#lib/schema/act/action.ts";
import type { ActionRequestTemplate } from "#lib/schema/act/action-request.ts";
import type { RequestAuth } from "#lib/schema/act/request-auth.ts";
import { onlyCallKey } from "#lib/schema/act/step-limits.ts";
import type { ActionStep, AnyStep } from "#lib/schema/act/steps.ts";
import { describeAuth, type VersionAuths } from "#lib/schema/act/version.ts";
import { nameActor } from "#lib/services/frame/actor.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";
import { readKnown } from "./known-calls.ts";

/** The maximum per action. Older versions are removed. */
const maxVersions = 1_000;
const maxSummaryChars = 500;

type Save = {
  /** Null: it is new. */
  readonly before: ActionRecord | null;
  readonly after: ActionRecord;
  readonly restoredFrom?: number | null;
  /** Why, in the words of the actor. */
  readonly note?: string | null | undefined;
};

/**
 * Stores what an action does from now on as its next version, in the transaction of the change. A
 * change of its name, place, or `enabled` makes none. Returns the action with its version.
 */
export async function saveVersion(
  tx: Transaction,
  { sealer, actor }: ServiceContext,
  { before, after, restoredFrom = null, note = null }: Save,
): Promise<ActionRecord> {
  const known = before === null ? null : tryRead(() => readAuths(before, sealer));
  const made = tryRead(() => readAuths(after, sealer));
  const old = before === null ? null : toContentJson(before);
  const contentJson = toContentJson(after);
  if (old === contentJson && isSameAuths(known, made)) return after;
  const auths = made === null ? null : toAuths(made, known);
  const summary =
    before === null || old === null
      ? null
      : summarize(
          { content: parseContent(old), auths: known === null ? null : toAuths(known, null) },
          { content: parseContent(contentJson), auths },
        );
  const number = before === null ? after.version : after.version + 1;
  const { id: actionId, accountId } = after;
  const author = nameActor(actor);
  const version = {
    actionId,
    accountId,
    number,
    author,
    contentJson,
    auths,
    summary,
    note,
    restoredFrom,
  };
  await insertVersion(tx, version, maxVersions);
  return { ...after, version: number };
}

/** The content of a version, as a document. */
export function toContent(action: ActionRecord): object {
  const content = Object.fromEntries(contentFields.map((name) => [name, action[name]]));
  return { ...content, ...toStoredWork(action) };
}

function toContentJson(action: ActionRecord): string {
  const written = stringifyExactJson(toContent(action));
  if (!written.ok) throw new Error(`A version can't be stored: ${written.message}`);
  return written.text;
}

function summarize(before: VersionContent, after: VersionContent): string {
  return shorten(summarizeChanges(diffVersions(before, after)), maxSummaryChars);
}

type Auths = ReadonlyMap<string, RequestAuth>;

function readAuths(action: ActionRecord, sealer: Sealer): Auths {
  const known = readKnown(sealer, action, action);
  return new Map(
    [...known].flatMap(([key, { auth }]) => (auth === null ? [] : [[key, auth] as const])),
  );
}

/** Null: they can't be opened, because the secret key has changed. */
function tryRead(read: () => Auths): Auths | null {
  try {
    return read();
  } catch {
    return null;
  }
}

function isSameAuths(one: Auths | null, other: Auths | null): boolean {
  const text = (auths: Auths | null) => JSON.stringify(auths === null ? null : [...auths]);
  return text(one) === text(other);
}

function toAuths(auths: Auths, before: Auths | null): VersionAuths {
  const isOther = (key: string, auth: RequestAuth) =>
    before?.has(key) === true && JSON.stringify(before.get(key)) !== JSON.stringify(auth);
  const entries = [...auths].map(([key, auth]) => [
    key,
    { ...describeAuth(auth), ...(isOther(key, auth) ? { changed: true } : {}) },
  ]);
  return Object.fromEntries(entries);
}

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
