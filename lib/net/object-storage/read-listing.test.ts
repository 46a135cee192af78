import { expect, test } from "vitest";
import { readListing } from "./read-listing.ts";

test("keys, folders, and the next page of a listing are read, with what XML escapes", () => {
  const page = `<?xml version="1.0" encoding="UTF-8"?>
    <ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>b</Name><Prefix>p/</Prefix>
    <IsTruncated>true</IsTruncated><NextContinuationToken>a+b/c=</NextContinuationToken>
    <Contents><Key>p/a&amp;b.zst</Key><Size>1</Size></Contents>
    <Contents><Key>p/&lt;Ü&gt;</Key></Contents>
    <CommonPrefixes><Prefix>p/2026-08-24/</Prefix></CommonPrefixes></ListBucketResult>`;
  expect(readListing(page)).toEqual({
    keys: ["p/a&b.zst", "p/<Ü>"],
    prefixes: ["p/2026-08-24/"],
    nextToken: "a+b/c=",
  });
});

test("an empty listing is the last page", () =>
  expect(readListing("<ListBucketResult></ListBucketResult>")).toEqual({
    keys: [],
    prefixes: [],
    nextToken: null,
  }));
