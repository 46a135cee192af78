import "./few-slots.ts";
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
