// Runs before `npm start` and `npm test`, on the machine's own Node (20.19 or newer) with nothing
// installed, so it uses nothing but Node. Skips each step whose result exists and whose inputs
// haven't changed.

import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildCli, cliBundle } from "./setup/build-cli.mjs";
import { installChromium } from "./setup/chromium.mjs";
import {
  buildDashboard,
  dashboardStamp,
  forgetPendingBuild,
  leaveDashboard,
  stampsFolder,
} from "./setup/dashboard.mjs";
import { generateClient } from "./setup/generate-client.mjs";
import { hashFiles } from "./setup/hash-files.mjs";
import { hasDevelopmentPackages, isInstalled } from "./setup/installed.mjs";
import { chooseNpmCache } from "./setup/npm-cache.mjs";
import { runQuietly, SetupError } from "./setup/run-quietly.mjs";

// `import.meta.dirname` doesn't exist in the Node 18 of Debian 12 and Ubuntu 24.04, which should
// get as far as `requireNode`.
const root = fileURLToPath(new URL("..", import.meta.url));
const bin = join(root, "node_modules", ".bin");
const serverSources = ["package.json", "prisma/schema.prisma", "server", "lib", "cli", "clients"];
// Tests and checks need more packages than running does.
const withDevelopment = process.argv.includes("--test") || hasDevelopmentPackages(root);
// The build takes up to 1.6 GB, and what starts beside it 0.5.
const isBuiltLater = process.argv.includes("--start") && process.availableMemory() > 3 * 2 ** 30;
process.chdir(root);

try {
  requireNode();
  await step(1, "Dependencies", isInstalled(root, { withDevelopment }), install);
  // The release builds the rest in its image, and its tests run the release.
  if (process.argv.includes("--packages")) process.exit(0);
  await stampedStep(
    2,
    "Database client",
    ["prisma/schema.prisma"],
    ["lib/db/generated/client.ts"],
    generateClient,
  );
  await prepareDashboard();
  const built = ["node_modules/.cache/compile", cliBundle];
  await stampedStep(4, "Server and command line", serverSources, built, buildServer);
  if (process.argv.includes("--test")) await installChromium(step);
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  process.stderr.write(`\n${error.message}\n`);
  process.exit(1);
}

function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  throw new SetupError(
    `Catchment needs Node 20.19 or newer, and this is ${process.versions.node}: update Node.`,
  );
}

async function install() {
  // The Node inside the folder that is about to be replaced can't be used.
  const path = (process.env.PATH ?? "").split(":").filter((folder) => folder !== bin);
  // `npm ci` isn't used: it deletes what is installed first, which an interrupted update can't get
  // back, and `npm test` after `npm start` would begin again. `npm install` also uses every version
  // and checksum of the lock file, and `--no-save` leaves the file unchanged.
  const which = withDevelopment ? "--include=dev" : "--omit=dev";
  const args = ["install", "--no-save", which, "--include=optional", "--no-audit", "--no-fund"];
  await runQuietly("npm", [...args, "--loglevel=error"], {
    PATH: path.join(":"),
    ...chooseNpmCache(root),
  });
  linkOwnNode();
}

/**
 * The packages `node-<system>-<processor>` contain Node itself, each with its checksum in the lock
 * file, and npm links the one for this machine. If there is none, the Node that runs this is used,
 * if it is new enough.
 */
function linkOwnNode() {
  const link = join(bin, "node");
  if (existsSync(link)) return;
  if (Number(process.versions.node.split(".")[0]) >= 24) return symlinkSync(process.execPath, link);
  throw new SetupError(
    "There is no Node 24 in the package registry for this machine " +
      `(${process.platform}-${process.arch}). Install Node 24 or newer, then run this again.`,
  );
}

/** `npm start` builds it while everything else starts, if there is memory for both. */
async function prepareDashboard() {
  const hash = hashFiles(root, dashboardSources());
  const isDone = isBuilt(hash, dashboardStamp, [".next/BUILD_ID"]);
  forgetPendingBuild();
  if (isDone || !isBuiltLater)
    return await step(3, "Dashboard", isDone, async () => {
      await buildDashboard();
      writeFileSync(dashboardStamp, hash);
    });
  leaveDashboard(hash);
  process.stderr.write("  … 3. Dashboard: built while Catchment starts\n");
}

async function buildServer() {
  await buildCli(join(root, cliBundle));
  // It only saves memory: code that can't be compiled ahead is compiled when it runs.
  await runQuietly(join(bin, "node"), ["server/roles/compile.ts"], {}, { timeoutMs: 60_000 }).catch(
    () => {},
  );
}

async function stampedStep(number, title, sources, results, run) {
  const stamp = join(stampsFolder, `${number}`);
  const hash = hashFiles(root, [...sources, "package-lock.json"]);
  await step(number, title, isBuilt(hash, stamp, results), async () => {
    await run();
    mkdirSync(stampsFolder, { recursive: true });
    writeFileSync(stamp, hash);
  });
}

function isBuilt(hash, stamp, results) {
  const isThere = results.every((path) => existsSync(join(root, path)));
  return isThere && existsSync(stamp) && readFileSync(stamp, "utf8") === hash;
}

function dashboardSources() {
  const files = [
    "package-lock.json",
    "package.json",
    "tsconfig.json",
    "next.config.mjs",
    "proxy.ts",
    "postcss.config.mjs",
  ];
  return [...files, "prisma/schema.prisma", "app", "components", "lib"];
}

/** Prints one numbered line on stderr. `server/banner.ts` continues the numbering. */
async function step(number, title, isDone, run) {
  if (isDone) {
    process.stderr.write(`  ✓ ${number}. ${title}: ready\n`);
    return;
  }
  const startedAt = performance.now();
  if (process.stderr.isTTY) process.stderr.write(`  … ${number}. ${title}`);
  const clear = process.stderr.isTTY ? "\r\u001b[K" : "";
  try {
    await run();
    process.stderr.write(`${clear}  ✓ ${number}. ${title} (${secondsSince(startedAt)})\n`);
  } catch (error) {
    process.stderr.write(`${clear}  ✗ ${number}. ${title} (${secondsSince(startedAt)})\n`);
    throw error;
  }
}

function secondsSince(startedAt) {
  return `${((performance.now() - startedAt) / 1000).toFixed(1)} s`;
}
