// What `npm start` and `npm test` do first. Runs on the machine's own Node (20.19 or newer) with nothing installed,
// so it uses nothing but Node. Each step is skipped where its result is there and nothing that it depends on changed.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { installChromium } from "./setup/chromium.mjs";
import { hashFiles } from "./setup/hash-files.mjs";
import { isInstalled } from "./setup/installed.mjs";
import { chooseNpmCache } from "./setup/npm-cache.mjs";
import { runQuietly, SetupError } from "./setup/run-quietly.mjs";

// Not `import.meta.dirname`: the Node 18 of Debian 12 and Ubuntu 24.04 has none, and is to get as far as `requireNode`.
const root = fileURLToPath(new URL("..", import.meta.url));
const stamps = join(root, "node_modules", ".cache", "catchment");
const bin = join(root, "node_modules", ".bin");
// npm runs this with the Node that it has installed in front; whoever runs it by hand may not.
const onOwnNode = { PATH: `${bin}:${process.env.PATH ?? ""}` };
const serverSources = ["package.json", "prisma/schema.prisma", "server", "lib"];
process.chdir(root);

try {
  requireNode();
  await step(1, "Dependencies", isInstalled(root), install);
  await stampedStep(
    2,
    "Database client",
    ["prisma/schema.prisma"],
    "lib/db/generated/client.ts",
    generateClient,
  );
  await stampedStep(3, "Dashboard", dashboardSources, ".next/BUILD_ID", buildDashboard);
  await stampedStep(4, "Server", serverSources, "node_modules/.cache/compile", compileServer);
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
  // Not on the Node inside the folder that is about to be replaced; and with the tools that the build needs.
  const path = (process.env.PATH ?? "").split(":").filter((folder) => folder !== bin);
  // Not `npm ci`: that refuses a lock file without the binaries for systems that its writer's registry didn't carry.
  // This takes every version and checksum from the lock file too, and `--no-save` leaves that file as it is.
  const args = ["install", "--no-save", "--include=dev", "--no-audit", "--no-fund", "--loglevel=error"];
  await runQuietly("npm", args, { PATH: path.join(":"), ...chooseNpmCache(root) });
  if (existsSync(join(bin, "node"))) return;
  throw new SetupError(
    "npm ran no install scripts, and Catchment needs those in allowScripts: unset ignore-scripts.",
  );
}

async function generateClient() {
  // Prisma would download an engine that generating doesn't use; any program that exists keeps it from that.
  await runQuietly(join(bin, "prisma"), ["generate"], {
    ...onOwnNode,
    PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
    PRISMA_HIDE_UPDATE_MESSAGE: "1",
    CHECKPOINT_DISABLE: "1",
  });
}

async function buildDashboard() {
  const env = { NEXT_TELEMETRY_DISABLED: "1", NODE_ENV: "production" };
  await runQuietly(join(bin, "next"), ["build"], { ...onOwnNode, ...env });
}

async function compileServer() {
  // It only saves memory: what can't be compiled ahead is compiled when it runs.
  await runQuietly(join(bin, "node"), ["server/compile.ts"], {}, 60_000).catch(() => {});
}

async function stampedStep(number, title, sources, result, run) {
  const stamp = join(stamps, `${number}`);
  const hash = hashFiles(root, typeof sources === "function" ? sources() : [...sources, "package-lock.json"]);
  const isDone = existsSync(join(root, result)) && existsSync(stamp) && readFileSync(stamp, "utf8") === hash;
  await step(number, title, isDone, async () => {
    await run();
    mkdirSync(stamps, { recursive: true });
    writeFileSync(stamp, hash);
  });
}

function dashboardSources() {
  const files = [
    "package-lock.json",
    "package.json",
    "tsconfig.json",
    "next.config.ts",
    "postcss.config.mjs",
  ];
  return [...files, "prisma/schema.prisma", "app", "components", "lib", "public"];
}

/** Prints one numbered line; `server/banner.ts` goes on counting. On stderr, like that. */
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
