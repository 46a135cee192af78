import { Prisma } from "../generated/client.ts";

/**
 * First half of the advisory lock that a live worker's session holds. The second half is the
 * worker's id.
 */
export const workerLockClass = 0x63_61_74_77;

/** Condition on a row `w` of `workers`: no session of this database holds its lock. */
export const isLockReleased = Prisma.sql`not exists (
    select from pg_locks l
    where l.locktype = 'advisory' and l.database = (select oid from pg_database where datname = current_database())
      and l.classid = ${Prisma.raw(String(workerLockClass))} and l.objid = w.id::oid and l.objsubid = 2 and l.granted
  )`;
