import { replaceModule } from "./replace-module.ts";

/**
 * Hands runs over to the worker while their delivery is still being stored. The wait is long enough
 * that a worker on a busy machine makes the calls within it.
 */
replaceModule(
  "/lib/catch/store-and-hand-over.ts",
  `
  import { storeAndHandOver as genuine } from "./store-and-hand-over.ts?genuine";
  export function storeAndHandOver(db, deliveries, handOff) {
    return db.$transaction(async (tx) => {
      const stored = await genuine({ ...db, ...tx }, deliveries, handOff);
      await new Promise((resolve) => setTimeout(resolve, 500));
      return stored;
    });
  }`,
);
