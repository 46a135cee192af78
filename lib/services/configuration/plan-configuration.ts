import { createHash } from "node:crypto";
import { AppError } from "#lib/base/errors.ts";
import {
  compareItems,
  type Difference,
  type ItemDifference,
  itemKey,
} from "#lib/core/configuration/compare.ts";
import { configurationPlanPlace } from "#lib/core/people/seal/seal-places.ts";
import { listMarks } from "#lib/db/accounts/configuration-marks.ts";
import { lockHead } from "#lib/db/audit/audit-log.ts";
import { apiScopes } from "#lib/schema/account/scopes.ts";
import type { Configuration } from "#lib/schema/configuration.ts";
import {
  applyInputSchema,
  type PlanInput,
  planInputSchema,
} from "#lib/schema/configuration-plan.ts";
import { type ServiceContext, service } from "#lib/services/frame/service.ts";
import { adoptItems } from "./adopt-items.ts";
import { importItems, runImport } from "./import-configuration.ts";
import type { ImportError, ImportRun } from "./import-run.ts";
import { inTurn } from "./in-turn.ts";
import { listConfigured, listGiven, listMarked } from "./list-configured.ts";
import { type ChangedOutside, isUndone, readOutsideChanges } from "./outside-changes.ts";
import { pruneItems } from "./prune-items.ts";
import { locateErrors, type ReadFile, readInput } from "./read-input.ts";
import { type AccountItems, readItems } from "./read-items.ts";
import { readConfigurationSecrets } from "./read-secrets.ts";

export type ConfigurationPlan = {
  /** What apply has to be called with. */
  readonly planId: string;
  readonly items: readonly ItemDifference[];
  /** What is in the files and the same in the account. */
  readonly sameCount: number;
  /** What is only in the account, and stays. */
  readonly keptCount: number;
  /** What gets the mark of the files. */
  readonly adoptedCount: number;
  readonly prunedCount: number;
  /** What was changed since the files were last applied, by something else. */
  readonly changedOutside: readonly ChangedOutside[];
  /** What a person has to do afterwards. */
  readonly toDo: readonly string[];
};

/** Shows what files would change, by doing and undoing it. */
export const planConfiguration = service({
  permission: "configuration:read",
  input: planInputSchema,
  run: async (context, input): Promise<ConfigurationPlan> =>
    await inTurn(context.actor.accountId, async () => {
      const read = await readInput(context, input.files);
      const { plan, checksum } = await makePlan(context, { read, input, planId: null });
      return { ...plan, planId: sealChecksum(context, checksum) };
    }),
});

/**
 * Does what a plan of the same files shows, all of it or nothing. Throws `conflict` if that isn't
 * what would happen now, because something was changed since.
 */
export const applyConfiguration = service({
  permission: "configuration:write",
  input: applyInputSchema,
  run: async (context, { planId, ...input }): Promise<ConfigurationPlan> =>
    await inTurn(context.actor.accountId, async () => {
      const read = await readInput(context, input.files);
      const { plan } = await makePlan(context, { read, input, planId });
      return { ...plan, planId };
    }),
});

type Planning = {
  readonly read: ReadFile;
  readonly input: PlanInput;
  /** Null: only shown. */
  readonly planId: string | null;
};

type Planned = {
  readonly plan: Omit<ConfigurationPlan, "planId">;
  readonly checksum: Buffer;
};

async function makePlan(context: ServiceContext, planning: Planning): Promise<Planned> {
  const { read, planId } = planning;
  const elevated = { ...context, actor: withEveryScope(context) };
  const result = await runImport(elevated, planId !== null, async (joined) => {
    const made = await changeEverything(joined, planning);
    if (made.errors.length === 0 && planId !== null)
      requirePlanned(context, planId, made.value.checksum);
    return made;
  });
  if (result.ok) return result.value;
  throw locateErrors(result.errors, read.places);
}

/** The scope covers what services ask others for. The role of the token's maker still counts. */
function withEveryScope({ actor }: ServiceContext): ServiceContext["actor"] {
  return actor.type === "token" ? { ...actor, scopes: apiScopes } : actor;
}

async function changeEverything(
  context: ServiceContext,
  { read: { file, json }, input }: Planning,
): Promise<{ readonly errors: readonly ImportError[]; readonly value: Planned }> {
  const { db, actor } = context;
  const { accountId } = actor;
  // Every change of the account waits for it, so that none happens between here and the end.
  await db.$transaction((tx) => lockHead(tx, accountId));
  const before = await readItems(db, accountId);
  const stored = await readConfigurationSecrets(context, before);
  const former = listConfigured(context, before, stored);
  const marks = await listMarks(db, accountId);
  const outside = await readOutsideChanges(db, accountId, { file, before, marks });
  const parts = { secrets: null, stored, before, keepsCatchUrls: false };
  const run = await importItems(context, file, parts);
  let prunedCount = 0;
  if (input.prune && run.errors.length === 0)
    await run.item("", async () => {
      const items = await readItems(db, accountId);
      const { maxPrunePercent: maxPercent } = input;
      prunedCount = await pruneItems(run, { file, items, marks, maxPercent });
    });
  const after = await readItems(db, accountId);
  const secrets = await readConfigurationSecrets(context, after);
  const difference = compareItems(former, listConfigured(context, after, secrets));
  requireNames(run, file, after);
  const adoptedCount = await adoptItems(run, { file, after, marks });
  const counts = countSame(file, { before, after, difference });
  const { maxPrunePercent, prune } = input;
  const checksum = createHash("sha256")
    .update(JSON.stringify([json, prune, maxPrunePercent, difference.evidence]))
    .digest();
  const { items } = difference;
  const { toDo } = run.report;
  const changedOutside = outside.map((change) => ({
    ...change,
    isUndone: isUndone(items, change),
  }));
  const plan = { items, ...counts, adoptedCount, prunedCount, changedOutside, toDo };
  return { errors: run.errors, value: { plan, checksum } };
}

/** An item with a number that another one has to have would be added again by the next plan. */
function requireNames(run: ImportRun, file: Configuration, after: AccountItems): void {
  if (run.errors.length > 0) return;
  const names = new Set(listMarked(after).map(({ what }) => what));
  for (const what of listGiven(file).given) {
    if (names.has(what)) continue;
    const message =
      "has a number that it wouldn't get: the first of a name has none, the second has number: 2";
    run.errors.push({ path: what, message });
  }
}

function countSame(
  file: Configuration,
  {
    before,
    after,
    difference,
  }: { before: AccountItems; after: AccountItems; difference: Difference },
) {
  const { given } = listGiven(file);
  const known = new Set(listMarked(before).map(itemKey));
  const stayed = listMarked(after).filter((item) => known.has(itemKey(item)));
  const isSame = (item: (typeof stayed)[number]) => difference.same.has(itemKey(item));
  return {
    sameCount: stayed.filter((item) => given.has(item.what) && isSame(item)).length,
    keptCount: stayed.filter((item) => !given.has(item.what)).length,
  };
}

function sealChecksum({ sealer, actor }: ServiceContext, checksum: Buffer): string {
  const place = configurationPlanPlace(actor.accountId);
  return Buffer.from(sealer.seal(checksum, place)).toString("base64url");
}

/**
 * The id of a plan is its sealed checksum: nothing is stored, and no one can try secrets against it.
 */
function requirePlanned({ sealer, actor }: ServiceContext, planId: string, checksum: Buffer): void {
  const place = configurationPlanPlace(actor.accountId);
  const opened = sealer.open(Buffer.from(planId, "base64url"), place);
  if (opened.ok && Buffer.compare(opened.plaintext, checksum) === 0) return;
  throw new AppError(
    "conflict",
    "This isn't what the plan shows: the account, the files, or the options were changed since, or it was " +
      "applied already. Make a new plan.",
  );
}
