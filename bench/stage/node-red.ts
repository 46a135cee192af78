import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { findFreePort } from "#e2e/harness/free-port.ts";
import { waitUntil } from "#e2e/harness/wait-until.ts";
import type { LoadShape } from "../load/start-load.ts";

/** A product like ours, running beside us. */
export type Peer = {
  readonly name: string;
  readonly port: number;
  /** The path that deliveries are sent to. */
  readonly path: string;
  readonly pid: number;
  readonly folder: string;
  readonly shape: LoadShape;
  stop(): Promise<void>;
};

const version = "5.0.7";
const cache = fileURLToPath(new URL("../../node_modules/.cache/bench-peers/", import.meta.url));

/** Installs Node-RED into a cache, once. Our own dependencies don't change. */
export async function installNodeRed(say: (line: string) => void): Promise<string> {
  const folder = join(cache, `node-red-${version}`);
  const program = join(folder, "node_modules/node-red/red.js");
  if (existsSync(program)) return program;
  say(`installing Node-RED ${version} into ${folder}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
  await promisify(execFile)(
    "npm",
    ["install", "--save-exact", "--no-audit", "--no-fund", `node-red@${version}`],
    { cwd: folder, maxBuffer: 16 * 1024 * 1024 },
  );
  return program;
}

type PeerOptions = {
  readonly program: string;
  readonly folder: string;
  readonly sinkUrl: string;
  readonly shape: LoadShape;
};

/**
 * Node-RED with one flow: catch, call the receiver, respond. Without an editor, a log, or a
 * database, and with connections to the receiver kept open: as fast as it gets.
 */
export async function startNodeRed({
  program,
  folder,
  sinkUrl,
  shape,
}: PeerOptions): Promise<Peer> {
  const port = await findFreePort();
  const home = join(folder, "node-red");
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, "flows.json"), JSON.stringify(makeFlow(sinkUrl, shape.actions)));
  writeFileSync(join(home, "settings.cjs"), `module.exports = ${JSON.stringify(settings)};\n`);
  const logFile = join(home, "log");
  const log = openSync(logFile, "a");
  const child = spawn(
    process.execPath,
    [program, "-u", home, "-s", join(home, "settings.cjs"), "-p", String(port)],
    { cwd: home, stdio: ["ignore", log, log], env: { ...process.env, NODE_ENV: "production" } },
  );
  const exited = once(child, "exit");
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill("SIGTERM");
    await exited;
  };
  await waitUntil("Node-RED", 60_000, async () => {
    if (child.exitCode !== null) throw new Error(`Node-RED: ${readFileSync(logFile, "utf8")}`);
    return await isUp(port);
  }).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  const pid = child.pid ?? 0;
  return { name: `Node-RED ${version}`, port, path: "/catch", pid, folder: home, shape, stop };
}

async function isUp(port: number): Promise<true | undefined> {
  const request = { method: "POST", body: "{}", headers: { "content-type": "application/json" } };
  const response = await fetch(`http://127.0.0.1:${port}/catch`, request).catch(() => undefined);
  return response?.status === 200 ? true : undefined;
}

const settings = {
  flowFile: "flows.json",
  uiHost: "127.0.0.1",
  httpAdminRoot: false,
  telemetry: { enabled: false, updateNotification: false },
  logging: { console: { level: "warn", metrics: false, audit: false } },
};

/**
 * The flow makes one call after the other, if there are several. The response to the caller comes
 * last.
 */
function makeFlow(sinkUrl: string, actions: number) {
  const tab = { id: "flow", type: "tab", label: "flow" };
  const common = { z: "flow", x: 0, y: 0 };
  const catching = { ...common, id: "in", type: "http in", url: "/catch", method: "post" };
  const calls = Array.from({ length: actions }, (_, index) => ({
    ...common,
    id: `call${index}`,
    type: "http request",
    method: "POST",
    ret: "txt",
    url: sinkUrl,
    persist: true,
    wires: [[index + 1 < actions ? `call${index + 1}` : "out"]],
  }));
  const answer = { ...common, id: "out", type: "http response", statusCode: "200", wires: [] };
  return [tab, { ...catching, wires: [["call0"]] }, ...calls, answer];
}
