import { Acks } from "../../cli/src/listen/acks.ts";

/**
 * Connected listeners in their own process: `hear.ts <origin> <token> <hook> <listeners>` streams
 * what the hook accepts and acknowledges it as the command line does, with a target that responds
 * immediately, until it is stopped. Says "connected" once all streams are open, and at the end how
 * many deliveries came.
 */
const [origin = "", token = "", hookId = "", listeners = "20"] = process.argv.slice(2);
const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
const stop = new AbortController();
let heard = 0;

/** Connects one, and gives what ends with its stream. */
async function connect(number: number): Promise<() => Promise<void>> {
  const wanted = { name: `n${number}`, host: "ada.local", hookIds: [hookId] };
  const { id, connectionId } = await post("", wanted);
  const url = `${origin}/api/v1/listeners/${id}/stream?connection=${connectionId}`;
  const response = await fetch(url, { headers, signal: stop.signal });
  if (!response.ok || response.body === null) throw new Error(`stream: ${response.status}`);
  const acks = new Acks({
    post: async (acks) => void (await post(`/${id}/acks`, { connection: connectionId, acks })),
    onFailure: throwUnlessStopped,
  });
  acks.start();
  const ended = hear(response.body, (cursor) => {
    heard += 1;
    acks.add({ cursor, status: 200, headers: [], bodyBase64: "", bodyBytes: 0, ms: 0 });
  }).catch(throwUnlessStopped);
  const disconnect = `${origin}/api/v1/listeners/${id}/connections/${connectionId}`;
  return async () => {
    await ended;
    acks.pause();
    // The next one with its name can connect at once.
    await fetch(disconnect, { method: "DELETE", headers });
  };
}

async function post(path: string, body: unknown): Promise<{ id: string; connectionId: string }> {
  const url = `${origin}/api/v1/listeners${path}`;
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`POST ${url}: ${response.status} ${await response.text()}`);
  return (await response.json()) as { id: string; connectionId: string };
}

/** Reads the deliveries among server-sent events. */
async function hear(
  body: ReadableStream<Uint8Array>,
  onDelivery: (cursor: string) => void,
): Promise<void> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of body) {
    const events = (rest + decoder.decode(chunk, { stream: true })).split("\n\n");
    rest = events.pop() ?? "";
    for (const cursor of events.flatMap(readCursor)) onDelivery(cursor);
  }
}

function readCursor(event: string): readonly string[] {
  if (!event.includes("event: delivery")) return [];
  const data = event.split("\n").find((line) => line.startsWith("data:")) ?? "data:{}";
  return [(JSON.parse(data.slice("data:".length)) as { cursor: string }).cursor];
}

process.on("disconnect", () => process.exit(0));
process.on("message", () => stop.abort());
const streams = await Promise.all(
  Array.from({ length: Number(listeners) }, (_, at) => connect(at)),
);
process.send?.("connected");
await Promise.all(streams.map((ended) => ended()));
process.send?.(heard);
process.disconnect?.();

function throwUnlessStopped(error: unknown): void {
  if (!stop.signal.aborted) throw error;
}
