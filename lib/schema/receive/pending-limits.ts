/**
 * The number of deliveries that a hook without its secret stores unverified, and for how long,
 * before it rejects them. It is enough to set up a provider, and too little for an attacker who
 * knows the URL to fill the disk.
 */
export const pendingLimits = { days: 7, deliveries: 1_000, bytes: 64 * 1024 * 1024 } as const;
