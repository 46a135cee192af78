import { RawConnection } from "#e2e/harness/raw-connection.ts";
import { makeStripeBody, makeStripeRequest } from "#e2e/harness/stripe-delivery.ts";
import type { LoadMessage, LoadResult, LoadTask } from "./start-load.ts";

/**
 * The load generator, in its own process. Requests are created and signed before the clock starts,
 * each with its own event id. While it runs, a request costs one write and one check of the
 * response.
 */
const task = JSON.parse(process.argv[2] ?? "{}") as LoadTask;
const noteStart = '"note":"';
const prepared: Buffer[] = [];
for (let index = 0; index < task.prepare; index += 1) prepared.push(makeRequest(index));

let nextRequest = 0;
let sent = 0;
let answered = 0;
let lost = 0;
let isOver = false;
const latenciesMs: number[] = [];
const statuses: Record<string, number> = {};
const idle: LoadClient[] = [];
const due: number[] = [];

type LoadClient = { connection: RawConnection; startedAt: number };

function makeRequest(index: number): Buffer {
  const body = fillUp(makeStripeBody(`evt_${task.tag}_${index}`));
  return makeStripeRequest(task.path, body, Date.now());
}

/** Lengthens the note, so that the body has the wanted size. */
function fillUp(body: Buffer): Buffer {
  const missing = task.bodyBytes - body.byteLength;
  if (missing <= 0) return body;
  const at = body.indexOf(noteStart) + noteStart.length;
  return Buffer.concat([body.subarray(0, at), Buffer.alloc(missing, "x"), body.subarray(at)]);
}

function openLoadClient(): void {
  const client: LoadClient = {
    startedAt: 0,
    connection: new RawConnection({
      port: task.port,
      onResponse(status) {
        latenciesMs.push(performance.now() - client.startedAt);
        answered += 1;
        statuses[status] = (statuses[status] ?? 0) + 1;
        release(client);
      },
      onLost(wasWaiting) {
        if (wasWaiting) lost += 1;
        if (!isOver) setTimeout(openLoadClient, 20);
      },
    }),
  };
  release(client);
}

/** Closed loop: the next request follows the response. Paced: it waits for its turn. */
function release(client: LoadClient): void {
  if (isOver) {
    client.connection.destroy();
    return;
  }
  const dueAt = task.ratePerSecond === 0 ? performance.now() : due.shift();
  if (dueAt === undefined) idle.push(client);
  else send(client, dueAt);
}

/** A request that had to wait for a connection has been waiting since it was due. */
function send(client: LoadClient, startedAt: number): void {
  const request = prepared[nextRequest] ?? makeRequest(nextRequest);
  nextRequest += 1;
  sent += 1;
  client.startedAt = startedAt;
  client.connection.send(request);
}

function pace(startedAt: number): NodeJS.Timeout {
  let asked = 0;
  return setInterval(() => {
    const now = performance.now();
    const wanted = Math.floor(((now - startedAt) / 1000) * task.ratePerSecond);
    for (; asked < wanted; asked += 1) {
      const client = idle.shift();
      if (client === undefined) due.push(now);
      else send(client, now);
    }
  }, 1);
}

function run(): void {
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  for (let index = 0; index < task.connections; index += 1) openLoadClient();
  const pacer = task.ratePerSecond === 0 ? undefined : pace(startedAt);
  setTimeout(() => {
    isOver = true;
    clearInterval(pacer);
    const seconds = (performance.now() - startedAt) / 1000;
    const { user, system } = process.cpuUsage(cpuBefore);
    finish(seconds, (user + system) / 1000);
  }, task.seconds * 1000);
}

/**
 * Counts responses within the time. Requests in flight at the end are only counted by the server.
 */
function finish(seconds: number, cpuMs: number): void {
  const sorted = Float64Array.from(latenciesMs).sort();
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  const latency = { p50: at(0.5), p90: at(0.9), p99: at(0.99), max: sorted.at(-1) ?? 0 };
  const result: LoadResult = {
    seconds,
    sent,
    answered,
    lost,
    waiting: due.length,
    statuses,
    latency,
    cpuMs,
  };
  say({ kind: "result", result });
  // The delay is for responses in flight. An earlier close would look like a failure to the server.
  setTimeout(() => process.exit(0), 500);
}

function say(message: LoadMessage): void {
  process.send?.(message);
}

process.on("message", run);
process.on("disconnect", () => process.exit(0));
say({ kind: "prepared" });
