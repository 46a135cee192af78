import { type BrokerUrl, readBrokerUrl } from "./broker-url.ts";
import { toFolder } from "./folder-url.ts";
import { defineGroup, readBy, setting, type Values, wholeNumber } from "./setting.ts";

/** Where deliveries wait while the database is away. */
export type SpoolEnv = {
  /** A folder of this machine: for the deliveries, or if they wait in a broker, for hooks alone. */
  readonly folder: string;
  /** Undefined: the deliveries wait in the folder. */
  readonly broker: BrokerUrl | undefined;
  /** The most that waits on this machine, or in the broker. */
  readonly maxBytes: number;
};

type Place = { readonly folder: string } | { readonly broker: BrokerUrl };

export const spoolSettings = defineGroup({
  roles: ["catch"],
  settings: {
    place: setting(
      "CATCHMENT_SPOOL_URL",
      readBy(readPlace).optional(),
      "where deliveries wait while PostgreSQL is away: a folder on a disk of this machine that every start " +
        "finds again, `file:///var/lib/catchment/spool`, or RabbitMQ, `amqps://user:password@host1,host2/vhost`. " +
        "See [When PostgreSQL is away](operations/spool.md)",
      { unset: "none, and deliveries get 503", isSecret: true },
    ),
    maxBytes: setting(
      "CATCHMENT_SPOOL_MAX_BYTES",
      wholeNumber(16_777_216, 999_999_999_999).default(4_294_967_296),
      "the most that waits there, at least 16777216: in a folder on each machine, in RabbitMQ in all",
    ),
  },
});

/** Undefined: there is no spool. */
export function toSpoolEnv(
  { place, maxBytes }: Values<typeof spoolSettings.settings>,
  dataDir: string,
): SpoolEnv | undefined {
  if (place === undefined) return undefined;
  return { folder: `${dataDir}/spool`, broker: undefined, ...place, maxBytes };
}

function readPlace(text: string): Place | string {
  if (/^amqps?:/i.test(text.trim())) {
    const read = readBrokerUrl(text);
    if (!read.ok) return read.message;
    const { ok: _, ...broker } = read;
    return { broker };
  }
  const folder = toFolder(text);
  if (folder !== null) return { folder };
  return "must be a folder, like file:///var/lib/catchment/spool, or a broker, like amqps://user:password@host/vhost";
}
