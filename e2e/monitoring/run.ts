import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findFreePort } from "#e2e/harness/free-port.ts";
import { makeScratchFolder } from "#e2e/harness/scratch-folder.ts";
import { makeAccess, startServer } from "#e2e/harness/server-under-test.ts";
import { setUpHook } from "#e2e/harness/set-up-hook.ts";
import { startSink } from "#e2e/harness/start-sink.ts";
import { makeStripeBody, signStripe } from "#e2e/harness/stripe-delivery.ts";
import { waitUntil } from "#e2e/harness/wait-until.ts";
import { fetchDebianPackage } from "./debian-package.ts";

/**
 * `npm run test:metrics`: Debian's Prometheus scrapes a running Catchment, evaluates the alert rules
 * and every query of the dashboard, and its promtool checks rules and metrics. Not part of `npm
 * test`, because it downloads Prometheus.
 */
const deliveries = 20;
const accepted = 'sum(catchment_catch_requests_total{outcome="accepted"})';
const path = (name: string) => fileURLToPath(new URL(`../../deploy/${name}`, import.meta.url));
const rulesFile = path("prometheus/alerts.yaml");
const contents = fetchDebianPackage("prometheus");
const promtool = join(contents, "usr/bin/promtool");
const folder = makeScratchFolder("monitoring");
const stops: (() => Promise<unknown>)[] = [async () => rmSync(folder, { recursive: true })];

try {
  say(run(promtool, ["check", "rules", rulesFile]));
  const metricsUrl = await startCatchment();
  const metrics = await (await fetch(metricsUrl)).text();
  say(
    `promtool check metrics: ${run(promtool, ["check", "metrics"], metrics) || "nothing to say"}`,
  );
  const prometheus = await startPrometheus(new URL(metricsUrl).host);
  const target = await waitUntil("a scrape", 60_000, () => readTarget(prometheus));
  say(`scraped: ${target.health}, as ${target.scrapeUrl}, in ${target.lastScrapeDuration} s`);
  const caught = await waitUntil("all deliveries in Prometheus", 60_000, async () => {
    const [sample] = await query(prometheus, accepted);
    return Number(sample?.value[1]) === deliveries ? sample : undefined;
  });
  say(`${accepted} = ${caught.value[1]}`);
  await checkRules(prometheus);
  await checkDashboard(prometheus);
} finally {
  for (const stop of stops.toReversed()) await stop();
}

/** @returns the URL of its metrics, after some deliveries */
async function startCatchment(): Promise<string> {
  const sink = await startSink();
  stops.push(async () => sink.stop());
  const port = await findFreePort();
  const env = { CATCHMENT_METRICS_PORT: String(port) };
  mkdirSync(join(folder, "catchment"));
  const server = await startServer({ folder: join(folder, "catchment"), env }, makeAccess());
  stops.push(() => server.stop());
  const hook = await setUpHook({ ...server, sinkUrl: sink.url, name: "monitored" });
  for (let number = 0; number < deliveries; number += 1) {
    const body = new Uint8Array(makeStripeBody(`evt_${number}`));
    const headers = {
      "content-type": "application/json",
      "stripe-signature": signStripe(body, Date.now()),
    };
    const response = await fetch(server.origin + hook.path, { method: "POST", headers, body });
    if (!response.ok) throw new Error(`The delivery got ${response.status}.`);
  }
  await waitUntil("the calls", 60_000, async () =>
    (await sink.count()).calls === deliveries ? true : undefined,
  );
  return `http://127.0.0.1:${port}/metrics`;
}

async function startPrometheus(target: string): Promise<string> {
  const port = await findFreePort();
  const config = join(folder, "prometheus.json");
  // JSON is YAML.
  writeFileSync(
    config,
    JSON.stringify({
      global: { scrape_interval: "1s", evaluation_interval: "1s" },
      rule_files: [rulesFile],
      scrape_configs: [{ job_name: "catchment", static_configs: [{ targets: [target] }] }],
    }),
  );
  const child = spawn(
    join(contents, "usr/bin/prometheus"),
    [
      `--config.file=${config}`,
      `--storage.tsdb.path=${join(folder, "prometheus")}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: ["ignore", "ignore", "pipe"] },
  );
  let printed = "";
  child.stderr.on("data", (chunk) => {
    printed += chunk;
  });
  stops.push(() => end(child));
  const origin = `http://127.0.0.1:${port}`;
  await waitUntil("Prometheus", 60_000, async () => {
    if (child.exitCode !== null) throw new Error(printed);
    return await fetch(`${origin}/-/ready`).then(
      ({ ok }) => (ok ? true : undefined),
      () => undefined,
    );
  });
  return origin;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  child.kill("SIGTERM");
  await once(child, "exit");
}

type Target = { health: string; scrapeUrl: string; lastError: string; lastScrapeDuration: number };

async function readTarget(origin: string): Promise<Target | undefined> {
  const { activeTargets } = await ask<{ activeTargets: Target[] }>(origin, "targets");
  const [target] = activeTargets;
  if (target?.health === "down") throw new Error(`Prometheus can't scrape: ${target.lastError}`);
  return target?.health === "up" ? target : undefined;
}

async function ask<Data>(origin: string, call: string): Promise<Data> {
  const response = await fetch(`${origin}/api/v1/${call}`);
  const parsed = (await response.json()) as { data: Data; status: string; error?: string };
  if (parsed.status !== "success") throw new Error(`${call}: ${parsed.error}`);
  return parsed.data;
}

type Sample = { readonly value: readonly [number, string] };

async function query(origin: string, expr: string): Promise<readonly Sample[]> {
  const { result } = await ask<{ result: Sample[] }>(
    origin,
    `query?query=${encodeURIComponent(expr)}`,
  );
  return result;
}

type Rule = { readonly name: string; readonly health: string; readonly state: string };

/** Each rule can be evaluated, and none fires on a healthy server. */
async function checkRules(origin: string): Promise<void> {
  const rules = await waitUntil("the rules", 60_000, async () => {
    const { groups } = await ask<{ groups: { rules: Rule[] }[] }>(origin, "rules");
    const found = groups.flatMap((group) => group.rules);
    return found.every(({ health }) => health !== "unknown") ? found : undefined;
  });
  const wrong = rules.filter(({ health, state }) => health !== "ok" || state === "firing");
  if (wrong.length > 0) throw new Error(`Rules: ${JSON.stringify(wrong)}`);
  say(`alert rules evaluated: ${rules.length}, none fires`);
}

type Dashboard = {
  readonly panels: readonly {
    readonly title: string;
    readonly targets?: readonly { readonly expr: string }[];
  }[];
};

/** Every query of the dashboard is answered. */
async function checkDashboard(origin: string): Promise<void> {
  const { panels } = JSON.parse(readFileSync(path("grafana/catchment.json"), "utf8")) as Dashboard;
  // A rate needs two scrapes.
  const cpu = "rate(catchment_process_cpu_seconds_total[1m])";
  await waitUntil("a second scrape", 60_000, async () =>
    (await query(origin, cpu)).length > 0 ? true : undefined,
  );
  const empty: string[] = [];
  let count = 0;
  for (const { title, targets = [] } of panels)
    for (const { expr } of targets) {
      count += 1;
      const given = expr.replaceAll("$instance", ".*").replaceAll("$__rate_interval", "1m");
      if ((await query(origin, given)).length === 0) empty.push(title);
    }
  say(`queries of the dashboard: ${count}, without a value here: ${empty.join(", ") || "none"}`);
}

function run(program: string, args: readonly string[], input?: string): string {
  const options = { encoding: "utf8", input, stdio: "pipe" } as const;
  try {
    return execFileSync(program, args, options).trim();
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${program} ${args.join(" ")}: ${stdout}${stderr}`);
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
