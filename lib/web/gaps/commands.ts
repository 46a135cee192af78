"use server";

import { asUtc } from "#lib/schema/field/zoneless-time.ts";
import { putGapSchedule } from "#lib/services/gaps/gap-schedules.ts";
import { cancelGap, findGap, takeInGap } from "#lib/services/gaps/gaps.ts";
import { change } from "#lib/web/auth/run-service.ts";
import { readLimits } from "#lib/web/bulk-jobs/read-limits.ts";

type Asked = {
  readonly from: string;
  readonly to: string;
  readonly credentialId: string;
  readonly webhook?: string;
};

export const findGapCommand = change(findGap, ["id", readAsked]);
export const cancelGapCommand = change(cancelGap, ["id", "gapId"]);
export const takeInGapCommand = change(takeInGap, ["id", "gapId", "run", "eventTypes", readLimits]);

export const saveGapScheduleCommand = change(putGapSchedule, ["id", "..."]);

/** An empty end is now, and no credential is the last one. */
function readAsked({ from, to, credentialId, webhook = "" }: Asked) {
  return {
    from: asUtc(from),
    ...(to === "" ? {} : { to: asUtc(to) }),
    ...(webhook === "" ? {} : { webhook }),
    ...(credentialId === "" ? {} : { credentialId }),
  };
}
