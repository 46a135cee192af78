import type { RequestListener, Server } from "node:http";
import { isInNetworks } from "#lib/core/sending/address/allow-list.ts";
import { readMaxConnections } from "./connection-limit.ts";
import { type ClientOptions, describeClient, isClientHeader } from "./describe-client.ts";
import { createListener } from "./http-listener.ts";
import { createHostCheck } from "./known-host.ts";
import { createPageCheck } from "./own-page.ts";
import { respondNoCatch } from "./web-responses.ts";

export type PublicWebOptions = ClientOptions & {
  /** True if the operator configured the public URL. */
  readonly isPublicUrlGiven?: boolean;
  readonly maxBodyBytes: number;
  /**
   * The time within which a request must arrive completely. Next itself would wait for a body
   * forever.
   */
  readonly requestTimeoutMs?: number;
};

/**
 * The server of a web process without a catch listener in front: the same checks, limits, and
 * client identification.
 */
export function createPublicWebServer(options: PublicWebOptions, handle: RequestListener): Server {
  const { publicUrl, isPublicUrlGiven = false, trustedProxies, maxBodyBytes } = options;
  const server = createListener({
    maxBodyBytes,
    maxConnections: readMaxConnections(),
    isTrustedPeer: (address) => isInNetworks(address, trustedProxies),
    isKnownHost: createHostCheck({ publicUrl, isPublicUrlGiven }),
    isFromOwnPage: createPageCheck(publicUrl),
    isHttps: publicUrl.startsWith("https:"),
    onCatch: respondNoCatch,
    onOther: (request, response) => {
      for (const name of Object.keys(request.headers))
        if (isClientHeader(name)) delete request.headers[name];
      Object.assign(request.headers, describeClient(request, options));
      handle(request, response);
    },
  });
  server.requestTimeout = options.requestTimeoutMs ?? 300_000;
  return server;
}
