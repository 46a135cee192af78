import type { IncomingMessage, ServerResponse } from "node:http";

/**
 * Ends the answer of a request that is not read to its end, and with it the connection (`connection: close` has been
 * written). The whole body goes out at once, the end a little later: closing while the sender still sends would reset
 * the connection, and it would never read why it was refused. What comes meanwhile is thrown away.
 */
export function closeAfterAnswer(request: IncomingMessage, response: ServerResponse, body: string): void {
  response.flushHeaders();
  response.write(body);
  const end = () => {
    clearTimeout(timer);
    response.end();
  };
  const timer = setTimeout(end, lingerMs);
  response.once("close", () => clearTimeout(timer));
  request.once("end", end).once("close", end);
  request.on("error", ignore);
  request.resume();
}

const lingerMs = 500;

function ignore(): void {}
