import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { runQuietly } from "./run-quietly.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const bin = join(root, "node_modules", ".bin");
/** Lower than the web process, so that nothing else that starts meanwhile waits for it. */
const niceness = 15;

/** Where set-up notes the hash of the sources that are built. */
export const stampsFolder = join(root, "node_modules", ".cache", "catchment");
export const dashboardStamp = join(stampsFolder, "3");

/**
 * Exists while the dashboard has yet to be built, and says how far that is: see
 * `server/start/dashboard-build.ts`.
 */
const pendingFile = join(stampsFolder, "dashboard.json");

/** Leaves the build of these sources to `npm start`, which starts the rest meanwhile. */
export function leaveDashboard(hash) {
  writePending({ hash, step: "Waiting for the build to start", since: Date.now() });
}

export function forgetPendingBuild() {
  rmSync(pendingFile, { force: true });
}

/** @param options for `runQuietly` */
export async function buildDashboard(options = {}) {
  const env = {
    ...{ NEXT_TELEMETRY_DISABLED: "1", NODE_ENV: "production" },
    // npm runs set-up with its installed Node first on the PATH. Others may not.
    PATH: `${bin}:${process.env.PATH ?? ""}`,
  };
  // A build that is cut off leaves a mixture.
  rmSync(dashboardStamp, { force: true });
  await runQuietly(join(bin, "next"), ["build"], env, options);
}

const steps = [
  [/Creating an optimized/, "Compiling"],
  [/Collecting page data/, "Collecting page data"],
  [/Generating static pages/, "Generating pages"],
  [/Finalizing/, "Finishing"],
];

/** Run by `npm start`, beside everything else that starts. Ends with it. */
async function buildBeside() {
  process.once("disconnect", () => process.kill(process.pid, "SIGTERM"));
  const { hash } = JSON.parse(readFileSync(pendingFile, "utf8"));
  const since = Date.now();
  try {
    await buildDashboard({
      niceness,
      onText(text) {
        for (const [pattern, step] of steps)
          if (pattern.test(text)) writePending({ hash, step, since });
      },
    });
    writeFileSync(dashboardStamp, hash);
    forgetPendingBuild();
    process.exit(0);
  } catch (error) {
    writePending({ hash, step: "failed", since });
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

/** Written whole, because others read it meanwhile. */
function writePending(state) {
  mkdirSync(dirname(pendingFile), { recursive: true });
  writeFileSync(`${pendingFile}.part`, JSON.stringify(state));
  renameSync(`${pendingFile}.part`, pendingFile);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildBeside();
