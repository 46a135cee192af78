import { expect, test } from "vitest";
import { parseEnv } from "./parse-env.ts";

const key = { AWS_ACCESS_KEY_ID: "id", AWS_SECRET_ACCESS_KEY: "secret" };

function read(source: Record<string, string>) {
  const result = parseEnv(source);
  if (result.ok) return result.env.archive;
  return result.problems.map(({ variable, message }) => `${variable} ${message}`);
}

test("a folder needs nothing else", () =>
  expect(read({ CATCHMENT_ARCHIVE: "file:///var/lib/catchment/archive" })).toEqual({
    kind: "folder",
    folder: "/var/lib/catchment/archive",
  }));

test("a bucket of Amazon's needs a key", () => {
  expect(
    read({ CATCHMENT_ARCHIVE: "s3://acme-weeks", ...key, AWS_REGION: "eu-central-1" }),
  ).toEqual({
    kind: "s3",
    bucket: "acme-weeks",
    prefix: "",
    endpoint: undefined,
    region: "eu-central-1",
    accessKeyId: "id",
    secretAccessKey: "secret",
    sessionToken: undefined,
  });
  expect(read({ CATCHMENT_ARCHIVE: "s3://acme-weeks" })).toEqual([
    "AWS_ACCESS_KEY_ID is required for an archive in a bucket",
    "AWS_SECRET_ACCESS_KEY is required for an archive in a bucket",
  ]);
});

test("another server's origin comes from the more specific variable, and slashes around the prefix go", () =>
  expect(
    read({
      CATCHMENT_ARCHIVE: "s3://weeks/catchment//main/",
      ...key,
      AWS_ENDPOINT_URL: "https://all.example.com",
      AWS_ENDPOINT_URL_S3: "http://10.0.0.7:9000/",
    }),
  ).toMatchObject({
    prefix: "catchment/main",
    endpoint: "http://10.0.0.7:9000",
    region: "us-east-1",
  }));

test("what other programs have set isn't checked without a bucket", () =>
  expect(read({ AWS_ENDPOINT_URL: "not a URL", AWS_REGION: "?" })).toBeUndefined());

test.each([
  "/var/archive",
  "s3://",
  "s3://UPPER",
  "s3://bucket/a/../b",
  "s3://bucket?x",
  "https://b.s3.amazonaws.com",
])("%s is rejected, with examples", (CATCHMENT_ARCHIVE) =>
  expect(read({ CATCHMENT_ARCHIVE, ...key })).toEqual([
    "CATCHMENT_ARCHIVE must be a folder, like file:///var/lib/catchment/archive, or a bucket, like s3://bucket/prefix",
  ]),
);

test.each([
  [{ AWS_ENDPOINT_URL: "https://s3.example.com/path" }, /^AWS_ENDPOINT_URL must be an origin/],
  [{ AWS_REGION: "eu central" }, /^AWS_REGION must be a region/],
])("%j is rejected with a bucket", (source, message) =>
  expect(read({ CATCHMENT_ARCHIVE: "s3://weeks", ...key, ...source })).toEqual([
    expect.stringMatching(message),
  ]),
);
