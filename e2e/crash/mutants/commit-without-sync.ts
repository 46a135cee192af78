import { replaceModule } from "./replace-module.ts";

/**
 * Makes the database report a commit up to 0.6 s before it has written it, and skips the check at
 * the start.
 */
replaceModule(
  "/server/postgres/settings.ts",
  `
  import { embeddedSettings as genuine } from "./settings.ts?genuine";
  export const embeddedSettings = { ...genuine, synchronous_commit: "off" };`,
);
replaceModule(
  "/server/database/check-database.ts",
  "export async function checkDatabase() { return []; }",
);
