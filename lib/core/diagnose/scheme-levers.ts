/** Other schemes than the hook's: where the signature is, how it was made, over what text, with which key. */
import { listProviders } from "#lib/core/verify/providers.ts";
import type { MacScheme, Scheme } from "#lib/core/verify/scheme.ts";
import type { TimestampRule, ValueSource } from "#lib/schema/verification.ts";
import { splitTemplate } from "#lib/schema/verification-checks.ts";
import { describeSchemeChange } from "./describe-scheme-change.ts";
import { type Lever, withFix } from "./lever.ts";
import type { Patient } from "./patient.ts";
import { listSignatureShapes, type SignatureShape } from "./signature-shapes.ts";

/** Those with the fewest differences first: one slip is likelier than three. */
export function listSchemeLevers(patient: Patient): readonly Lever[] {
  const base = patient.hook.scheme as Scheme | null;
  if (typeof base !== "object" || base === null || base.kind !== "mac") return [];
  const variants = [...listDecodings(base, patient), ...listVariants(base, patient)];
  return variants
    .map((scheme) => ({ scheme, change: describeSchemeChange(base, scheme) }))
    .filter(({ change }) => change.count > 0)
    .toSorted((one, other) => one.change.count - other.change.count)
    .slice(0, mostVariants)
    .map(({ scheme, change }) => toLever(scheme, change));
}

const mostVariants = 1_500;

function toLever(
  scheme: MacScheme,
  { code, sentence, words }: ReturnType<typeof describeSchemeChange>,
): Lever {
  return {
    axis: "scheme",
    code,
    sentence,
    fix: withFix(
      { kind: "change_verification", verification: scheme },
      "Change the hook's scheme",
      `The hook keeps its secret and its other settings. Its provider becomes Custom, with the scheme that fits: ${words}.`,
    ),
    pull: (subject) => ({ ...subject, scheme }),
  };
}

type SecretRule = MacScheme["secret"];

/** The hook's own scheme with each other way from the pasted text to the key. */
function listDecodings(base: MacScheme, patient: Patient): readonly MacScheme[] {
  return listSecretRules(base, patient).map((secret) => ({ ...base, secret }));
}

function listSecretRules(base: MacScheme, { secrets }: Patient): readonly SecretRule[] {
  const hasPrefix = secrets.some(({ text }) => text.startsWith("whsec_"));
  const prefixes = [...new Set([...(hasPrefix ? [base.secret.stripPrefix, "whsec_"] : []), undefined])];
  const decodings = (["utf8", "base64", "hex"] as const).flatMap((decode) =>
    prefixes.map((stripPrefix) => ({ decode, ...(stripPrefix === undefined ? {} : { stripPrefix }) })),
  );
  const { prefixRequired: _, ...own } = base.secret;
  return [own, ...decodings];
}

function* listVariants(base: MacScheme, patient: Patient): Generator<MacScheme> {
  const rules = listSecretRules(base, patient);
  for (const { name, shape } of listSignatures(base, patient)) {
    for (const { template, timestamp, id } of listSignedTexts(base, shape, patient)) {
      for (const secret of rules) {
        yield {
          kind: "mac",
          mac: template.includes("{secret}") ? "digest" : "hmac",
          hash: shape.hash,
          encoding: shape.encoding,
          signature: { sources: [{ from: "header", name }], format: shape.format },
          signed: { template, ...(id === null ? {} : { values: { id } }) },
          secret,
          ...(timestamp === null ? {} : { timestamp }),
        };
      }
    }
  }
}

/** Of the hook's own headers, then of others that look like one. */
function listSignatures(base: MacScheme, { request: { headers } }: Patient) {
  const own = base.signature.sources.flatMap((source) => (source.from === "header" ? [source.name] : []));
  const others = Object.keys(headers).filter(
    (name) => /sign|hmac|digest|-sig$|hash/.test(name) && !own.includes(name),
  );
  return [...own, ...others.slice(0, 4)].flatMap((name) => {
    const [value, second] = headers[name] ?? [];
    if (value === undefined || second !== undefined || !/^[!#$%&'*+.^_`|~0-9a-z-]{1,128}$/.test(name))
      return [];
    return listSignatureShapes(value).map((shape) => ({ name, shape }));
  });
}

type SignedText = {
  readonly template: string;
  readonly timestamp: TimestampRule | null;
  readonly id: ValueSource | null;
};

function listSignedTexts(base: MacScheme, shape: SignatureShape, patient: Patient): readonly SignedText[] {
  const times = listTimes(base, shape, patient);
  const ids = listIds(base, patient);
  return [...new Set([base.signed.template, ...templates()])].flatMap((template) => {
    const names = new Set(
      (splitTemplate(template) ?? []).flatMap((piece) => (typeof piece === "string" ? [] : [piece.variable])),
    );
    if ([...names].some((name) => !known.includes(name))) return [];
    const timesOfIt = names.has("timestamp") ? times : [null];
    const idsOfIt = names.has("id") ? ids : [null];
    return timesOfIt.flatMap((timestamp) => idsOfIt.map((id) => ({ template, timestamp, id })));
  });
}

const known = ["body", "timestamp", "id", "url", "method", "form", "secret"];

/** Those of the catalogue, and what people make up themselves. */
function templates(): readonly string[] {
  const ofCatalogue = listProviders().flatMap(({ scheme }) =>
    "signed" in scheme && scheme.signed.bodyNotSigned !== true ? [scheme.signed.template] : [],
  );
  return ["{body}", "{timestamp}.{body}", "{id}.{timestamp}.{body}", ...ofCatalogue, ...homemade];
}

const homemade = [
  "{timestamp}:{body}",
  "{timestamp}\n{body}",
  "{body}.{timestamp}",
  "{body}{timestamp}",
  "{id}.{body}",
  "{id}{timestamp}{body}",
  "{url}{body}",
  "{body}{secret}",
  "{secret}{body}",
  "{secret}{timestamp}{body}",
];

/** Where a time can be: where the scheme says, beside the signature, or in a header that is named for it. */
function listTimes(
  base: MacScheme,
  { timeKeys }: SignatureShape,
  { request: { headers } }: Patient,
): readonly TimestampRule[] {
  const window = {
    pastSeconds: base.timestamp?.pastSeconds ?? 300,
    futureSeconds: base.timestamp?.futureSeconds ?? 300,
  };
  const named = Object.keys(headers).filter((name) => /time|(?:^|-)ts$/.test(name));
  const found = named.slice(0, 3).flatMap((name) => {
    const unit = readUnit(headers[name]?.[0] ?? "");
    return unit === null ? [] : [{ source: { from: "header", name } as const, unit, ...window }];
  });
  const parts = timeKeys.slice(0, 2).flatMap((key) => [
    { source: { from: "part", key } as const, unit: "s" as const, ...window },
    { source: { from: "part", key } as const, unit: "ms" as const, ...window },
  ]);
  const own = base.timestamp === undefined || base.timestamp.source.from === "part" ? [] : [base.timestamp];
  return [...own, ...parts, ...found];
}

function readUnit(value: string): TimestampRule["unit"] | null {
  if (/^\d{9,11}$/.test(value)) return "s";
  if (/^\d{12,14}$/.test(value)) return "ms";
  if (/^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/.test(value)) return "rfc3339";
  if (/^\d{4}-\d\d-\d\dT[\d:.]+$/.test(value)) return "iso-zoneless";
  return /GMT$/.test(value) ? "http-date" : null;
}

function listIds(base: MacScheme, { request: { headers } }: Patient): readonly ValueSource[] {
  const own = base.signed.values?.id;
  const named = Object.keys(headers).filter((name) => /(?:^|-)(?:id|delivery|uuid|nonce)$/.test(name));
  const found = named.slice(0, 3).map((name): ValueSource => ({ from: "header", name }));
  return own === undefined ? found : [own, ...found];
}
