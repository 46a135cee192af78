/** Certificates for tests, like those of the App Store, under a root of our own. */
import { KeyObject } from "node:crypto";
import * as x509 from "@peculiar/x509";
import type { SigningKey } from "#lib/core/verify/scheme/signing-key.ts";

export type TestChain = {
  /** The signer's private key, and its certificates: leaf, intermediate, root. */
  readonly pem: string;
  /** The certificates as in `x5c`. */
  readonly x5c: readonly [leaf: string, intermediate: string, root: string];
  readonly privateKey: KeyObject;
  readonly roots: readonly SigningKey[];
};

/** The differences from a valid chain. */
export type ChainOptions = {
  /** The object identifiers of the extensions. Null: without one. */
  readonly leafId?: string | null;
  readonly intermediateId?: string | null;
  readonly leafFrom?: Date;
  readonly leafTo?: Date;
  readonly isIntermediateCa?: boolean;
  readonly isLeafCa?: boolean;
  readonly leafCurve?: "P-256" | "P-384";
};

const [from, to] = [new Date("2020-01-01T00:00:00Z"), new Date("2120-01-01T00:00:00Z")];

/** A new root, intermediate, and leaf each time. */
export async function makeChain({
  leafId = "1.2.840.113635.100.6.11.1",
  intermediateId = "1.2.840.113635.100.6.2.1",
  leafFrom = from,
  leafTo = to,
  isIntermediateCa = true,
  isLeafCa = false,
  leafCurve = "P-256",
}: ChainOptions = {}): Promise<TestChain> {
  const [rootKeys, keys, leafKeys] = await Promise.all(
    (["P-384", "P-384", leafCurve] as const).map(makeKeys),
  );
  if (rootKeys === undefined || keys === undefined || leafKeys === undefined)
    throw new Error("no keys");
  const root = await issue({ name: "Root", to: rootKeys, by: rootKeys, isCa: true });
  const intermediate = await issue({
    name: "Intermediate",
    to: keys,
    by: rootKeys,
    issuer: root.subject,
    isCa: isIntermediateCa,
    mark: intermediateId,
  });
  const leaf = await issue({
    name: "Leaf",
    to: leafKeys,
    by: keys,
    issuer: intermediate.subject,
    isCa: isLeafCa,
    mark: leafId,
    from: leafFrom,
    until: leafTo,
  });

  const privateKey = KeyObject.from(leafKeys.privateKey);
  const pkcs8 = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  const certificates = [leaf, intermediate, root].map((one) => one.toString("pem"));
  return {
    pem: [pkcs8, ...certificates].join("\n"),
    x5c: [toBase64(leaf), toBase64(intermediate), toBase64(root)],
    privateKey,
    roots: [
      {
        id: null,
        key: KeyObject.from(rootKeys.publicKey),
        validFromMs: from.getTime(),
        validToMs: to.getTime(),
      },
    ],
  };
}

function makeKeys(namedCurve: "P-256" | "P-384"): Promise<CryptoKeyPair> {
  return crypto.subtle.generateKey({ name: "ECDSA", namedCurve }, true, ["sign", "verify"]);
}

type Issue = {
  readonly name: string;
  readonly to: CryptoKeyPair;
  readonly by: CryptoKeyPair;
  readonly issuer?: string;
  readonly isCa: boolean;
  readonly mark?: string | null;
  readonly from?: Date;
  readonly until?: Date;
};

function issue(input: Issue): Promise<x509.X509Certificate> {
  const { name, to: owner, by, isCa, mark = null } = input;
  const subject = `CN=${name}`;
  const nullValue = Uint8Array.of(5, 0);
  return x509.X509CertificateGenerator.create({
    subject,
    issuer: input.issuer ?? subject,
    notBefore: input.from ?? from,
    notAfter: input.until ?? to,
    publicKey: owner.publicKey,
    signingKey: by.privateKey,
    signingAlgorithm: { name: "ECDSA", hash: "SHA-384" },
    extensions: [
      new x509.BasicConstraintsExtension(isCa, undefined, true),
      ...(mark === null ? [] : [new x509.Extension(mark, false, nullValue)]),
    ],
  });
}

function toBase64(certificate: x509.X509Certificate): string {
  return Buffer.from(certificate.rawData).toString("base64");
}
