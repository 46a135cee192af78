import { rmSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { makeScratchFolder } from "#e2e/harness/scratch-folder.ts";
import {
  adminEmail,
  adminPassword,
  type ServerUnderTest,
  startServer,
} from "#e2e/harness/server-under-test.ts";
import { signIn } from "#e2e/harness/sign-in.ts";
import { memoryOf, sampleTree } from "./measure/sample-tree.ts";
import { listPages } from "./seed/page-paths.ts";
import { findPageRows } from "./seed/tables.ts";
import { fillFolder, folderAccess, withClient } from "./stage/filled-folder.ts";

/**
 * `npm run bench:backtest [-- --count 10000]`: how long a backtest of so many deliveries takes, the
 * memory of the worker, and the dashboard's p95 before and meanwhile.
 */
const { values } = parseArgs({
  options: {
    count: { type: "string", default: "10000" },
    folder: { type: "string" },
  },
});
const count = Number(values.count);
const folder = values.folder ?? makeScratchFolder("backtest");
const template = { id: "{{ id }}", type: "{{ type | upcase }}", from: "backtest" };

try {
  // A few of the deliveries are rejected or duplicates.
  const openUrl = "http://127.0.0.1:9/";
  await fillFolder({ folder, count: count * 2, hooks: 1, open: 0, openUrl, say });
  const server = await startServer({ folder }, folderAccess);
  try {
    await measure(server);
  } finally {
    await server.stop();
  }
} finally {
  if (values.folder === undefined) rmSync(folder, { recursive: true, force: true });
}

async function measure(server: ServerUnderTest): Promise<void> {
  const cookie = await signIn(server.origin, adminEmail, adminPassword);
  const rows = await withClient(server, findPageRows);
  const wanted = new Set(["home", "hook", "deliveries", "delivery", "runs", "action"]);
  const paths = listPages(rows, "/portal").flatMap(([page, path]) =>
    wanted.has(page) ? [path] : [],
  );
  const load = (path: string) => loadPage(server.origin + path, cookie);
  for (const path of [...paths, ...paths]) await load(path);
  const times: number[] = [];
  for (let round = 0; round < 10; round += 1)
    for (const path of paths) times.push(await load(path));
  say(`dashboard before: ${describeTimes(times)}`);
  say(`memory before: ${await describeMemory(server)}`);

  const draft = { request: { method: "POST", url: "https://example.com/", body: template } };
  const startedAt = performance.now();
  const { id } = await call(server, "POST", `/actions/${rows.action}/backtests`, {
    last: count,
    draft,
  });
  const during: number[] = [];
  let maxMb = 0;
  for (let next = 0; ; next += 1) {
    during.push(await load(paths[next % paths.length] ?? "/"));
    const memory = memoryOf(await sampleTree(server.pid));
    maxMb = Math.max(maxMb, memory.byRole.worker ?? memory.sumMb);
    const backtest = await call(server, "GET", `/backtests/${id}`);
    if (backtest.status !== "running") {
      const seconds = (performance.now() - startedAt) / 1000;
      say(`${backtest.doneCount} deliveries in ${seconds.toFixed(1)} s`);
      say(JSON.stringify(backtest.counts));
      break;
    }
    await delay(50);
  }
  say(`dashboard meanwhile: ${describeTimes(during)}`);
  say(`memory of the worker meanwhile, at most: ${maxMb} MB`);
  const listedAt = performance.now();
  await call(server, "GET", `/backtests/${id}/results?changed=true&limit=50`);
  say(`a page of results: ${(performance.now() - listedAt).toFixed(0)} ms`);
}

async function loadPage(url: string, cookie: string): Promise<number> {
  const startedAt = performance.now();
  const response = await fetch(url, { headers: { cookie }, redirect: "manual" });
  await response.arrayBuffer();
  if (response.status !== 200) throw new Error(`${url}: ${response.status}`);
  return performance.now() - startedAt;
}

type CallResponse = {
  readonly id: string;
  readonly status: string;
  readonly doneCount: number;
  readonly counts: object;
};

async function call(
  { origin, apiToken }: ServerUnderTest,
  method: string,
  path: string,
  body?: unknown,
): Promise<CallResponse> {
  const response = await fetch(`${origin}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${apiToken}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return JSON.parse(text) as CallResponse;
}

async function describeMemory(server: ServerUnderTest): Promise<string> {
  return JSON.stringify(memoryOf(await sampleTree(server.pid)).byRole);
}

function describeTimes(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (part: number) => (sorted[Math.floor((sorted.length - 1) * part)] ?? 0).toFixed(0);
  return `p50 ${at(0.5)} ms, p95 ${at(0.95)} ms of ${times.length} pages`;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
