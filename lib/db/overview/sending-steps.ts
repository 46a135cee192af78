import type { Database } from "#lib/db/postgres/client.ts";

/** The first steps of an account that sends, each true once it was taken. */
type SendingSteps = {
  readonly eventType: boolean;
  readonly subscription: boolean;
  /** A test event or a published one. */
  readonly event: boolean;
  readonly portalLink: boolean;
};

/** Each step is one lookup in an index. */
export async function readSendingSteps(db: Database, accountId: string): Promise<SendingSteps> {
  const of = { where: { accountId }, select: { accountId: true } } as const;
  const [eventType, subscription, event, portalLink] = await Promise.all([
    db.eventType.findFirst(of),
    db.subscription.findFirst({ ...of, where: { accountId, deletedAt: null } }),
    db.event.findFirst(of),
    db.portalLink.findFirst(of),
  ]);
  return {
    eventType: eventType !== null,
    subscription: subscription !== null,
    event: event !== null,
    portalLink: portalLink !== null,
  };
}
