import { createHash } from "node:crypto";
import { openSync, writeSync } from "node:fs";
import { RawConnection } from "#e2e/harness/raw-connection.ts";
import { makeStripeBody, makeStripeRequest } from "#e2e/harness/stripe-delivery.ts";
import type { LedgerReport, LedgerTask } from "./start-ledger-client.ts";

/**
 * Runs the clients in their own process. Each sends one event after the other and repeats an event,
 * as real providers do, until it has received a complete 2xx. Only then does its id go into the
 * ledger, an append-only file: id, SHA-256 of the body, delivery id. Every tenth event is then sent
 * a second time, as real providers do too.
 */
const task = JSON.parse(process.argv[2] ?? "{}") as LedgerTask;
const ledger = openSync(task.ledgerFile, "a");
const statuses: Record<string, number> = {};
let acknowledged = 0;
let resent = 0;
let slowestResponseMs = 0;
let lastResponseAtMs = 0;
let isStopping = false;
let open = 0;
let allowance = 0;
const waitingForAllowance: (() => void)[] = [];

function startClient(number: number): void {
  let sequence = 0;
  let event = makeEvent();
  let isRepeat = false;
  let sentAt = 0;
  /** A response may close its connection. Only what was scheduled last goes on then. */
  let turn = 0;
  let connection = openConnection();
  open += 1;
  send();

  function makeEvent() {
    sequence += 1;
    const id = `evt_${task.tag}_${number}_${sequence}`;
    return { id, body: makeStripeBody(id) };
  }

  function openConnection(): RawConnection {
    return new RawConnection({
      port: task.port,
      onResponse(status, response, head) {
        lastResponseAtMs = Date.now();
        slowestResponseMs = Math.max(slowestResponseMs, performance.now() - sentAt);
        count(
          status === 503 && !/\r\nretry-after: *\d/i.test(head)
            ? "503 without Retry-After"
            : String(status),
        );
        if (status === 200) {
          acknowledge(response);
          return;
        }
        resent += 1;
        setTimeout(inTurn(next), 20);
      },
      onLost(wasWaiting) {
        turn += 1;
        count(wasWaiting ? "reset" : "refused");
        if (wasWaiting) resent += 1;
        setTimeout(() => {
          if (isStopping) {
            end();
            return;
          }
          connection = openConnection();
          send();
        }, 20);
      },
    });
  }

  function acknowledge(response: string): void {
    acknowledged += 1;
    const hash = createHash("sha256").update(event.body).digest("hex");
    const { status, deliveryId } = JSON.parse(response) as { status: string; deliveryId: string };
    writeSync(ledger, `${event.id}\t${hash}\t${status}\t${deliveryId}\n`);
    isRepeat = !isRepeat && sequence % 10 === 0;
    if (!isRepeat) event = makeEvent();
    next();
  }

  function next(): void {
    if (isStopping) end();
    else if (allowance >= 1) send();
    else waitingForAllowance.push(inTurn(send));
  }

  function inTurn(go: () => void): () => void {
    const own = turn;
    return () => {
      if (own === turn) go();
    };
  }

  function send(): void {
    allowance -= 1;
    sentAt = performance.now();
    connection.send(makeStripeRequest(task.path, event.body, Date.now()));
  }

  function end(): void {
    connection.destroy();
    open -= 1;
    if (open === 0) finish();
  }
}

function count(what: string): void {
  statuses[what] = (statuses[what] ?? 0) + 1;
}

function report(isFinished: boolean): void {
  const message: LedgerReport = {
    isFinished,
    acknowledged,
    resent,
    statuses,
    slowestResponseMs,
    lastResponseAtMs,
  };
  process.send?.(message);
}

function finish(): void {
  report(true);
  process.disconnect?.();
  process.exit(0);
}

// The allowance enforces the rate. Unused, it accumulates no more than a tenth of a second.
const tickMs = 5;
const tick = setInterval(() => {
  if (task.ratePerSecond === 0) allowance = Number.POSITIVE_INFINITY;
  else
    allowance = Math.min(
      allowance + (task.ratePerSecond * tickMs) / 1000,
      Math.max(1, task.ratePerSecond / 10),
    );
  while (allowance >= 1) {
    const send = waitingForAllowance.shift();
    if (send === undefined) return;
    send();
  }
}, tickMs);
tick.unref();

process.on("message", (message) => {
  if (message === "report") {
    report(false);
    return;
  }
  isStopping = true;
  for (const send of waitingForAllowance.splice(0)) send();
});
process.on("disconnect", () => process.exit(0));
for (let number = 0; number < task.clients; number += 1) startClient(number);
