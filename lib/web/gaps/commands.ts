"use server";

import { asUtc } from "#lib/schema/field/zoneless-time.ts";
import { cancelGap, findGap, takeInGap } from "#lib/services/gaps.ts";
import { change } from "#lib/web/auth/run-service.ts";
import { readLimits } from "#lib/web/bulk-jobs/read-limits.ts";

type Asked = { readonly from: string; readonly to: string; readonly credentialId: string };

export const findGapCommand = change(findGap, ["id", readAsked]);
export const cancelGapCommand = change(cancelGap, ["id", "gapId"]);
export const takeInGapCommand = change(takeInGap, ["id", "gapId", "run", "eventTypes", readLimits]);

/** An empty end is now, and no credential is the last one. */
function readAsked({ from, to, credentialId }: Asked) {
  return {
    from: asUtc(from),
    ...(to === "" ? {} : { to: asUtc(to) }),
    ...(credentialId === "" ? {} : { credentialId }),
  };
}
