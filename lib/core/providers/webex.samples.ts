import type { Consecutive, SampleContent } from "./shapes/sample-event.ts";

/** https://developer.webex.com/docs/receive-and-verify-webhooks */
const updated: SampleContent = {
  json: {
    id: "Y2lzY29zcGFyazovL3VzL1dFQkhPT0svZjRlNjA1NjAtNjYwMi00ZmIwLWEyNWEtOTQ5ODgxNjA5NDk3",
    name: "Memberships",
    resource: "memberships",
    event: "updated",
    orgId: "OTZhYmMyYWEtM2RjYy0xMWU1LWExNTItZmUzNDgxOWNkYzlh",
    actorId: "Y2lzY29zcGFyazovL3VzL1BFT1BMRS9mNWIzNjE4Ny1jOGRkLTQ3MjctOGIyZi1mOWM0NDdmMjkwNDY",
    data: { id: "the same", isModerator: true },
  },
};

/** Two updates of the same membership, with equal bodies. */
export const webexConsecutive: Consecutive = () => ({ two: [updated, updated] });
