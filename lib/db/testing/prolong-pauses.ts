import type { Database } from "#lib/db/postgres/client.ts";

/**
 * Adds an hour to each pause after wrong passwords and codes. The first one is a second, which a busy
 * machine may need for the next attempt.
 */
export async function prolongPauses(db: Database): Promise<void> {
  await db.$executeRaw`
    update sign_in_throttles set blocked_until = blocked_until + interval '1 hour'
    where blocked_until > updated_at + interval '500 ms'`;
}
