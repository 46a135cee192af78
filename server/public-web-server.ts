import type { RequestListener, Server } from "node:http";
import { isInNetworks } from "#lib/core/address/allow-list.ts";
import { readMaxConnections } from "./connection-limit.ts";
import { type ClientOptions, describeClient, isClientHeader } from "./describe-client.ts";
import { createListener } from "./http-listener.ts";
import { answerNoCatch } from "./proxy-to-web.ts";

export type PublicWebOptions = ClientOptions & {
  readonly maxBodyBytes: number;
  /** How long a request may take to arrive, to its last byte. Nobody else watches it: Next waits for a body for ever. */
  readonly requestTimeoutMs?: number;
};

/**
 * For a web process without a catch listener in front: the same strictness, the same bounds and the same care about who the
 * client is.
 */
export function createPublicWebServer(options: PublicWebOptions, handle: RequestListener): Server {
  const { trustedProxies, maxBodyBytes, requestTimeoutMs = 300_000 } = options;
  const server = createListener({
    maxBodyBytes,
    maxConnections: readMaxConnections(),
    isTrustedPeer: (address) => isInNetworks(address, trustedProxies),
    onCatch: answerNoCatch,
    onOther: (request, response) => {
      for (const name of Object.keys(request.headers)) if (isClientHeader(name)) delete request.headers[name];
      Object.assign(request.headers, describeClient(request, options));
      handle(request, response);
    },
  });
  server.requestTimeout = requestTimeoutMs;
  return server;
}
