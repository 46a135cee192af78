"use server";

import { revalidatePath } from "next/cache";
import { z } from "zod";
import type { ReplayInput } from "#components/replay/replay-dialog.tsx";
import type { ReplayDryRunView } from "#components/replay/replay-preview.tsx";
import { parseInput } from "#lib/core/input/parse-input.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { asUtc } from "#lib/schema/field/zoneless-time.ts";
import { type BulkReplay, bulkReplaySchema } from "#lib/schema/replay.ts";
import { startReplay, tryReplay } from "#lib/services/deliveries/replay-deliveries.ts";
import { runFormCommand } from "#lib/web/auth/form-command.ts";

const text = z.string().max(64);
const inputSchema = z.strictObject({
  which: z.enum(["missing", "all"]),
  as: z.enum(["now", "then"]),
  from: text,
  to: text,
  ratePerMinute: text,
  stopAfterFailures: text,
});

type Place = { readonly hookId: string; readonly actionId: string };

/** What a replay would do. Queues nothing. */
export async function tryReplayCommand(
  place: Place,
  input: ReplayInput,
): Promise<CommandResult<ReplayDryRunView>> {
  return await runFormCommand(inputSchema, input, async (given, { accountId }, context) =>
    tryReplay(context, accountId, readReplay(place, given)),
  );
}

export async function startReplayCommand(
  place: Place,
  input: ReplayInput,
): Promise<CommandResult<null>> {
  return await runFormCommand(inputSchema, input, async (given, { accountId }, context) => {
    await startReplay(context, accountId, readReplay(place, given));
    revalidatePath("/runs");
    return null;
  });
}

function readReplay({ hookId, actionId }: Place, given: ReplayInput): BulkReplay {
  const { which, as, from, to, ratePerMinute, stopAfterFailures } = given;
  const times = Object.entries({ from: asUtc(from), to: asUtc(to) });
  return parseInput(bulkReplaySchema, {
    filter: { hookId, ...Object.fromEntries(times.filter(([, time]) => time !== "")) },
    actionIds: [actionId],
    as,
    onlyMissing: which === "missing",
    ratePerMinute: readNumber(ratePerMinute),
    stopAfterFailures: readNumber(stopAfterFailures),
  });
}

/** Empty: no limit. What isn't a number is left to the schema. */
function readNumber(given: string): number | string | null {
  const trimmed = given.trim();
  if (trimmed === "") return null;
  return /^\d{1,9}$/.test(trimmed) ? Number(trimmed) : trimmed;
}
