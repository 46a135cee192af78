import type { SqlStatements } from "#lib/db/postgres/sql-database.ts";

/**
 * Lets one worker at a time start runs of an ordered action, or of the actions that share a
 * destination. Without the row, the first claims at the same time don't know of each other.
 */
export async function addTurn(db: SqlStatements, targetId: string): Promise<void> {
  await db.$executeRaw`insert into target_turns (target_id) values (${targetId}::uuid) on conflict do nothing`;
}

/** Removes the rows of a destination that is deleted. */
export async function removeControl(db: SqlStatements, targetId: string): Promise<void> {
  await db.$executeRaw`delete from target_turns where target_id = ${targetId}::uuid`;
  await db.$executeRaw`delete from target_breakers where target_id = ${targetId}::uuid`;
  await db.$executeRaw`delete from target_rates where target_id = ${targetId}::uuid`;
}
