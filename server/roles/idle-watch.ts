import type { Server } from "node:http";

/**
 * Calls `onIdle` once a server has had no request for `idleMs`. A request counts until its response
 * has ended, so that an open live stream keeps it awake.
 */
export function watchIdle(server: Server, idleMs: number, onIdle: () => void): void {
  let open = 0;
  let idleSince = performance.now();
  server.on("request", (_request, response) => {
    open += 1;
    response.once("close", () => {
      open -= 1;
      idleSince = performance.now();
    });
  });
  const timer = setInterval(
    () => {
      if (open > 0 || performance.now() - idleSince < idleMs) return;
      clearInterval(timer);
      onIdle();
    },
    Math.min(idleMs / 4, 10_000),
  );
  timer.unref();
}
