import type { ChannelModel } from "amqplib";
import type { EgressProxy } from "#lib/core/env/egress-proxy.ts";
import type { BrokerReceiver } from "#lib/core/sending/address/broker-receiver.ts";
import { isBrokerPort } from "#lib/core/sending/address/ports.ts";
import { CallFailure } from "../call-failure.ts";
import { type AddressOptions, findProxy } from "../guarded-connector.ts";
import { openTunnel } from "../proxy-tunnel.ts";
import { toBrokerFailure } from "./broker-failure.ts";
import { atAllowedAddress, toTlsChecks } from "./open-socket.ts";

type BrokerAddressOptions = AddressOptions & {
  /** Extra certificate authorities in PEM. Verification can't be turned off. */
  readonly extraCa?: readonly string[];
};

export type BrokerLogin = { readonly username: string; readonly password: string };

type Place = {
  readonly broker: BrokerReceiver;
  readonly login: BrokerLogin;
  readonly options: BrokerAddressOptions;
  readonly signal: AbortSignal;
};

/**
 * Connects to a broker, as `createGuardedConnector` does for HTTP: its name is resolved once, every address is checked,
 * and the connection goes to a checked one. Throws a `CallFailure`.
 *
 * @param signal ends the connection at once, also after it is open
 */
export async function openBroker(place: Place): Promise<ChannelModel> {
  const { broker, options, signal } = place;
  return await atAllowedAddress(
    { host: broker.host, port: broker.port, isOrdinary: isBrokerPort },
    { options, signal, toFailure: toBrokerFailure },
    (address, timeoutMs) => openAt(address, place, timeoutMs),
  );
}

const heartbeatSeconds = 20;
const maxChannels = 256;
const frameBytes = 128 * 1024;

async function openAt(
  address: string,
  { broker, login, options, signal }: Place,
  timeoutMs: number,
): Promise<ChannelModel> {
  const { isTls, host, port, vhost } = broker;
  const via = findProxy(host, address, options);
  if (via !== null && !isTls) throw new CallFailure("connect", plainThroughProxy);
  const tls = isTls ? await toTlsOptions(host, via, { address, port, timeoutMs }, options) : {};
  // Loaded with the first message: most servers have no such receiver.
  const { connect } = await import("amqplib");
  return await connect(
    {
      ...{ protocol: isTls ? "amqps" : "amqp", hostname: address, port, ...login },
      // It is decoded there.
      vhost: encodeURIComponent(vhost),
      ...{ heartbeat: heartbeatSeconds, channelMax: maxChannels },
      ...{ frameMax: frameBytes, maxFrameSize: 2 * frameBytes },
    },
    {
      ...{ timeout: timeoutMs, noDelay: true, keepAlive: true, signal, ...tls },
      clientProperties: { product: "Catchment", connection_name: "catchment" },
    },
  );
}

const plainThroughProxy =
  "A connection without TLS can't go through the proxy of this server. Use an amqps:// URL.";

async function toTlsOptions(
  host: string,
  via: EgressProxy | null,
  to: Parameters<typeof openTunnel>[1],
  { extraCa }: BrokerAddressOptions,
) {
  return {
    ...toTlsChecks(host, extraCa),
    ...(via !== null && { socket: await openTunnel(via, to) }),
  };
}
