import { z } from "zod";
import { wholeNumber } from "./env-fields.ts";
import { toFolder } from "./folder-url.ts";

/** Where deliveries wait while the database is away. */
export type SpoolEnv = {
  /** An absolute path on this machine. */
  readonly folder: string;
  /** The most that waits on this machine. */
  readonly maxBytes: number;
};

export const spoolVariables = {
  CATCHMENT_SPOOL_URL: z
    .string()
    .transform((text, context): string => {
      const folder = toFolder(text);
      if (folder !== null) return folder;
      context.addIssue({ code: "custom", message: explainUrl(text) });
      return z.NEVER;
    })
    .optional(),
  CATCHMENT_SPOOL_MAX_BYTES: wholeNumber(16_777_216, 999_999_999_999).default(4_294_967_296),
};

type Variables = z.infer<z.ZodObject<typeof spoolVariables>>;

/** Undefined: there is no spool. */
export function toSpoolEnv(v: Variables): SpoolEnv | undefined {
  const { CATCHMENT_SPOOL_URL: folder, CATCHMENT_SPOOL_MAX_BYTES: maxBytes } = v;
  return folder === undefined ? undefined : { folder, maxBytes };
}

function explainUrl(text: string): string {
  return /^amqps?:/.test(text)
    ? "must be a folder, like file:///var/lib/catchment/spool: message brokers aren't supported"
    : "must be a folder, like file:///var/lib/catchment/spool";
}
