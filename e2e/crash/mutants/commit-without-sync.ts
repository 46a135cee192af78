import { replaceModule } from "./replace-module.ts";

/** A database that says committed up to 0.6 s before it has written, and a start that doesn't look. */
replaceModule(
  "/server/postgres/settings.ts",
  `
  import { embeddedSettings as genuine } from "./settings.ts?genuine";
  export { toFlags } from "./settings.ts?genuine";
  export const embeddedSettings = { ...genuine, synchronous_commit: "off" };`,
);
replaceModule("/server/check-database.ts", "export async function checkDatabase() {}");
