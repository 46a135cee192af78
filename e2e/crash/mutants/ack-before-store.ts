import { replaceModule } from "./replace-module.ts";

/** Hands the delivery to the group commit late, and responds at once as if it had been stored. */
replaceModule(
  "/lib/ingress/group-commit.ts",
  `
  import { GroupCommit as Genuine } from "./group-commit.ts?genuine";
  export class GroupCommit extends Genuine {
    submit(item) {
      setTimeout(() => void super.submit(item), 100);
      return Promise.resolve({ ok: true, result: { id: item.id, status: "accepted", duplicateOf: null } });
    }
  }`,
);
