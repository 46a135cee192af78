import { Prisma } from "#lib/db/generated/client.ts";
import {
  type ActionOptions,
  actionOptions,
  listedOptions,
  mapOptions,
} from "#lib/schema/act/action-options.ts";

/** The columns of an action's options, for a table or its alias. */
export function optionColumns(table?: string): Prisma.Sql {
  const prefix = table === undefined ? "" : `${table}.`;
  return Prisma.join(listedOptions.map(([, { column }]) => Prisma.raw(`${prefix}${column}`)));
}

/** Values for `insert`, in the order of the columns. */
export function optionValues(options: ActionOptions): Prisma.Sql {
  return Prisma.join(listedOptions.map(([name]) => Prisma.sql`${options[name]}::int`));
}

/** Assignments for `update … set`. */
export function setOptions(options: ActionOptions): Prisma.Sql {
  const changes = listedOptions.map(
    ([name, { column }]) => Prisma.sql`${Prisma.raw(column)} = ${options[name]}::int`,
  );
  return Prisma.join(changes);
}

/** Reads the options from a row with these columns. */
export function readOptions(row: object): ActionOptions {
  const columns = new Map<string, unknown>(Object.entries(row));
  return mapOptions((name) => columns.get(actionOptions[name].column)) as ActionOptions;
}
