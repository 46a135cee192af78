import { z } from "zod";
import { toFolder } from "./folder-url.ts";
import { defineGroup, isOrigin, readBy, setting, type Values } from "./setting.ts";

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
export const archiveSettings = defineGroup({
  roles: ["worker"],
  settings: {
    place: setting(
      "CATCHMENT_ARCHIVE",
      readBy(readPlace).optional(),
      "where weeks are archived before they are deleted: a folder, `file:///var/lib/catchment/archive`, " +
        "or a bucket, `s3://bucket/prefix`",
      { unset: "none, and weeks are dropped" },
    ),
    accessKeyId: setting(
      "AWS_ACCESS_KEY_ID",
      z.string().optional(),
      "the id of a key that may get, put, delete, and list objects of the bucket",
    ),
    secretAccessKey: setting("AWS_SECRET_ACCESS_KEY", z.string().optional(), "the key's secret", {
      isSecret: true,
    }),
    sessionToken: setting(
      "AWS_SESSION_TOKEN",
      z.string().optional(),
      "the token of a temporary key",
    ),
    region: setting("AWS_REGION", z.string().default("us-east-1"), "the bucket's region"),
    s3Endpoint: setting(
      "AWS_ENDPOINT_URL_S3",
      z.string().optional(),
      "the origin of another server, such as `https://s3.example.com`, also in a private network",
      { unset: "Amazon's of the region" },
    ),
    endpoint: setting(
      "AWS_ENDPOINT_URL",
      z.string().optional(),
      "the same. `AWS_ENDPOINT_URL_S3` takes precedence",
    ),
  },
  check: ({ place, accessKeyId, secretAccessKey, region, s3Endpoint, endpoint }) => {
    if (place === undefined || "folder" in place) return {};
    const missing = "is required for an archive in a bucket";
    const wrong = "must be an origin without a path, like https://s3.example.com";
    return {
      accessKeyId: accessKeyId === undefined && missing,
      secretAccessKey: secretAccessKey === undefined && missing,
      s3Endpoint: s3Endpoint !== undefined && !isOrigin(s3Endpoint) && wrong,
      endpoint: endpoint !== undefined && !isOrigin(endpoint) && wrong,
      region: !/^[a-z0-9-]+$/.test(region) && "must be a region, like eu-central-1",
    };
  },
});

type Place = { readonly folder: string } | { readonly bucket: string; readonly prefix: string };

/** Undefined: weeks are dropped without an archive. */
export function toArchiveEnv(
  given: Values<typeof archiveSettings.settings>,
): ArchiveEnv | undefined {
  const { place, region, sessionToken } = given;
  if (place === undefined) return undefined;
  if ("folder" in place) return { kind: "folder", ...place };
  const endpoint = given.s3Endpoint ?? given.endpoint;
  return {
    kind: "s3",
    ...place,
    endpoint: endpoint === undefined ? undefined : new URL(endpoint).origin,
    region,
    // Checked above.
    accessKeyId: given.accessKeyId ?? "",
    secretAccessKey: given.secretAccessKey ?? "",
    sessionToken,
  };
}

function readPlace(text: string): Place | string {
  const folder = toFolder(text);
  if (folder !== null) return { folder };
  const [, bucket, path = ""] =
    /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(\/[\w!.*'()/-]*)?$/.exec(text) ?? [];
  const prefix = path.split("/").filter((part) => part !== "");
  // `..` would be another place for some servers.
  if (bucket === undefined || prefix.some((part) => /^\.+$/.test(part)))
    return "must be a folder, like file:///var/lib/catchment/archive, or a bucket, like s3://bucket/prefix";
  return { bucket, prefix: prefix.join("/") };
}
