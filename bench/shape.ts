import { tryMutations } from "#lib/core/watch/shape/testing/try-mutations.ts";

/**
 * The samples of all providers, with each field dropped, renamed, and retyped: how many are found at the
 * first bad delivery, with the part of the mapping that breaks. Nothing is measured, so the figures
 * are the same everywhere.
 */
const tried = tryMutations();
const rows = tried.map(({ provider, eventTypes, tried: fields, named, falseAlarms }) => ({
  provider,
  "event types": eventTypes,
  fields,
  dropped: share(named.drop, fields),
  renamed: share(named.rename, fields),
  retyped: share(named.retype, fields),
  "false alarms": falseAlarms,
}));
console.table(rows);
const all = tried.reduce(
  (sum, { tried: fields, named }) => ({
    fields: sum.fields + fields,
    dropped: sum.dropped + named.drop,
    renamed: sum.renamed + named.rename,
    retyped: sum.retyped + named.retype,
  }),
  { fields: 0, dropped: 0, renamed: 0, retyped: 0 },
);
console.table([
  {
    providers: rows.length,
    fields: all.fields,
    dropped: share(all.dropped, all.fields),
    renamed: share(all.renamed, all.fields),
    retyped: share(all.retyped, all.fields),
  },
]);

function share(found: number, tried: number): string {
  return `${((100 * found) / Math.max(1, tried)).toFixed(1)} %`;
}
