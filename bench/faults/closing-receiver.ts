import { createServer } from "node:net";
import { listen } from "../../lib/net/testing/test-servers.ts";

type ClosingReceiver = AsyncDisposable & {
  readonly url: string;
  /** The numbers in the calls that it read. */
  readonly seen: readonly number[];
};

/**
 * Responds to one call per connection as if it kept it open, reads nothing more, and closes it a
 * little later, like a server whose keep-alive time has just run out.
 *
 * @param closeAfterMs by the number of calls so far
 */
export async function startClosingReceiver(
  closeAfterMs: (count: number) => number,
): Promise<ClosingReceiver> {
  const seen: number[] = [];
  const server = createServer((socket) => {
    let request = "";
    socket.on("error", () => {});
    socket.setEncoding("utf8").on("data", (text) => {
      request += text;
      const number = /"number":(\d+)/.exec(request)?.[1];
      if (number === undefined) return;
      seen.push(Number(number));
      socket.pause();
      socket.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: keep-alive\r\n\r\nok");
      setTimeout(() => socket.destroy(), closeAfterMs(seen.length));
    });
  });
  const listening = await listen(server, "127.0.0.1");
  return {
    url: `http://127.0.0.1:${listening.port}/`,
    seen,
    [Symbol.asyncDispose]: () => listening[Symbol.asyncDispose](),
  };
}
