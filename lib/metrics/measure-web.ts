import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Meter } from "./meter.ts";

/** Requests to the dashboard and the API. A live stream counts when it has ended. */
export function measureWeb(meter: Meter, server: Server): void {
  const requests = meter.counter("catchment_web_requests_total");
  const seconds = meter.histogram("catchment_web_request_seconds");
  server.on("request", (_request: IncomingMessage, response: ServerResponse) => {
    const startedAt = performance.now();
    response.once("close", () => {
      requests(1, `${Math.floor(response.statusCode / 100)}xx`);
      seconds.observe((performance.now() - startedAt) / 1_000);
    });
  });
}
