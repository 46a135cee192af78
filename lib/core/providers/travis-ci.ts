import { sign, verify } from "node:crypto";
import { parseForm } from "#lib/core/mapping/payload/parse-form.ts";
import type { CodeScheme } from "#lib/core/verify/scheme/code-scheme.ts";
import { decodeCanonical } from "#lib/core/verify/scheme/encoding.ts";
import { fail } from "#lib/core/verify/scheme/failure.ts";
import { findKeys, isKeyList } from "#lib/core/verify/scheme/find-keys.ts";
import { parseJsonObject, readHeader } from "#lib/core/verify/scheme/request-view.ts";
import { eventIn } from "./shapes/events-at.ts";
import { byContent } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

const docsUrl = "https://docs.travis-ci.com/user/notifications/#verifying-webhook-requests";
const header = "signature";
const subject = `the header ${header}`;
const source = {
  format: "travis",
  url: "https://api.travis-ci.com/config",
  keyId: null,
} as const;

/** Travis CI signs everyone's builds with one key, so the repository's owner must be expected. */
const scheme: CodeScheme = {
  kind: "code",
  proof:
    "RSA-SHA1, base64, of the form field payload, by Travis CI's own key, in the header signature",
  takesSecret: false,
  proofHeaders: [header],
  keyPair: { algorithm: "rsa-sha256", isPublished: true },
  settings: [
    {
      name: "owner",
      label: "Owner",
      help: "The account that the repositories are in, as in their URL. Builds of others are rejected.",
      example: "acme",
      pattern: /^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$/,
    },
  ],
  findSecretProblem: () => null,
  prepare:
    ({ settings }) =>
    ({ headers, body }, nowMs, keys) => {
      const reading = readHeader(headers, header);
      if (reading.found === "none") return fail("signature_missing", subject);
      if (reading.found === "many") return fail("header_repeated", subject);
      const signature =
        reading.value.length > 2048 ? null : decodeCanonical(reading.value, "base64");
      if (signature === null) return fail("signature_malformed", subject);
      const [payload, ...others] =
        parseForm(Buffer.from(body).toString("utf8"))?.getAll("payload") ?? [];
      if (payload === undefined || others.length > 0)
        return fail("value_missing", "the form field payload");
      const found = findKeys(source, keys, nowMs, subject);
      if (!isKeyList(found)) return found;
      const text = Buffer.from(payload);
      const isSigned = found.some(
        (key) => key.asymmetricKeyType === "rsa" && verify("sha1", text, key, signature),
      );
      if (!isSigned) return fail("signature_mismatch", subject);
      return ownerOf(text)?.toLowerCase() === settings.owner?.toLowerCase()
        ? null
        : fail("claim_mismatch", "the field repository.owner_name of the payload");
    },
  sign: ({ secret, settings, body, url }) => {
    const build = parseJsonObject(body) ?? {};
    const payload = JSON.stringify({ repository: { owner_name: settings.owner }, ...build });
    return {
      headers: {
        "content-type": "application/x-www-form-urlencoded",
        [header]: sign("sha1", Buffer.from(payload), secret).toString("base64"),
      },
      body: Buffer.from(new URLSearchParams({ payload }).toString()),
      url,
    };
  },
};

function ownerOf(payload: Uint8Array): string | undefined {
  const repository = parseJsonObject(payload)?.repository;
  if (typeof repository !== "object" || repository === null) return undefined;
  const owner: unknown = Reflect.get(repository, "owner_name");
  return typeof owner === "string" ? owner : undefined;
}

/**
 * Compared with https://docs.travis-ci.com/user/notifications/#verifying-webhook-requests on
 * 2026-11-28.
 */
export const travisCi: Provider = {
  id: "travis-ci",
  name: "Travis CI",
  scheme,
  eventId: [byContent],
  identity: {
    why:
      "id is that of the build, which starts, ends, and may be started " +
      "again, so the content counts, with its state and times.",
    source: docsUrl,
  },
  eventType: [],
  batch: eventIn({ from: "form", name: "payload" }, { eventType: [["state"]] }),
  secretHelp: "None: Travis CI publishes its key. Fill in the owner of the repositories instead.",
  whereToPaste: "In .travis.yml, add the catch URL under notifications → webhooks.",
  docsUrl,
  proof: { describedBy: "provider" },
};
