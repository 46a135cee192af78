import type { SubscriptionStatus } from "#lib/schema/send/subscription-status.ts";

export type ReachFacts = {
  readonly type: string;
  readonly recipient: string | null;
  /** The status of each subscription of the recipient that gets this type. */
  readonly statuses: readonly SubscriptionStatus[];
  /** True if the recipient has a subscription for any type. */
  readonly isSubscribed: boolean;
  /** The recipient of an active subscription that gets this type. Undefined: there is none. */
  readonly elsewhere: string | null | undefined;
};

/** The reason why an event reaches no one, in sentences. Null: it reaches a subscription. */
export function explainReach(facts: ReachFacts): string | null {
  const { type, recipient, statuses, isSubscribed, elsewhere } = facts;
  if (statuses.includes("active")) return null;
  const whose = recipient === null ? "without a recipient" : `of ${recipient}`;
  const [first, ...others] = statuses;
  if (first !== undefined && others.length === 0)
    return `The only subscription ${whose} that gets ${type} is ${first}.`;
  if (first !== undefined)
    return `None of the ${statuses.length} subscriptions ${whose} that get ${type} is active.`;
  const missing = isSubscribed
    ? `None of the subscriptions ${whose} gets ${type}.`
    : `There is no subscription ${whose}.`;
  return elsewhere === undefined ? missing : `${missing} ${describeElsewhere(type, elsewhere)}`;
}

function describeElsewhere(type: string, recipient: string | null): string {
  return recipient === null
    ? `A subscription without a recipient gets ${type}.`
    : `A subscription of ${recipient} gets ${type}.`;
}
