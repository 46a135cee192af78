import type { IncomingMessage, ServerResponse } from "node:http";

/**
 * Ends the response to a request that isn't read completely, and closes the connection
 * (`connection: close` was written). Sends the whole body at once and closes a little later:
 * closing while the client still sends would reset the connection before it reads the response.
 * Discards the remaining input.
 */
export function closeAfterResponse(
  request: IncomingMessage,
  response: ServerResponse,
  body: string,
): void {
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

/**
 * Closes the connection of a request whose response was sent before its body arrived. Otherwise, a slow
 * body that is no longer read could keep the connection open forever.
 */
export function cutOffAfterResponse(request: IncomingMessage, response: ServerResponse): void {
  response.once("finish", () => {
    if (request.complete) return;
    const { socket } = request;
    const timer = setTimeout(() => {
      // No other request can have started on this connection yet.
      if (!request.complete) socket.destroy();
    }, restMs);
    socket.once("close", () => clearTimeout(timer));
  });
}

/** Time for an honest client to finish sending and read the response. */
const restMs = 2_000;

function ignore(): void {}
