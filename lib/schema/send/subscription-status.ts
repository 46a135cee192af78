/** `pending`: the receiver URL has not answered the challenge yet. */
export const subscriptionStatuses = ["active", "disabled", "pending"] as const;
export type SubscriptionStatus = (typeof subscriptionStatuses)[number];
