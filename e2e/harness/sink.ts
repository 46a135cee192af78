import { createHash } from "node:crypto";
import { openSync, writeSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { SinkMessage } from "./start-sink.ts";

/**
 * Runs the receiver of the actions' calls in its own process: `sink.ts <file or -> <delayMs>`. With
 * a file, it writes one line per call before it responds: arrival (Unix time in ms),
 * Idempotency-Key, event id, SHA-256 of the body.
 */
const [file = "-", delayText = "0"] = process.argv.slice(2);
const delayMs = Number(delayText);
const records = file === "-" ? null : openSync(file, "a");
let calls = 0;

const server = createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
  const chunks: Buffer[] = [];
  const arrivedAtMs = Date.now();
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    calls += 1;
    if (records !== null) writeSync(records, toLine(request, Buffer.concat(chunks), arrivedAtMs));
    if (delayMs === 0) respond(response);
    else setTimeout(() => respond(response), delayMs);
  });
});

function toLine(request: IncomingMessage, body: Buffer, arrivedAtMs: number): string {
  const key = request.headers["idempotency-key"] ?? "";
  const hash = createHash("sha256").update(body).digest("hex");
  return `${arrivedAtMs}\t${key}\t${readEventId(body)}\t${hash}\n`;
}

function readEventId(body: Buffer): string {
  try {
    const parsed: unknown = JSON.parse(body.toString("utf8"));
    if (typeof parsed === "object" && parsed !== null && "eventId" in parsed)
      return String(parsed.eventId);
  } catch {
    // The call is recorded with its hash anyway. It won't match what the invariants expect.
  }
  return "";
}

const done = Buffer.from('{"ok":true}');

function respond(response: ServerResponse): void {
  response.writeHead(200, {
    "content-type": "application/json",
    "content-length": done.byteLength,
  });
  response.end(done);
}

server.listen(0, "127.0.0.1", () =>
  say({ kind: "ready", port: (server.address() as AddressInfo).port }),
);
process.on("message", () => say({ kind: "count", calls, cpuMs: cpuMs() }));
process.on("disconnect", () => process.exit(0));

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function say(message: SinkMessage): void {
  process.send?.(message);
}
