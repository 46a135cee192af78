import { replaceModule } from "./replace-module.ts";

/** With few slots, many runs wait in the worker's memory on a slow machine too. */
replaceModule(
  "/lib/worker/worker-limits.ts",
  `
  import { defaultLimits as genuine } from "./worker-limits.ts?genuine";
  export const defaultLimits = { ...genuine, actionCap: 40 };`,
);
