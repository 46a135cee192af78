import { Prisma } from "../generated/client.ts";

/**
 * Where the rows of the queue with these ids are, for `ctid = any (array(…))`. Plans are made while
 * the queue is small and used when it is not, and every index with the id in it looks as good then.
 * With `queueSettings` only the primary key gives the order.
 *
 * @param ids an expression for `uuid[]`
 */
export function placesOf(ids: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`select ctid from queue where id = any (${ids}) order by id`;
}
