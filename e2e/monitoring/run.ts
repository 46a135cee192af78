import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { fetchUntilAvailable } from "#e2e/harness/fetch-until-available.ts";
import { createThroughApi } from "#e2e/harness/post-to-api.ts";
import { makeScratchFolder } from "#e2e/harness/scratch-folder.ts";
import { makeAccess, type ServerUnderTest, startServer } from "#e2e/harness/server-under-test.ts";
import { setUpHook } from "#e2e/harness/set-up-hook.ts";
import { startSink } from "#e2e/harness/start-sink.ts";
import { makeStripeBody, signStripe } from "#e2e/harness/stripe-delivery.ts";
import { waitUntil } from "#e2e/harness/wait-until.ts";
import { fetchDebianPackage } from "#scripts/image/debian-package.ts";
import { findFreePort } from "#server/system/free-port.ts";

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
  const { metricsUrl, makeTraffic } = await startCatchment();
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
  await checkDashboard(prometheus, makeTraffic);
} finally {
  for (const stop of stops.toReversed()) await stop();
}

type Monitored = {
  readonly metricsUrl: string;
  /** A delivery, an event, what becomes of them, and a request to the API. */
  readonly makeTraffic: () => Promise<void>;
};

/** Starts it with all that it has metrics of, and sends some deliveries. */
async function startCatchment(): Promise<Monitored> {
  const sink = await startSink();
  stops.push(async () => sink.stop());
  const port = await findFreePort();
  const spool = pathToFileURL(join(folder, "spool")).href;
  const env = { CATCHMENT_METRICS_PORT: String(port), CATCHMENT_SPOOL_URL: spool };
  mkdirSync(join(folder, "catchment"));
  const server = await startServer({ folder: join(folder, "catchment"), env }, makeAccess());
  stops.push(() => server.stop());
  const hook = await setUpHook({ ...server, sinkUrl: sink.url, name: "monitored" });
  for (let number = 0; number < deliveries; number += 1)
    await deliver(server, hook.path, `evt_${number}`);
  await waitUntil("the calls", 60_000, async () =>
    (await sink.count()).calls === deliveries ? true : undefined,
  );
  await createThroughApi(server, "/api/v1/subscriptions", { receiverUrl: sink.url });
  let round = 0;
  const makeTraffic = async () => {
    round += 1;
    await deliver(server, hook.path, `evt_more_${round}`);
    await createThroughApi(server, "/api/v1/events", { type: "invoice.paid", data: { round } });
    const headers = { authorization: `Bearer ${server.apiToken}` };
    await fetchUntilAvailable(`${server.origin}/api/v1/hooks`, { headers });
  };
  return { metricsUrl: `http://127.0.0.1:${port}/metrics`, makeTraffic };
}

async function deliver(server: ServerUnderTest, path: string, id: string): Promise<void> {
  const body = new Uint8Array(makeStripeBody(id));
  const headers = {
    "content-type": "application/json",
    "stripe-signature": signStripe(body, Date.now()),
  };
  const response = await fetch(server.origin + path, { method: "POST", headers, body });
  if (!response.ok) throw new Error(`The delivery got ${response.status}.`);
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

/** Every query of the dashboard has a value, while there is something to see. */
async function checkDashboard(origin: string, makeTraffic: () => Promise<void>): Promise<void> {
  const { panels } = JSON.parse(readFileSync(path("grafana/catchment.json"), "utf8")) as Dashboard;
  const queries = panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => ({
      name: `${title}: ${expr}`,
      expr: expr.replaceAll("$instance", ".*").replaceAll("$__rate_interval", "1m"),
    })),
  );
  let empty = queries;
  const look = async () => {
    // A rate needs something that happens between two scrapes.
    await makeTraffic();
    const samples = await Promise.all(queries.map(({ expr }) => query(origin, expr)));
    empty = queries.filter((_, at) => !samples[at]?.some(({ value }) => value[1] !== "NaN"));
    return empty.length === 0 ? true : undefined;
  };
  await waitUntil("a value for each query", 60_000, look, 500).catch((error: Error) => {
    throw new Error(`${error.message}\n${empty.map(({ name }) => name).join("\n")}`);
  });
  say(`queries of the dashboard: ${queries.length}, each with a value`);
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
