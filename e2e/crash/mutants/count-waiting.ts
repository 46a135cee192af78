import { replaceModule } from "./replace-module.ts";

/** A worker that doesn't know which runs the one before it has started: each may have been called. */
replaceModule(
  "/lib/worker/hand-off/start-journal.ts",
  `
  import { StartJournal as Genuine } from "./start-journal.ts?genuine";
  export class StartJournal extends Genuine {
    before = { leaseIds: [], startedIds: [] };
  }`,
);

/** With few slots, many runs wait on a slow machine too. */
replaceModule(
  "/lib/worker/worker-limits.ts",
  `
  import { defaultLimits as genuine } from "./worker-limits.ts?genuine";
  export const defaultLimits = { ...genuine, actionCap: 40 };`,
);
