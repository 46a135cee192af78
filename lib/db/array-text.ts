/**
 * PostgreSQL's text form of an array (manual §8.15.6), for `${toArrayText(…)}::text[]`. A JavaScript array as parameter
 * is walked over element by element by Prisma and by the driver: for a batch of deliveries that cost more than all the
 * rest of the statement in this process (27 µs a delivery against 11 µs).
 */
export function toArrayText(values: readonly (string | null)[]): string {
  let text = "{";
  for (const [index, value] of values.entries()) {
    if (index > 0) text += ",";
    if (value === null) text += "NULL";
    else text += special.test(value) ? `"${value.replaceAll(/["\\]/g, "\\$&")}"` : `"${value}"`;
  }
  return `${text}}`;
}

const special = /["\\]/;

/** The same for what needs no quotes: numbers, ids and words of our own. */
export function toPlainArrayText(values: readonly (number | string | null)[]): string {
  return `{${values.map((value) => value ?? "NULL").join(",")}}`;
}
