import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { makeScratchFolder } from "#e2e/harness/scratch-folder.ts";
import { startSink } from "#e2e/harness/start-sink.ts";
import { waitUntil } from "#e2e/harness/wait-until.ts";
import { prepareTools, removeTools } from "#scripts/image/tools.ts";
import { makeRelease } from "#scripts/release/make-release.ts";
import { findFreePort } from "#server/system/free-port.ts";
import { checkArm } from "./check-arm.ts";
import { checkService } from "./check-service.ts";
import { type Container, startContainer } from "./container.ts";
import {
  type Image,
  listDebianPackages,
  listNpmPackages,
  measureMegabytes,
  mountImage,
} from "./image.ts";
import { setUpOwner, startMainJob } from "./main-job.ts";
import { startRegistry } from "./registry.ts";

/**
 * `npm run test:image`, as root on Debian: makes a release, pushes it to a registry of this machine, pulls the image
 * from there, starts it read-only, and does the main job in it. Not part of `npm test`, because it downloads Debian's
 * packages and installs Catchment twice more.
 */
const uid = 10_001;
const checkout = fileURLToPath(new URL("../..", import.meta.url));
/** Real, effective, saved, and file system user; effective capabilities; no new privileges. */
const allowed = `${uid} ${uid} ${uid} ${uid} ${"0".repeat(16)} 1`;
const metricsToken = "a-token-from-a-file";
const folder = makeScratchFolder("image");
const stops: (() => unknown)[] = [() => removeTools(folder)];

try {
  const tools = prepareTools(folder);
  const exposure = checkService(tools, folder, checkout);
  say(`✓ systemd-analyze verify finds nothing; exposure ${exposure} of 10`);
  const registry = await startRegistry(folder);
  stops.push(registry.stop);
  const version = makeRelease({
    checkout,
    out: join(folder, "release"),
    tools,
    scratch: folder,
    registry: registry.name,
    processors: ["amd64", "arm64"],
    fromDebian: true,
    push: true,
  });
  checkFiles(join(folder, "release"), version);
  say(checkArm(tools, `localhost/catchment:${version}-arm64`));
  const tag = `${registry.name}/catchment:${version}`;
  tools.buildah("pull", "--tls-verify=false", "--signature-policy", tools.policy, tag);
  const image = mountImage(tools, tag);
  stops.push(image.remove);
  describeImage(image);

  const port = await findFreePort();
  const sink = await startSink({ delayMs: 2_000 });
  stops.push(() => sink.stop());
  const options = {
    image,
    folder,
    volume: makeOwned("volume"),
    secrets: makeSecrets(),
    env: {
      // Loopback, because the container shares the network of this machine.
      HOST: "127.0.0.1",
      PORT: String(port),
      CATCHMENT_PUBLIC_URL: `http://127.0.0.1:${port}`,
      CATCHMENT_EGRESS_ALLOW: "127.0.0.1/32",
      CATCHMENT_SECRET_KEY_FILE: "/run/secrets/secret-key",
      CATCHMENT_METRICS_TOKEN_FILE: "/run/secrets/metrics-token",
    },
  };
  const start = async (name: string) => {
    const container = startContainer(tools, { ...options, name });
    stops.push(() => container.stop());
    await untilReady(container);
    return container;
  };

  const first = await start("first");
  checkIsolation(first);
  await checkMonitoring(first, image, options.env.CATCHMENT_PUBLIC_URL);
  const setupLink = /https?:\/\/\S+\/setup\?token=[\w-]+/.exec(first.printed())?.[0] ?? "";
  const access = await setUpOwner(options.env.CATCHMENT_PUBLIC_URL, setupLink);
  const job = await startMainJob(access, sink);
  const { status, deliveryId } = await job.deliver("evt_1");
  expectSame("the delivery is accepted", status, "accepted");
  await job.untilRun(deliveryId, "succeeded");
  expectSame("the same event again", (await job.deliver("evt_1")).status, "duplicate");
  say("✓ owner by the setup link, hook, signed delivery, action called, duplicate found");

  // SIGTERM while the receiver has the call, and hasn't responded.
  const late = await job.deliver("evt_2");
  await waitUntil("the second call", 60_000, async () =>
    (await sink.count()).calls === 2 ? true : undefined,
  );
  const stoppedAt = performance.now();
  expectSame("the exit code after SIGTERM", await first.stop(), 0);
  const seconds = ((performance.now() - stoppedAt) / 1_000).toFixed(1);
  await start("second");
  const run = await job.untilRun(late.deliveryId, "succeeded");
  expectSame("its attempts", run.attemptCount, 1);
  expectSame("calls", (await sink.count()).calls, 2);
  expectSame("an event from before", (await job.deliver("evt_1")).status, "duplicate");
  say(
    `✓ SIGTERM finished the call in flight (${seconds} s), and another container continued on the volume`,
  );
} finally {
  for (const stop of stops.toReversed()) await stop();
}

/** Everything that a release has, and nothing else. */
function checkFiles(out: string, version: string): void {
  const { status, stdout } = spawnSync("sha256sum", ["--check", "--quiet", "SHA256SUMS"], {
    cwd: out,
    encoding: "utf8",
  });
  expectSame(`the checksums ${stdout}`, status, 0);
  expectSame(
    "the files",
    readdirSync(out)
      .filter((file) => !file.endsWith(".sigstore.json"))
      .toSorted(),
    [
      "SHA256SUMS",
      `catchment-${version}-linux-amd64.tar.gz`,
      `catchment-${version}-linux-arm64.tar.gz`,
      `catchment-${version}.cdx.json`,
      `catchment-chart-${version}.tgz`,
      `catchment-cli-${version}.tgz`,
      `catchment-client-${version}.tgz`,
      "chart",
      "compose.yaml",
      "notes.md",
    ],
  );
}

function describeImage(image: Image): void {
  const { User, Volumes, ExposedPorts, StopSignal } = image.config;
  expectSame("the user", User, `${uid}:${uid}`);
  expectSame("the volumes", Object.keys(Volumes), ["/data"]);
  say(`✓ image: user ${User}, port ${Object.keys(ExposedPorts)}, ${StopSignal}`);
  const app = measureMegabytes(join(image.root, "app"));
  say(
    `size: ${measureMegabytes(image.root)} MB, of which Catchment with Node and PostgreSQL ${app} MB`,
  );
  const show = (title: string, all: readonly { name: string; version: string }[]) =>
    say(`${title} (${all.length}): ${all.map((one) => `${one.name} ${one.version}`).join(", ")}`);
  show("packages of Debian", listDebianPackages(image.root));
  show("packages of npm", listNpmPackages(image.root));
}

function makeOwned(name: string): string {
  const path = join(folder, name);
  mkdirSync(path, { mode: 0o700 });
  chownSync(path, uid, uid);
  return path;
}

function makeSecrets(): string {
  const path = makeOwned("secrets");
  const secrets = {
    "secret-key": "a secret key for tests, long enough",
    "metrics-token": metricsToken,
  };
  for (const [name, secret] of Object.entries(secrets)) {
    writeFileSync(join(path, name), `${secret}\n`);
    chownSync(join(path, name), uid, uid);
    chmodSync(join(path, name), 0o400);
  }
  return path;
}

async function untilReady(container: Container): Promise<void> {
  const startedAt = performance.now();
  await waitUntil("Catchment in the container", 300_000, () => {
    if (container.exitCode() !== undefined) throw new Error(container.printed());
    return container.printed().includes('"event":"server.ready"') ? true : undefined;
  });
  say(`✓ ready after ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`);
}

/** No process is root or can become it, and only the volume and /tmp can be written to. */
function checkIsolation(container: Container): void {
  const processes =
    "cd /proc && for p in [0-9]*; do " +
    'echo "$(cat $p/comm) $(grep -h -e ^Uid -e ^CapEff -e ^NoNewPrivs $p/status | cut -f 2- | xargs)"; done';
  const ran = container.exec("sh", "-c", processes).output.trim().split("\n");
  const found = new Set(ran.map((line) => line.replace(/^\S+ /, "")));
  expectSame(`the users, capabilities, and privileges of ${ran}`, [...found], [allowed]);
  const write =
    "for f in / /app /app/node_modules/.cache/compile /etc /usr/local /run /data /tmp; do " +
    "touch $f/written 2>/dev/null && echo $f; done; true";
  const written = container.exec("sh", "-c", write).output.trim().split("\n");
  expectSame("what can be written to", written, ["/data", "/tmp"]);
  say(`✓ all processes are uid ${uid} without capabilities; only /data and /tmp can be written to`);
}

async function checkMonitoring(container: Container, image: Image, origin: string): Promise<void> {
  const [, ...healthcheck] = image.config.Healthcheck.Test;
  expectSame("the health check", container.exec(...healthcheck).code, 0);
  for (const path of ["/api/health/live", "/api/health/ready"])
    expectSame(path, (await fetch(origin + path)).status, 200);
  const ask = async (token: string) =>
    (await fetch(`${origin}/metrics`, { headers: { authorization: `Bearer ${token}` } })).status;
  expectSame("metrics", [await ask(metricsToken), await ask("another")], [200, 401]);
  const doctor = container.exec("catchment-server", "doctor");
  say(doctor.output.trimEnd());
  say("✓ health check, live, ready, metrics with the token from a file, catchment-server doctor");
}

function expectSame(what: string, found: unknown, wanted: unknown): void {
  if (JSON.stringify(found) === JSON.stringify(wanted)) return;
  throw new Error(`${what}: ${JSON.stringify(found)}, not ${JSON.stringify(wanted)}`);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
