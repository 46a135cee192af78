import { AppError } from "#lib/base/errors.ts";
import { getHook } from "#lib/db/hooks/hooks.ts";
import { countReplayed, listActionStates, type ReplayCount } from "#lib/db/replays/replay-jobs.ts";
import type { JobLimits } from "#lib/schema/act/bulk-job.ts";
import type { BulkReplay, ReplayFilter } from "#lib/schema/act/replay.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";

export type ReplayInput = Omit<BulkReplay, "dryRun" | keyof JobLimits>;
type ReplayPlan = ReplayCount & { readonly filter: ReplayFilter };

/** Returns what a replay would do. Throws `not_found` or `conflict`, and names the field to change. */
export async function planReplay(
  { db, actor }: ServiceContext,
  { filter: of, actionIds, as, onlyMissing }: ReplayInput,
): Promise<ReplayPlan> {
  const hook = await getHook(db, actor.accountId, of.hookId);
  const actions = chooseActions(await listActionStates(db, hook.id), actionIds);
  if (as === "then" && onlyMissing)
    throw new AppError(
      "invalid_request",
      "as: a delivery without a run has no request of then. Use now, or leave out onlyMissing.",
      { errors: [{ path: "as", code: "conflict", message: "can't be then with onlyMissing" }] },
    );
  const filter: ReplayFilter = { ...of, hookId: hook.id, actionIds: actions, as, onlyMissing };
  return { filter, ...(await countReplayed(db, actor.accountId, filter)) };
}

type ActionState = { readonly id: string; readonly enabled: boolean };

/** The enabled actions in the order of the hook. A run of a disabled action would only wait. */
function chooseActions(
  states: readonly ActionState[],
  wanted: readonly string[] | undefined,
): readonly string[] {
  if (wanted === undefined) {
    const enabled = states.filter((state) => state.enabled).map(({ id }) => id);
    if (enabled.length > 0) return enabled;
    throw new AppError("conflict", "The hook has no enabled action, so there is nothing to run.");
  }
  for (const [index, id] of wanted.entries()) {
    const found = states.find((state) => state.id === id);
    const path = `actionIds.${index}`;
    if (found === undefined)
      throw new AppError("not_found", "The hook has no action with this id.", {
        errors: [{ path, code: "not_found", message: "is not there" }],
      });
    if (!found.enabled)
      throw new AppError("conflict", "A disabled action can't run. Enable it first.", {
        errors: [{ path, code: "conflict", message: "is disabled" }],
      });
  }
  return states.map(({ id }) => id).filter((id) => wanted.includes(id));
}
