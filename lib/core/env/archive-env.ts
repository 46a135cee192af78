import { z } from "zod";
import { isOrigin } from "./env-fields.ts";
import { toFolder } from "./folder-url.ts";

/** The place where weeks are archived before they are dropped. */
export type ArchiveEnv =
  | {
      readonly kind: "folder";
      /** An absolute path. */
      readonly folder: string;
    }
  | ({ readonly kind: "s3" } & BucketEnv);

/** A bucket of Amazon S3 or of a compatible server. */
export type BucketEnv = {
  readonly bucket: string;
  /** Has no slash at either end. Empty: archives are at the top of the bucket. */
  readonly prefix: string;
  /** The server's origin. Undefined: Amazon's server for the region. */
  readonly endpoint: string | undefined;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** The token of temporary credentials. */
  readonly sessionToken: string | undefined;
};

/** Other programs use the `AWS_` variables too, so only an archive in a bucket checks them. */
export const archiveVariables = {
  CATCHMENT_ARCHIVE: z
    .string()
    .transform((text, context): Place => {
      const place = readPlace(text);
      if (place !== null) return place;
      context.addIssue({
        code: "custom",
        message:
          "must be a folder, like file:///var/lib/catchment/archive, or a bucket, like s3://bucket/prefix",
      });
      return z.NEVER;
    })
    .optional(),
  AWS_ACCESS_KEY_ID: z.string().optional(),
  AWS_SECRET_ACCESS_KEY: z.string().optional(),
  AWS_SESSION_TOKEN: z.string().optional(),
  AWS_REGION: z.string().optional(),
  AWS_ENDPOINT_URL_S3: z.string().optional(),
  AWS_ENDPOINT_URL: z.string().optional(),
};

type Place = { readonly folder: string } | { readonly bucket: string; readonly prefix: string };

type Variables = z.infer<z.ZodObject<typeof archiveVariables>>;

export function requireWholeArchive(v: Variables): { variable: string; message: string }[] {
  if (v.CATCHMENT_ARCHIVE === undefined || "folder" in v.CATCHMENT_ARCHIVE) return [];
  const missing = (["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"] as const)
    .filter((variable) => v[variable] === undefined)
    .map((variable) => ({ variable, message: "is required for an archive in a bucket" }));
  const wrong = (["AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"] as const)
    .filter((variable) => !isOrigin(v[variable] ?? "https://example.com"))
    .map((variable) => ({
      variable,
      message: "must be an origin without a path, like https://s3.example.com",
    }));
  const isRegion = /^[a-z0-9-]+$/.test(v.AWS_REGION ?? defaultRegion);
  const region = { variable: "AWS_REGION", message: "must be a region, like eu-central-1" };
  return [...missing, ...wrong, ...(isRegion ? [] : [region])];
}

const defaultRegion = "us-east-1";

/** Undefined: weeks are dropped without an archive. */
export function toArchiveEnv(v: Variables): ArchiveEnv | undefined {
  const place = v.CATCHMENT_ARCHIVE;
  if (place === undefined) return undefined;
  if ("folder" in place) return { kind: "folder", ...place };
  const endpoint = v.AWS_ENDPOINT_URL_S3 ?? v.AWS_ENDPOINT_URL;
  return {
    kind: "s3",
    ...place,
    endpoint: endpoint === undefined ? undefined : new URL(endpoint).origin,
    region: v.AWS_REGION ?? defaultRegion,
    // `requireWholeArchive` has checked that they are set.
    accessKeyId: v.AWS_ACCESS_KEY_ID ?? "",
    secretAccessKey: v.AWS_SECRET_ACCESS_KEY ?? "",
    sessionToken: v.AWS_SESSION_TOKEN,
  };
}

function readPlace(text: string): Place | null {
  const folder = toFolder(text);
  if (folder !== null) return { folder };
  const [, bucket, path = ""] =
    /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(\/[\w!.*'()/-]*)?$/.exec(text) ?? [];
  if (bucket === undefined) return null;
  const prefix = path.split("/").filter((part) => part !== "");
  // `..` would be another place for some servers.
  if (prefix.some((part) => /^\.+$/.test(part))) return null;
  return { bucket, prefix: prefix.join("/") };
}
