"use server";

import type { ReplayInput } from "#components/replay/replay-form.tsx";
import type { ReplayDryRunView } from "#components/replay/replay-preview.tsx";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { asUtc } from "#lib/schema/field/zoneless-time.ts";
import { startReplay, tryReplay } from "#lib/services/deliveries/replay-deliveries.ts";
import { askService, changeByService, nothing } from "#lib/web/auth/run-service.ts";
import { readLimits } from "#lib/web/bulk-jobs/read-limits.ts";

type Place = { readonly hookId: string; readonly actionId: string };

/** Shows what a replay would do. Queues nothing. */
export async function tryReplayCommand(
  place: Place,
  input: ReplayInput,
): Promise<CommandResult<ReplayDryRunView>> {
  return await askService(tryReplay, readReplay(place, input));
}

export async function startReplayCommand(
  place: Place,
  input: ReplayInput,
): Promise<CommandResult<null>> {
  return await changeByService(startReplay, readReplay(place, input), nothing);
}

function readReplay({ hookId, actionId }: Place, given: ReplayInput) {
  const { which, as, from, to } = given;
  const times = Object.entries({ from: asUtc(from), to: asUtc(to) });
  return {
    filter: { hookId, ...Object.fromEntries(times.filter(([, time]) => time !== "")) },
    actionIds: [actionId],
    as,
    onlyMissing: which === "missing",
    ...readLimits(given),
  };
}
