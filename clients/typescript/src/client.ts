import { CatchmentError, type CatchmentErrorCode, toError } from "./errors.ts";
import { type Client, operations } from "./operations.ts";
import type { CallOptions, ClientOptions } from "./options.ts";
import { type Page, toPagePromise } from "./pages.ts";
import { sendRequest } from "./send-request.ts";

type Input = Readonly<Record<string, unknown>>;
type Operation = readonly [method: string, path: string, returns?: "page" | "rows"];

/**
 * A client of the API, with one method for each call:
 *
 * ```ts
 * const catchment = createClient({ url: "https://hooks.example.com", token: "cmt_…" });
 * await catchment.publishEvent({ type: "invoice.paid", data: { object: { id: "in_1001" } } });
 * for await (const run of catchment.listRuns({ status: "failed" })) console.log(run.reason);
 * ```
 */
export function createClient(options: ClientOptions): Client {
  const methods = Object.entries(operations).map(([name, operation]) => [
    name,
    (input: Input = {}, call: CallOptions = {}) => run(options, operation, input, call),
  ]);
  // The table and the type are printed from the same list of calls.
  return Object.fromEntries(methods) as Client;
}

function run(client: ClientOptions, operation: Operation, input: Input, call: CallOptions) {
  const returns = operation[2];
  if (returns === "rows") return readRows(client, operation, input, call);
  if (returns !== "page") return readValue(client, operation, input, call);
  return toPagePromise((cursor) => {
    const asked = cursor === undefined ? input : { ...input, cursor };
    return readValue(client, operation, asked, call) as Promise<Page<unknown>>;
  });
}

async function readValue(
  client: ClientOptions,
  operation: Operation,
  input: Input,
  call: CallOptions,
): Promise<unknown> {
  const request = { ...toRequest(operation, input), accept: "application/json" };
  const response = await sendRequest(client, request, call);
  const text = await response.text();
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw await toError(new Response(text, { status: response.status }));
  }
}

/** The rows of an export, one JSON on each line, as they arrive. */
async function* readRows(
  client: ClientOptions,
  operation: Operation,
  input: Input,
  call: CallOptions,
): AsyncGenerator<unknown> {
  const request = { ...toRequest(operation, input), accept: "application/x-ndjson" };
  const { body } = await sendRequest(client, request, call);
  if (body === null) return;
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of readChunks(body)) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield readRow(line);
  }
  // A row ends with a line feed, so an export that was cut off isn't taken for a whole one.
  if (rest !== "") throw cutOff("The export ended in the middle of a row.");
}

/** Not every runtime can iterate a stream. */
async function* readChunks(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await reader.cancel();
  }
}

function readRow(line: string): unknown {
  const row = JSON.parse(line);
  const { code, detail } = Object.keys(row).join() === "error" ? row.error : {};
  if (typeof code === "string") throw cutOff(String(detail), code as CatchmentErrorCode);
  return row;
}

function cutOff(detail: string, code: CatchmentErrorCode = "connection_failed"): CatchmentError {
  return new CatchmentError({ status: 200, code, detail });
}

/** Fields that the path names go there, and the others into the query or the body. */
function toRequest([method, path]: Operation, input: Input) {
  const used = new Set<string>();
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    used.add(name);
    const value = input[name];
    if (typeof value === "string" && value !== "") return encodeURIComponent(value);
    if (typeof value === "number") return String(value);
    throw new TypeError(`${name} must be a text that isn't empty`);
  });
  const others = Object.entries(input).filter(
    ([name, value]) => !used.has(name) && value !== undefined,
  );
  if (others.length === 0) return { method, target: filled };
  if (method !== "GET")
    return { method, target: filled, body: JSON.stringify(Object.fromEntries(others)) };
  const query = new URLSearchParams(others.map(([name, value]) => [name, String(value)]));
  return { method, target: `${filled}?${query}` };
}
