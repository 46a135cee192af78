import { serveApi } from "#lib/web/api/serve-api.ts";

type Event = {
  readonly event: string;
  // biome-ignore lint/suspicious/noExplicitAny: compared with expectations
  readonly data: any;
};

/** The functions that end the streams of a test. */
const open = new Set<() => Promise<void>>();

/** Ends all streams of a test file: one that stays open reads the database of the next file. */
export async function stopEvents(): Promise<void> {
  await Promise.all([...open].map((stop) => stop()));
}

/** Opens a stream of server-sent events of the API, and reads it as a program would. */
export async function openEvents(path: string, token: string) {
  const stop = new AbortController();
  const response = await serveApi(
    new Request(`http://localhost/api/v1${path}`, {
      headers: { authorization: `Bearer ${token}` },
      signal: stop.signal,
    }),
  );
  if (response.status !== 200 || response.body === null) throw new Error(await response.text());
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  const end = async () => {
    open.delete(end);
    stop.abort();
    await reader.cancel();
  };
  open.add(end);
  let text = "";
  const next = async (): Promise<Event | null> => {
    for (;;) {
      const end = text.indexOf("\n\n");
      if (end >= 0) {
        const lines = text.slice(0, end).split("\n");
        text = text.slice(end + 2);
        const field = (name: string) =>
          lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
        const event = field("event");
        if (event !== undefined) return { event, data: JSON.parse(field("data") ?? "null") };
        continue;
      }
      const { value, done } = await reader.read();
      if (done) return null;
      text += decoder.decode(value, { stream: true });
    }
  };
  return {
    next,
    /** The next events with this name. */
    async take(event: string, count = 1) {
      const found: Event["data"][] = [];
      while (found.length < count) {
        const got = await next();
        if (got === null) throw new Error("The stream has ended");
        if (got.event === event) found.push(got.data);
      }
      return found;
    },
    stop: end,
  };
}
