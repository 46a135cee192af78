import { describeHour } from "#lib/core/silence/describe-silence.ts";
import { learnRhythm, type UnknownRhythm } from "#lib/core/silence/learn-rhythm.ts";
import { buildTimeline } from "#lib/core/silence/timeline.ts";
import type { Database } from "#lib/db/postgres/client.ts";
import { readCountedUntil, readHookHours } from "#lib/db/silence/hook-hours.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";

/** The figures by which a hook's silence is measured. */
type HookRhythmView = {
  /** Such as `12–40 an hour`. Null: nothing usually comes at this hour, or that isn't known. */
  readonly usualNow: string | null;
  /** Why its rhythm isn't known yet. Null: it is known. */
  readonly unknown: UnknownRhythm["reason"] | null;
};

/** The usual deliveries at this hour of the week, such as `12–40 an hour`. Null: none, or unknown. */
export async function readUsualNow(db: Database, hookId: string): Promise<string | null> {
  const untilMs = await readCountedUntil(db);
  if (untilMs === null) return null;
  return describeHour(buildTimeline(await readHookHours(db, hookId, untilMs)), untilMs);
}

export async function readHookRhythm(
  { db }: ServiceContext,
  hookId: string,
): Promise<HookRhythmView> {
  const untilMs = await readCountedUntil(db);
  if (untilMs === null) return { usualNow: null, unknown: "never" };
  const timeline = buildTimeline(await readHookHours(db, hookId, untilMs));
  const rhythm = learnRhythm(timeline);
  return {
    usualNow: describeHour(timeline, untilMs),
    unknown: rhythm.kind === "unknown" ? rhythm.reason : null,
  };
}
