/**
 * Alternatives to the hook's scheme: where the signature is, its algorithm, signed text, and key.
 */
import { findProvider, listProviders } from "#lib/core/providers/catalog/catalog.ts";
import { RequestView, type VerifyRequest } from "#lib/core/verify/scheme/request-view.ts";
import type { MacScheme, Scheme, SigningScheme } from "#lib/core/verify/scheme/scheme.ts";
import { readSteps } from "#lib/schema/field/value-path.ts";
import type { TimestampRule, ValueSource } from "#lib/schema/receive/verification.ts";
import { splitTemplate } from "#lib/schema/receive/verification-checks.ts";
import { isForm } from "./body-bytes.ts";
import { describeSchemeChange, units } from "./describe-scheme-change.ts";
import type { DiagnosisInput } from "./diagnosis-input.ts";
import { type Hypothesis, withFix } from "./hypothesis.ts";
import { listSignatureShapes, type SignatureShape } from "./signature-shapes.ts";

/** Fewest differences first: one mistake is likelier than three. */
export function listSchemeHypotheses(input: DiagnosisInput): readonly Hypothesis[] {
  const base = input.hook.scheme as Scheme | null;
  if (typeof base !== "object" || base === null || !("signed" in base)) return [];
  const alike = [...listUnitHypotheses(base, input), ...listFormHypotheses(base, input)];
  if (base.kind !== "mac") return alike;
  const variants = [...listDecodings(base, input), ...listVariants(base, input)];
  const hypotheses = variants
    .map((scheme) => ({ scheme, change: describeSchemeChange(base, scheme) }))
    .filter(({ change }) => change.count > 0)
    .toSorted((one, other) => one.change.count - other.change.count)
    .slice(0, maxVariants)
    .map(({ scheme, change }) => toHypothesis(scheme, change));
  return [...alike, ...hypotheses];
}

/** The hook's scheme with the timestamp unit that the value suggests. */
function listUnitHypotheses(
  base: SigningScheme,
  { request }: DiagnosisInput,
): readonly Hypothesis[] {
  const rule = base.timestamp;
  if (rule === undefined) return [];
  const parts = readParts(base, request);
  const reading = new RequestView(request).read(rule.source, parts);
  const unit = reading.found === "one" ? readUnit(reading.value) : null;
  if (unit === null || unit === rule.unit) return [];
  const scheme = { ...base, timestamp: { ...rule, unit } };
  const [is, was] = [units[unit], units[rule.unit]];
  return [
    {
      axis: "scheme",
      code: "timestamp_unit",
      sentence:
        `The signature is correct, but its timestamp is in ${is} ` +
        `instead of ${was}. Change the hook's timestamp unit.`,
      fix: withFix(
        { kind: "change_verification", verification: scheme },
        "Change the hook's scheme",
        `The hook keeps its secret and other settings. Its provider becomes Custom, with timestamps in ${is}.`,
      ),
      apply: (attempt) => ({ ...attempt, scheme }),
    },
  ];
}

function readParts({ signature: { sources, format } }: SigningScheme, request: VerifyRequest) {
  const [source] = sources;
  const reading = source === undefined ? null : new RequestView(request).read(source, null);
  if (format.type !== "pairs" || reading?.found !== "one") return null;
  const items = reading.value.split(format.itemSeparator.trim() || format.itemSeparator, 20);
  const pairs = items.map((item) => item.trim().split(format.keySeparator));
  return new Map(pairs.map(([key = "", ...rest]) => [key, [rest.join(format.keySeparator)]]));
}

/**
 * Providers that sign JSON fields (Mailgun) sign the same fields of a form when they forward a
 * message. Nested fields become plain form fields.
 */
function listFormHypotheses(
  base: SigningScheme,
  { request, hook }: DiagnosisInput,
): readonly Hypothesis[] {
  if (
    !isForm(Buffer.from(request.body)) ||
    !base.signature.sources.some(({ from }) => from === "body")
  )
    return [];
  const toForm = <Source extends ValueSource>(source: Source) =>
    source.from === "body"
      ? ({ from: "form", name: String(readSteps(source.path).at(-1) ?? "") } as const)
      : source;
  const { values, ...signed } = base.signed;
  const inForm = Object.entries(values ?? {}).map(
    ([name, source]) => [name, toForm(source)] as const,
  );
  const scheme = {
    ...base,
    signature: { ...base.signature, sources: base.signature.sources.map(toForm) },
    signed: { ...signed, ...(values === undefined ? {} : { values: Object.fromEntries(inForm) }) },
    ...(base.timestamp === undefined
      ? {}
      : { timestamp: { ...base.timestamp, source: toForm(base.timestamp.source) } }),
  } as typeof base;
  const name = findProvider(hook.provider)?.name ?? "The provider";
  return [
    {
      axis: "scheme",
      code: "body_form",
      sentence:
        `The signature is correct, but it is in a form instead of JSON: ${name} sends ` +
        "forwarded messages (inbound routes) as forms. Send them to a separate hook whose " +
        "scheme reads forms, or change this hook if it receives nothing else.",
      fix: withFix(
        { kind: "change_verification", verification: scheme },
        "Read the form",
        "The hook keeps its secret and other settings. Its provider becomes " +
          "Custom, and it will reject JSON events from this provider.",
      ),
      apply: (attempt) => ({ ...attempt, scheme }),
    },
  ];
}

const maxVariants = 1_500;

function toHypothesis(
  scheme: MacScheme,
  { code, sentence, words }: ReturnType<typeof describeSchemeChange>,
): Hypothesis {
  return {
    axis: "scheme",
    code,
    sentence,
    fix: withFix(
      { kind: "change_verification", verification: scheme },
      "Change the hook's scheme",
      `The hook keeps its secret and other settings. Its provider becomes Custom, with the matching scheme: ${words}.`,
    ),
    apply: (attempt) => ({ ...attempt, scheme }),
  };
}

type SecretRule = MacScheme["secret"];

/** The hook's scheme with every other way to decode the secret. */
function listDecodings(base: MacScheme, input: DiagnosisInput): readonly MacScheme[] {
  return listSecretRules(base, input).map((secret) => ({ ...base, secret }));
}

function listSecretRules(base: MacScheme, { secrets }: DiagnosisInput): readonly SecretRule[] {
  const hasPrefix = secrets.some(({ text }) => text.startsWith("whsec_"));
  const prefixes = [
    ...new Set([...(hasPrefix ? [base.secret.stripPrefix, "whsec_"] : []), undefined]),
  ];
  const decodings = (["utf8", "base64", "hex", "base64url"] as const).flatMap((decode) =>
    prefixes.map((stripPrefix) => ({
      decode,
      ...(stripPrefix === undefined ? {} : { stripPrefix }),
    })),
  );
  const { prefixRequired: _, ...own } = base.secret;
  return [own, ...decodings];
}

function* listVariants(base: MacScheme, input: DiagnosisInput): Generator<MacScheme> {
  const rules = listSecretRules(base, input);
  for (const { name, shape } of listSignatures(base, input)) {
    for (const { template, timestamp, id } of listSignedTexts(base, shape, input)) {
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

/** Signatures from the scheme's own headers, then from others that look like a signature. */
function listSignatures(base: MacScheme, { request: { headers } }: DiagnosisInput) {
  const own = base.signature.sources.flatMap((source) =>
    source.from === "header" ? [source.name] : [],
  );
  const others = Object.keys(headers).filter(
    (name) => /sign|hmac|digest|-sig$|hash/.test(name) && !own.includes(name),
  );
  return [...own, ...others.slice(0, 4)].flatMap((name) => {
    const [value, second] = headers[name] ?? [];
    if (
      value === undefined ||
      second !== undefined ||
      !/^[!#$%&'*+.^_`|~0-9a-z-]{1,128}$/.test(name)
    )
      return [];
    return listSignatureShapes(value).map((shape) => ({ name, shape }));
  });
}

type SignedText = {
  readonly template: string;
  readonly timestamp: TimestampRule | null;
  readonly id: ValueSource | null;
};

function listSignedTexts(
  base: MacScheme,
  shape: SignatureShape,
  input: DiagnosisInput,
): readonly SignedText[] {
  const times = listTimes(base, shape, input);
  const ids = listIds(base, input);
  return [...new Set([base.signed.template, ...templates()])].flatMap((template) => {
    const names = new Set(
      (splitTemplate(template) ?? []).flatMap((piece) =>
        typeof piece === "string" ? [] : [piece.variable],
      ),
    );
    if ([...names].some((name) => !known.includes(name))) return [];
    const timesOfIt = names.has("timestamp") ? times : [null];
    const idsOfIt = names.has("id") ? ids : [null];
    return timesOfIt.flatMap((timestamp) => idsOfIt.map((id) => ({ template, timestamp, id })));
  });
}

const known = ["body", "sha256(body)", "timestamp", "id", "url", "method", "form", "secret"];

/** Templates of the catalog, and common homemade ones. */
function templates(): readonly string[] {
  const ofCatalog = listProviders().flatMap(({ scheme }) =>
    "signed" in scheme && scheme.signed.bodyNotSigned !== true ? [scheme.signed.template] : [],
  );
  return ["{body}", "{timestamp}.{body}", "{id}.{timestamp}.{body}", ...ofCatalog, ...homemade];
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
  "{sha256(body)}",
  "{timestamp}.{sha256(body)}",
];

/**
 * Possible timestamps: the scheme's own, beside the signature, or in a header with a matching name.
 */
function listTimes(
  base: MacScheme,
  { timeKeys }: SignatureShape,
  { request: { headers } }: DiagnosisInput,
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
  const own =
    base.timestamp === undefined || base.timestamp.source.from === "part" ? [] : [base.timestamp];
  return [...own, ...parts, ...found];
}

function readUnit(value: string): TimestampRule["unit"] | null {
  if (/^\d{9,11}$/.test(value)) return "s";
  if (/^\d{12,14}$/.test(value)) return "ms";
  if (/^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/.test(value)) return "rfc3339";
  if (/^\d{4}-\d\d-\d\dT[\d:.]+$/.test(value)) return "iso-zoneless";
  return /GMT$/.test(value) ? "http-date" : null;
}

function listIds(
  base: MacScheme,
  { request: { headers } }: DiagnosisInput,
): readonly ValueSource[] {
  const own = base.signed.values?.id;
  const named = Object.keys(headers).filter((name) =>
    /(?:^|-)(?:id|delivery|uuid|nonce)$/.test(name),
  );
  const found = named.slice(0, 3).map((name): ValueSource => ({ from: "header", name }));
  return own === undefined ? found : [own, ...found];
}
