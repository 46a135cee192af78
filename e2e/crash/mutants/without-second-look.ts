import { replaceModule } from "./replace-module.ts";

/** Takes a run whose row moved while a statement looked for it as lost. */
replaceModule(
  "/lib/db/queue/by-row-id.ts",
  `
  export function writeByRowId(db, items, { write }) {
    return items.length === 0 ? Promise.resolve([]) : write(db, items);
  }`,
);
