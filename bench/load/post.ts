import { once } from "node:events";
import { type Agent, type IncomingMessage, request } from "node:http";

export type Posted = {
  /** The status. 0: no response. */
  readonly status: number;
  readonly tookMs: number;
};

/** One JSON request, read to its end. Never rejects. */
export async function post(url: string, agent: Agent, body: string): Promise<Posted> {
  const startedAt = performance.now();
  const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
  try {
    const sent = request(url, { method: "POST", agent, headers });
    sent.end(body);
    const [response] = (await once(sent, "response")) as [IncomingMessage];
    response.resume();
    await once(response, "end");
    return { status: response.statusCode ?? 0, tookMs: performance.now() - startedAt };
  } catch {
    return { status: 0, tookMs: performance.now() - startedAt };
  }
}
