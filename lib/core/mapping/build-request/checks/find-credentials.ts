import { listLiterals } from "#lib/core/mapping/template/compile-template.ts";
import { decodeName, isSensitiveName } from "#lib/core/people/redact/redact-request.ts";
import type { ActionRequestTemplate } from "#lib/schema/act/action-request.ts";
import { listTemplates, type RequestTemplate } from "../list-templates.ts";

type FoundCredential = {
  readonly path: string;
  readonly code: "not_allowed";
  readonly message: string;
};

/**
 * Finds credentials outside of `auth`, where everyone with access to the action can read them and a
 * template may decide the host. `auth` is encrypted and bound to one origin. Values from the
 * payload don't count.
 */
export function findCredentials(request: ActionRequestTemplate): FoundCredential[] {
  return listTemplates(request).flatMap(({ path, name, place, source }) => {
    const isFound = place === "url" ? isInUrl(source) : isCredential(name, source);
    return isFound ? [{ path, code: "not_allowed", message: adviseOn(place) }] : [];
  });
}

const advice: Readonly<Record<RequestTemplate["place"], string>> = {
  url: 'with the type "query"',
  header: 'with the type "bearer", "basic" or "header"',
  query: 'with the type "query"',
  body: 'with the type "body"',
  bodyText: 'with the type "header" or "query"',
  multipart: 'with the type "body"',
};

function adviseOn(place: RequestTemplate["place"]): string {
  return (
    `looks like a credential. Put it into request.auth ${advice[place]}: ` +
    "there it is encrypted, never shown, and only sent to this host"
  );
}

function isInUrl(source: string): boolean {
  if (hasKnownFormat(source.slice(source.indexOf("?") + 1)) && source.includes("?")) return true;
  const query = source.split("#", 1)[0]?.split("?").slice(1).join("?") ?? "";
  return query.split("&").some((pair) => {
    const [name = "", ...value] = pair.split("=");
    return isCredential(decodeName(name), value.join("="));
  });
}

/** @param name of the header, parameter, or field; null for a whole text */
function isCredential(name: string | null, source: string): boolean {
  // Checks the whole source, including strings inside templates.
  if (hasKnownFormat(source)) return true;
  const literal = listLiterals(source)
    .map(({ text }) => text)
    .join("")
    .trim();
  if (/^(?:bearer|basic|token|apikey)\s+\S{8,}$/i.test(literal)) return true;
  if (name === null || literal === "") return false;
  const plainName = name.toLowerCase().replace(/[-_.\s]/g, "");
  if (alwaysSecret.has(plainName)) return !/^(?:bearer|basic|token|apikey)$/i.test(literal);
  return isSensitiveName(name) && looksRandom(literal);
}

/** Any value with one of these names is a credential. Names without `-` and `_`. */
const alwaysSecret: ReadonlySet<string> = new Set([
  "accesstoken",
  "apikey",
  "apisecret",
  "apitoken",
  "authorization",
  "authtoken",
  "clientsecret",
  "cookie",
  "privatekey",
  "xaccesstoken",
  "xapikey",
  "xapitoken",
  "xauthkey",
  "xauthtoken",
]);

/** Documented secret formats. Most are designed for secret scanners. */
const knownFormats: readonly RegExp[] = [
  /\b[rs]k_(?:live|test)_[A-Za-z0-9]{8,}/, // Stripe and those who follow it
  /\bwhsec_[A-Za-z0-9+/=]{16,}/, // Stripe, Standard Webhooks
  /\bgh[oprsu]_[A-Za-z0-9]{20,}/, // GitHub
  /\bgithub_pat_\w{20,}/,
  /\bglpat-[\w-]{16,}/, // GitLab
  /\bxox[abeprs]-[A-Za-z0-9-]{10,}/, // Slack
  /\bxapp-\d-[A-Za-z0-9-]{10,}/,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/, // AWS
  /\bAIza[\w-]{35}/, // Google
  /\bya29\.[\w-]{20,}/,
  /\bSG\.[\w-]{16,}\.[\w-]{16,}/, // SendGrid
  /\bsk-[A-Za-z0-9_-]{20,}/, // OpenAI, Anthropic
  /\bshp(?:at|ca|pa|ss)_[A-Fa-f0-9]{20,}/, // Shopify
  /\bnpm_[A-Za-z0-9]{30,}/,
  /\bdop_v1_[a-f0-9]{40,}/, // DigitalOcean
  /\blin_(?:api|wh)_[A-Za-z0-9]{20,}/, // Linear
  /\bpat-(?:na|eu)\d-[a-f0-9-]{30,}/, // HubSpot
  /\bkey-[a-f0-9]{32}\b/, // Mailgun
  /\bcmt_[\w-]{20,}/, // our own tokens
  /\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}/, // JSON Web Tokens (RFC 7519)
  /-----BEGIN [A-Z ]*PRIVATE KEY-----/, // RFC 7468
];

function hasKnownFormat(text: string): boolean {
  return knownFormats.some((format) => format.test(text));
}

/** One word of at least 12 characters with a digit and high entropy. */
function looksRandom(text: string): boolean {
  return text.length >= 12 && !/\s/.test(text) && /\d/.test(text) && entropyBits(text) >= 3;
}

/** Shannon entropy per character: about 2.5 for English words, 3.5 and more for hex keys. */
function entropyBits(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values())
    bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}
