import { replaceModule } from "./replace-module.ts";

/** Hands events to the group commit late, and responds at once as if they had been committed. */
replaceModule(
  "/lib/ingress/group-commit.ts",
  `
  import { GroupCommit as Genuine } from "./group-commit.ts?genuine";
  export class GroupCommit extends Genuine {
    submit(item, maxWaitMs) {
      if (!("events" in item)) return super.submit(item, maxWaitMs);
      setTimeout(() => void super.submit(item, maxWaitMs), 100);
      return Promise.resolve({ ok: true, result: item.events.map(() => ({ outcome: "stored", runs: 0 })) });
    }
  }`,
);
