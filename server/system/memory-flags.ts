/**
 * V8's flags for each process. The young generation in megabytes: by default it grows to 134 MB in
 * each process on a large machine. 32 for catch and worker instead of 8 and 16 cost 70 MB under load
 * and save a tenth of the catch process's CPU time. The worker's old generation grows by 60 %
 * between two collections, not fourfold: its runs live just long enough to be promoted, 100 MB of
 * them under load. Compiled code is cached for the flags it was compiled with. `npm start` passes
 * `start` its own, in package.json.
 */
export const memoryFlags = {
  start: ["--max-semi-space-size=2"],
  prepare: [],
  catch: ["--max-semi-space-size=32", "--heap-growing-percent=60"],
  worker: ["--max-semi-space-size=32", "--heap-growing-percent=60"],
  web: ["--max-semi-space-size=8"],
} as const satisfies Record<string, readonly string[]>;
