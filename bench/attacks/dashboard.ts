import { statSync } from "node:fs";
import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { adminEmail, adminPassword } from "#e2e/harness/server-under-test.ts";
import { signIn } from "#e2e/harness/sign-in.ts";
import { type Stage, say } from "./stage.ts";

const watchMs = 15_000;
const everyMs = 100;
/** A response that takes longer counts as none. */
const maxResponseMs = 3_000;

type Attack = { readonly name: string; readonly start: () => Promise<() => void> };
type Probe = () => Promise<boolean>;

/**
 * Attacks as an outsider or one user can. Measures for how many seconds of each attack the
 * dashboard, the API, and `/api/health` were away, and how fast the log grew.
 */
export async function measureDashboard({ server, victim, attacker }: Stage): Promise<void> {
  const { origin, logFile } = server;
  const loads = (path: string): Probe => {
    return async () => (await fetch(`${origin}${path}`, { signal: soon() })).ok;
  };
  const probes: readonly Probe[] = [
    loads("/sign-in"),
    () => victim("/hooks").then(() => true),
    loads("/api/health"),
  ];
  const cookie = await signIn(origin, adminEmail, adminPassword);
  const hook = await attacker("/hooks", { name: "r", provider: "generic", ratePerSecond: 1 });
  const attacks = listAttacks(origin, cookie, String(hook.catchUrl));
  say(
    `${`away, of ${watchMs / 1000} s`.padEnd(44)}dashboard   API         health      log per minute`,
  );
  for (const { name, start } of attacks) {
    const sizeBefore = statSync(logFile).size;
    const stop = await start();
    const away = await Promise.all(probes.map((probe) => watch(probe)));
    const bytes = (statSync(logFile).size - sizeBefore) * (60_000 / watchMs);
    stop();
    const seconds = away.map((ms) => `${(ms / 1000).toFixed(1)} s`.padEnd(12)).join("");
    say(`${name.padEnd(44)}${seconds}${describeBytes(bytes)}`);
    await waitUntilCalm(probes);
  }
}

function listAttacks(origin: string, cookie: string, limitedUrl: string): readonly Attack[] {
  const port = Number(new URL(origin).port);
  const action = "Next-Action: 400000000000000000000000000000000000000000\r\n";
  const own = `Origin: ${origin}\r\n`;
  const type = "Content-Type: text/plain;charset=UTF-8\r\n";
  const slow = (line: string, headers: string) =>
    `${line} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${headers}${type}Content-Length: 900000\r\n\r\n`;
  const post = (path: string, headers: string, body = "[]") =>
    `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${headers}${type}` +
    `Content-Length: ${body.length}\r\n\r\n${body}`;
  const get = (path: string, headers = "") =>
    `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${headers}\r\n`;
  const keepOpen = async (count: number, request: string, chunk = "") =>
    stopping(Array.from({ length: count }, () => keepConnection(port, request, chunk)));
  const flood = async (request: string) =>
    stopping(Array.from({ length: 8 }, () => keepRequesting(port, request)));
  const image = get("/_next/image?url=%2Ficon.svg&w=64&q=75");
  return [
    { name: "nothing", start: async () => () => {} },
    { name: "one GET of /_next/image", start: () => keepOpen(1, image) },
    {
      name: "300 slow POSTs of /sign-in, 400 KiB/s",
      start: () => keepOpen(300, slow("POST /sign-in", action + own), drop),
    },
    {
      name: "300 slow POSTs of /portal/x, 400 KiB/s",
      start: () => keepOpen(300, slow("POST /portal/x", own), drop),
    },
    {
      name: "300 live lists of one session",
      start: () => keepOpen(300, get("/api/live?list=deliveries", `Cookie: ${cookie}\r\n`)),
    },
    {
      name: "a flood over a hook's rate limit",
      start: () => flood(post(new URL(limitedUrl).pathname, "", "{}")),
    },
    {
      name: "a flood of sign-ins by one client",
      start: () => {
        const from = "X-Forwarded-For: 198.51.100.7\r\n";
        return flood(post("/sign-in", action + own + from));
      },
    },
    {
      name: "a flood of POSTs with another Origin",
      start: () => flood(post("/sign-in", `${action}Origin: https://evil.example\r\n`)),
    },
  ];
}

/** Each of 300 connections sends this ten times a second: 400 KiB/s together. */
const drop = "x".repeat(137);

function stopping(stops: readonly (() => void)[]): () => void {
  return () => {
    for (const stop of stops) stop();
  };
}

/**
 * Keeps a connection with one request whose body comes slowly. When it is closed, another one
 * opens.
 */
function keepConnection(port: number, request: string, chunk: string): () => void {
  let isOver = false;
  let stop = () => {};
  const open = () => {
    const socket = connect(port, "127.0.0.1", () => socket.write(request));
    const drops = setInterval(() => chunk !== "" && socket.write(chunk), everyMs);
    stop = () => {
      clearInterval(drops);
      socket.destroy();
    };
    socket.on("error", () => {}).resume();
    socket.once("close", async () => {
      clearInterval(drops);
      // A single request is measured, unless it holds the connection.
      await delay(everyMs);
      if (!isOver && chunk !== "") open();
    });
  };
  open();
  return () => {
    isOver = true;
    stop();
  };
}

/** Sends the same request again and again, each as soon as the one before has its response. */
function keepRequesting(port: number, request: string): () => void {
  let isOver = false;
  let stop = () => {};
  const open = () => {
    const socket = connect(port, "127.0.0.1", () => socket.write(request));
    stop = () => socket.destroy();
    socket.on("error", () => {});
    socket.on("data", () => socket.write(request));
    socket.once("close", () => {
      if (!isOver) setImmediate(open);
    });
  };
  open();
  return () => {
    isOver = true;
    stop();
  };
}

/** @returns for how many milliseconds it had no good response */
async function watch(probe: Probe): Promise<number> {
  const endsAt = performance.now() + watchMs;
  let awayMs = 0;
  while (performance.now() < endsAt) {
    const startedAt = performance.now();
    const late = delay(maxResponseMs).then(() => false);
    const isHere = await Promise.race([probe().catch(() => false), late]);
    await delay(everyMs);
    if (!isHere) awayMs += performance.now() - startedAt;
  }
  return Math.min(awayMs, watchMs);
}

/** Waits until the attack has no effect any more. */
async function waitUntilCalm(probes: readonly Probe[]): Promise<void> {
  for (let good = 0; good < 3; await delay(everyMs)) {
    const all = await Promise.all(probes.map((probe) => probe().catch(() => false)));
    good = all.every(Boolean) ? good + 1 : 0;
  }
}

function soon(): AbortSignal {
  return AbortSignal.timeout(maxResponseMs);
}

function describeBytes(bytes: number): string {
  return bytes < 1_000_000
    ? `${(bytes / 1000).toFixed(1)} kB`
    : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
