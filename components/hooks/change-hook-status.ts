import { toast } from "#components/ui/feedback/toast.ts";
import { describeCount } from "#components/ui/text/describe-count.ts";
import { safeText } from "#components/ui/text/safe-text.ts";
import { capitalize } from "#lib/base/capitalize.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import type { HookState, HookStatus } from "#lib/schema/receive/hook.ts";

export type Count = { readonly count: number; readonly isMore: boolean };

/** The number of unfinished runs, which wait while the hook is paused. */
export type StatusChanged = { readonly openRuns: Count };
export type SetHookStatus = (
  hookId: string,
  status: HookState,
) => Promise<CommandResult<StatusChanged>>;

type ChangedHook = { readonly id: string; readonly name: string; readonly status: HookStatus };

/** Changes the status, says what changed, and offers to undo it. */
export async function changeHookStatus(
  { id, name, status }: ChangedHook,
  next: HookState,
  setStatus: SetHookStatus,
): Promise<CommandResult<StatusChanged>> {
  const result = await setStatus(id, next);
  if (!result.ok) return result;
  const before = status === "pending" ? "active" : status;
  toast(`“${safeText(name)}” ${describeChange(before, next, result.value.openRuns)}`, {
    undo: () => setStatus(id, before),
  });
  return result;
}

export function describeChange(before: HookState, next: HookState, openRuns: Count): string {
  const runs = describeCount(openRuns, "run");
  switch (next) {
    case "paused":
      return openRuns.count === 0
        ? "is paused. New deliveries are stored, and its actions wait."
        : `is paused. New deliveries are stored, and ${runs} wait${openRuns.count === 1 ? "s" : ""}.`;
    case "disabled":
      return "is disabled. Requests get 410.";
    case "active":
      if (before === "disabled") return "accepts deliveries again.";
      return openRuns.count === 0
        ? "is active again."
        : `is active again. ${capitalize(runs)} continue${openRuns.count === 1 ? "s" : ""}.`;
    default:
      return next satisfies never;
  }
}
