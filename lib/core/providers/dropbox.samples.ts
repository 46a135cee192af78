import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const dropboxConsecutive: Consecutive = () => {
  return {
    two: [
      { json: { list_folder: { accounts: ["dbid:1"] } } },
      { json: { list_folder: { accounts: ["dbid:1"] } } },
    ],
  };
};
