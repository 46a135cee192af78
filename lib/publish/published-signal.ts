import type { IncomingMessage } from "node:http";
import { Signal } from "#lib/base/signals.ts";
import type { Published } from "./publish-service.ts";

type PublishedReport = {
  readonly request: IncomingMessage;
  readonly published: Published;
  readonly durationMs: number;
};

/** A request that publishes events has its response. */
export const requestPublished = new Signal<PublishedReport>("request.published");
