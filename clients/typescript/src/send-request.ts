import { CatchmentError, toError } from "./errors.ts";
import type { CallOptions, ClientOptions } from "./options.ts";

export type RequestToSend = {
  readonly method: string;
  /** The path and query below `/api/v1`. */
  readonly target: string;
  readonly body?: string | undefined;
  readonly accept: string;
};

const defaultRetries = 3;
const defaultTimeoutMs = 30_000;
const firstDelayMs = 500;
const maxDelayMs = 8_000;
/** Longer ones are left to the caller: the error has the status. */
const maxRetryAfterMs = 60_000;

/** Sends a request until it has a response that waiting won't change. Throws a `CatchmentError`. */
export async function sendRequest(
  client: ClientOptions,
  request: RequestToSend,
  options: CallOptions = {},
): Promise<Response> {
  const { maxRetries = defaultRetries } = client;
  const headers = headersOf(client, request, options);
  for (let attempt = 0; ; attempt += 1) {
    const result = await tryOnce(client, request, headers, options.signal);
    const isResponse = !(result instanceof CatchmentError);
    if (isResponse && result.ok) return result;
    const delayMs = attempt < maxRetries ? delayBefore(result, attempt) : null;
    if (delayMs === null) throw isResponse ? await toError(result) : result;
    if (isResponse) await result.body?.cancel();
    await wait(delayMs, options.signal);
  }
}

function headersOf(
  { token }: ClientOptions,
  { method, body, accept }: RequestToSend,
  { idempotencyKey = crypto.randomUUID() }: CallOptions,
): Record<string, string> {
  return {
    accept,
    authorization: `Bearer ${token}`,
    ...(method === "GET" ? {} : { "idempotency-key": idempotencyKey }),
    ...(body === undefined ? {} : { "content-type": "application/json" }),
  };
}

/**
 * The response, or the error of a connection that gave none. Throws if the caller cancels. A `fetch`
 * that was given, such as undici's, may have a class of its own for responses.
 */
async function tryOnce(
  { url, fetch = globalThis.fetch, timeoutMs = defaultTimeoutMs }: ClientOptions,
  { method, target, body }: RequestToSend,
  headers: Record<string, string>,
  signal: AbortSignal | undefined,
): Promise<Response | CatchmentError> {
  signal?.throwIfAborted();
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), timeoutMs);
  try {
    const request = new Request(`${url.replace(/\/+$/, "")}/api/v1${target}`, {
      method,
      headers,
      redirect: "error",
      signal: signal ? AbortSignal.any([signal, timeout.signal]) : timeout.signal,
      ...(body === undefined ? {} : { body }),
    });
    return await fetch(request);
  } catch (cause) {
    signal?.throwIfAborted();
    const detail = timeout.signal.aborted
      ? `No response within ${timeoutMs} ms`
      : `No connection to ${url}`;
    return new CatchmentError({ status: 0, code: "connection_failed", detail, cause });
  } finally {
    clearTimeout(timer);
  }
}

/** Milliseconds until the next try, or null if trying again doesn't help. */
function delayBefore(result: Response | CatchmentError, attempt: number): number | null {
  const backoffMs = Math.random() * Math.min(firstDelayMs * 2 ** attempt, maxDelayMs);
  if (result instanceof CatchmentError) return backoffMs;
  const retryAfterMs = readRetryAfter(result);
  // 409 with Retry-After: the same call, sent before, is still running.
  if (result.status === 409) return retryAfterMs;
  if (result.status !== 429 && result.status !== 503) return null;
  if (retryAfterMs === null) return backoffMs;
  return retryAfterMs > maxRetryAfterMs ? null : retryAfterMs + backoffMs;
}

function readRetryAfter({ headers }: Response): number | null {
  const value = headers.get("retry-after");
  return value !== null && /^\d{1,6}$/.test(value) ? Number(value) * 1_000 : null;
}

function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal?.addEventListener("abort", stop, { once: true });
  });
}
