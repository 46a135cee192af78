import type {
  LeasedRegistration,
  RegistrationState,
} from "#lib/db/registrations/work-registrations.ts";
import type { Looked } from "./look-tools.ts";

/** What is stored after a look, and when the next one is. */
export type Next = RegistrationState | "gone";

/** What a provider took away is found within 5 minutes. */
const checkEveryMs = 240_000;
/** What only a person can change is looked at less often. They have it looked at by connecting again. */
const failedEveryMs = 900_000;
const firstWaitMs = 15_000;
/** A provider may ask for more, but not for longer than this. */
const maxAskedMs = 3_600_000;
/** An outage of the provider is no problem of the registration, unless it lasts. */
const toleratedMs = 1_800_000;
/** A deleted hook's webhook stays at the provider if it can't be removed within this time. */
const removeForMs = 86_400_000;

export function planNext(one: LeasedRegistration, looked: Looked, nowMs: number): Next {
  const { status, reason, providerId, url, appliedTypes, secretId, isAdopted, mayCreate } = one;
  const { revivedAtMs, failingSinceMs, tryCount, expiresAtMs, renewAtMs, registeredTypes } = one;
  const has = { status, reason, providerId, url, appliedTypes, secretId, isAdopted, mayCreate };
  const known = { ...has, registeredTypes, expiresAtMs, renewAtMs };
  const healthy = { failingSinceMs: null, tryCount: 0, checkedAtMs: nowMs } as const;
  switch (looked.kind) {
    case "gone":
      return "gone";
    case "kept": {
      const { kind: _, isRevived, newSecret: __, isMade: ___, ...found } = looked;
      return {
        ...{ ...known, ...found, ...healthy, status: "registered", reason: null, mayCreate: false },
        renewAtMs: planRenewal(one, looked.expiresAtMs, nowMs),
        revivedAtMs: isRevived ? nowMs : revivedAtMs,
        nextAtMs: nowMs + checkEveryMs,
      };
    }
    case "missing":
    case "failing":
      return {
        ...{ ...known, ...healthy, revivedAtMs, status: looked.kind, reason: looked.reason },
        nextAtMs: nowMs + checkEveryMs,
      };
    case "end":
    case "not_found":
    case "wait": {
      const sinceMs = failingSinceMs ?? nowMs;
      const isEnd = looked.kind === "end" || (looked.kind === "not_found" && providerId === null);
      const isOver = isEnd || nowMs - sinceMs >= toleratedMs;
      if (one.isHookDeleted && (isEnd || nowMs - sinceMs >= removeForMs)) return "gone";
      return {
        ...{ ...known, revivedAtMs, reason: looked.reason, checkedAtMs: null },
        status: isOver && status !== "removing" && status !== "missing" ? "failing" : status,
        ...{ failingSinceMs: sinceMs, tryCount: tryCount + 1 },
        nextAtMs: nowMs + (isEnd ? failedEveryMs : waitFor(looked.waitMs, tryCount)),
      };
    }
    default:
      return looked satisfies never;
  }
}

/** Two thirds of what is left when it is first seen. */
function planRenewal(
  { expiresAtMs: known, renewAtMs }: LeasedRegistration,
  expiresAtMs: number | null,
  nowMs: number,
): number | null {
  if (expiresAtMs === null) return null;
  if (expiresAtMs === known && renewAtMs !== null) return renewAtMs;
  return nowMs + Math.max(0, ((expiresAtMs - nowMs) * 2) / 3);
}

function waitFor(waitMs: number | null, tryCount: number): number {
  const ownMs = Math.min(checkEveryMs, firstWaitMs * 2 ** Math.min(tryCount, 10));
  return Math.min(maxAskedMs, waitMs ?? ownMs);
}
