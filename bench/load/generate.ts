import { RawConnection } from "#e2e/harness/raw-connection.ts";
import { makeStripeBody, makeStripeRequest } from "#e2e/harness/stripe-delivery.ts";
import type { LoadMessage, LoadResult, LoadTask } from "./start-load.ts";

/**
 * The load, a process of its own. Requests are made and signed before the clock starts, each with an event id of its own; while
 * it runs, a request costs one write and one look at the answer.
 */
const task = JSON.parse(process.argv[2] ?? "{}") as LoadTask;
const prepared: Buffer[] = [];
for (let index = 0; index < task.prepare; index += 1) prepared.push(makeRequest(index));

let nextRequest = 0;
let sent = 0;
let answered = 0;
let lost = 0;
let isOver = false;
const latenciesMs: number[] = [];
const statuses: Record<string, number> = {};
const idle: Sender[] = [];
const due: number[] = [];

type Sender = { connection: RawConnection; startedAt: number };

function makeRequest(index: number): Buffer {
  return makeStripeRequest(task.path, makeStripeBody(`evt_${task.tag}_${index}`), Date.now());
}

function openSender(): void {
  const sender: Sender = {
    startedAt: 0,
    connection: new RawConnection({
      port: task.port,
      onAnswer(status) {
        latenciesMs.push(performance.now() - sender.startedAt);
        answered += 1;
        statuses[status] = (statuses[status] ?? 0) + 1;
        release(sender);
      },
      onLost(wasWaiting) {
        if (wasWaiting) lost += 1;
        if (!isOver) setTimeout(openSender, 20);
      },
    }),
  };
  release(sender);
}

/** Closed loop: the next request follows the answer. Paced: it waits for its turn. */
function release(sender: Sender): void {
  if (isOver) {
    sender.connection.destroy();
    return;
  }
  const dueAt = task.ratePerSecond === 0 ? performance.now() : due.shift();
  if (dueAt === undefined) idle.push(sender);
  else send(sender, dueAt);
}

/** A request that had to wait for a connection has been waiting since it was due. */
function send(sender: Sender, startedAt: number): void {
  const request = prepared[nextRequest] ?? makeRequest(nextRequest);
  nextRequest += 1;
  sent += 1;
  sender.startedAt = startedAt;
  sender.connection.send(request);
}

function pace(startedAt: number): NodeJS.Timeout {
  let asked = 0;
  return setInterval(() => {
    const now = performance.now();
    const wanted = Math.floor(((now - startedAt) / 1000) * task.ratePerSecond);
    for (; asked < wanted; asked += 1) {
      const sender = idle.shift();
      if (sender === undefined) due.push(now);
      else send(sender, now);
    }
  }, 1);
}

function run(): void {
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  for (let index = 0; index < task.connections; index += 1) openSender();
  const pacer = task.ratePerSecond === 0 ? undefined : pace(startedAt);
  setTimeout(() => {
    isOver = true;
    clearInterval(pacer);
    const seconds = (performance.now() - startedAt) / 1000;
    const { user, system } = process.cpuUsage(cpuBefore);
    finish(seconds, (user + system) / 1000);
  }, task.seconds * 1000);
}

/** What was answered within the time counts; what is under way at its end is answered and counted by the server alone. */
function finish(seconds: number, cpuMs: number): void {
  const sorted = Float64Array.from(latenciesMs).sort();
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  const latency = { p50: at(0.5), p90: at(0.9), p99: at(0.99), max: sorted.at(-1) ?? 0 };
  const result: LoadResult = { seconds, sent, answered, lost, waiting: due.length, statuses, latency, cpuMs };
  say({ kind: "result", result });
  // Time for the answers under way; a connection that is closed before would look like a failure to the server.
  setTimeout(() => process.exit(0), 500);
}

function say(message: LoadMessage): void {
  process.send?.(message);
}

process.on("message", run);
process.on("disconnect", () => process.exit(0));
say({ kind: "prepared" });
