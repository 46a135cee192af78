import { z } from "zod";
import { type BrokerUrl, readBrokerUrl } from "./broker-url.ts";
import { wholeNumber } from "./env-fields.ts";
import { toFolder } from "./folder-url.ts";

/** Where deliveries wait while the database is away. */
export type SpoolEnv = {
  /** A folder of this machine: for the deliveries, or if they wait in a broker, for hooks alone. */
  readonly folder: string;
  /** Undefined: the deliveries wait in the folder. */
  readonly broker: BrokerUrl | undefined;
  /** The most that waits on this machine, or in the broker. */
  readonly maxBytes: number;
};

type Place =
  | { readonly kind: "folder"; readonly folder: string }
  | { readonly kind: "broker"; readonly broker: BrokerUrl };

export const spoolVariables = {
  CATCHMENT_SPOOL_URL: z
    .string()
    .transform((text, context): Place => {
      const place = /^amqps?:/i.test(text.trim()) ? toBroker(text) : toPlace(text);
      if (typeof place !== "string") return place;
      context.addIssue({ code: "custom", message: place });
      return z.NEVER;
    })
    .optional(),
  CATCHMENT_SPOOL_MAX_BYTES: wholeNumber(16_777_216, 999_999_999_999).default(4_294_967_296),
};

type Variables = z.infer<z.ZodObject<typeof spoolVariables>> & {
  readonly CATCHMENT_DATA_DIR: string;
};

/** Undefined: there is no spool. */
export function toSpoolEnv(v: Variables): SpoolEnv | undefined {
  const { CATCHMENT_SPOOL_URL: place, CATCHMENT_SPOOL_MAX_BYTES: maxBytes } = v;
  switch (place?.kind) {
    case undefined:
      return undefined;
    case "folder":
      return { folder: place.folder, broker: undefined, maxBytes };
    case "broker":
      return { folder: `${v.CATCHMENT_DATA_DIR}/spool`, broker: place.broker, maxBytes };
    default:
      return place satisfies never;
  }
}

function toBroker(text: string): Place | string {
  const read = readBrokerUrl(text);
  if (!read.ok) return read.message;
  const { ok: _, ...broker } = read;
  return { kind: "broker", broker };
}

function toPlace(text: string): Place | string {
  const folder = toFolder(text);
  return folder === null ? folderMessage : { kind: "folder", folder };
}

const folderMessage =
  "must be a folder, like file:///var/lib/catchment/spool, or a broker, like amqps://user:password@host/vhost";
