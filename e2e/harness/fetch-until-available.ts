import { waitUntil } from "./wait-until.ts";

/** Repeats a request that a busy server can't serve now (503), as every client should. */
export async function fetchUntilAvailable(url: string, request: RequestInit): Promise<Response> {
  const send = async () => {
    const response = await fetch(url, { ...request, signal: AbortSignal.timeout(120_000) });
    return response.status === 503 ? undefined : response;
  };
  return await waitUntil(`${request.method} ${url}`, 300_000, send, 500);
}
