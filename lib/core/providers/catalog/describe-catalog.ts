/** Generates docs/providers.md from the catalog. */

import type { Provider, ProviderProof } from "#lib/core/providers/shapes/provider.ts";
import { takesVerifyToken } from "#lib/core/verify/handshake/verify-token.ts";
import type { ProviderSetting } from "#lib/core/verify/scheme/code-scheme.ts";
import { describeSource } from "#lib/core/verify/scheme/request-view.ts";
import { findWindow, type Scheme, type SigningScheme } from "#lib/core/verify/scheme/scheme.ts";
import { describeIdentities } from "./describe-identity.ts";
import { notIncluded } from "./not-included.ts";
import { findReplayProtection } from "./replay-protection.ts";

/** Markdown: general notes, a table, and a section for each provider. */
export function describeCatalog(providers: readonly Provider[]): string {
  const unconfirmed = providers.filter(isUnconfirmed).length;
  const byPackage = providers.filter(({ proof }) => proof.package !== undefined).length;
  const byExample = providers.filter(
    ({ proof }) => proof.package === undefined && proof.examples,
  ).length;
  const sorted = providers.toSorted((one, other) => one.name.localeCompare(other.name, "en"));
  return `# Providers

A hook's \`provider\` decides how deliveries are verified, and where the id and type of an event are.
This page is generated from the catalog with \`npm run generate\`. Edit the catalog instead.

- \`generic\` doesn't verify deliveries. \`custom\` uses the scheme in \`verification\`, in the same format as \
the catalog.
- A secret is saved exactly as pasted. The provider decides whether it is decoded.
- Some providers need settings instead of a secret, or in addition to one. They go into \
\`verification.settings\`, with the names below.
- Published keys are only fetched from the provider's known URLs, and are cached. If they can't be fetched, the \
response is 503, and the provider retries.
- A signature that doesn't cover the whole body proves who sent a delivery, but not what it contains.
- The window applies to timestamps in the past and in the future. A hook's \`toleranceSeconds\` replaces it. If \
no timestamp is signed, only de-duplication stops replays.
- [Replay protection](catching.md#replay-protection) treats the same signed content as a duplicate, even with \
another id. The table shows the default and
  the reason. "–": not available.
- "The body" always means the bytes as received. \`{url}\` is the hook's public URL with the requested path and query.
- Of ${providers.length} providers, ${unconfirmed} are marked "not confirmed against the provider": third \
parties describe the scheme, but no page, package, or example from the provider confirms it. If one rejects \
valid deliveries, please tell us.
- "Checked by" shows how we tested a scheme: ${byPackage} with an npm package that signs or verifies, \
${byExample} more with published examples. The rest follow the documentation only. Tests also send every \
provider's samples to the catch endpoint: correctly signed ones are accepted, and those with a flipped bit are rejected.

| Provider | \`provider\` | Authentication | Window | Replay protection | Checked by | |
|---|---|---|---|---|---|---|
${sorted.map(toRow).join("\n")}

${describeIdentities(sorted)}

${describeNotIncluded()}

${sorted.map(toSection).join("\n\n")}
`;
}

function describeNotIncluded(): string {
  return `## Not included, and why

A scheme is only added from a public source that names it. These have none that we found, or prove nothing:

${notIncluded.map(({ name, why }) => `- **${name}.** ${why}`).join("\n")}`;
}

function toRow(provider: Provider): string {
  const { name, id, scheme, batch, proof, respondWithinSeconds } = provider;
  const remarks = [
    isUnconfirmed(provider) ? "not confirmed against the provider" : null,
    batch === undefined ? null : batch.isOne === true ? "event inside" : "batches",
    respondWithinSeconds === undefined
      ? null
      : `expects a response within ${respondWithinSeconds} s`,
  ].filter((remark) => remark !== null);
  const facts = [describeProof(scheme), describeWindow(scheme), describeReplay(provider)];
  const cells = [name, `\`${id}\``, ...facts, describeEvidence(proof), remarks.join("; ")];
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}

function toSection(provider: Provider): string {
  const { name, id, scheme, secretHelp, whereToPaste, docsUrl } = provider;
  const settings = scheme.kind === "code" ? (scheme.settings ?? []) : [];
  const lines = [
    `## ${name}`,
    "",
    `\`${id}\`${isUnconfirmed(provider) ? ", not confirmed against the provider" : ""}`,
    "",
    `- Secret: ${secretHelp}`,
    ...settings.map(toSettingLine),
    ...(isBodySigned(scheme) ? [] : ["- The signature doesn't cover the whole body."]),
    `- Where: ${whereToPaste}`,
    ...describeHandshakes(provider),
    ...describeResponse(provider),
    `- More: <${docsUrl}>`,
  ];
  return lines.join("\n");
}

function describeHandshakes({ handshakes = [] }: Provider): readonly string[] {
  const told = handshakes.map(({ name, methods, proof, respondsWhilePending }) => {
    const shown =
      proof === "signature" ? "signed" : proof === "none" ? "unsigned" : "with the verify token";
    const early =
      respondsWhilePending === true
        ? ", answered without verification while the hook is awaiting its secret"
        : "";
    return `${name} (${methods.join(", ")}, ${shown}${early})`;
  });
  const token = takesVerifyToken(handshakes)
    ? ["- Verify token: shown on the hook's page and as `verifyToken` in the API."]
    : [];
  return told.length === 0 ? [] : [`- Handshakes: ${[...new Set(told)].join("; ")}.`, ...token];
}

function describeResponse({ response }: Provider): readonly string[] {
  if (response === undefined) return [];
  const { status = 200, contentType = "text/plain", body = "", hasEmptyRejections } = response;
  const what = body === "" ? "no body" : `the ${contentType} body ${toCode(body)}`;
  const rejected = hasEmptyRejections === true ? "; rejections have no body either" : "";
  return [`- Response: ${status} with ${what}${rejected}, unless the hook has a custom response.`];
}

function isUnconfirmed({ proof }: Provider): boolean {
  return proof.describedBy === "others";
}

function describeEvidence({ package: name, examples = 0 }: ProviderProof): string {
  const found = [
    name === undefined ? null : `npm \`${name}\``,
    examples === 0 ? null : `${examples} published ${examples === 1 ? "example" : "examples"}`,
  ].filter((text) => text !== null);
  return found.length === 0 ? "documentation" : found.join(", ");
}

function toSettingLine({ name, help, example, fallback }: ProviderSetting): string {
  const without = fallback === undefined ? "" : ` Default: ${fallback}.`;
  return `- Setting \`${name}\`: ${help} Example: \`${example}\`.${without}`;
}

function isBodySigned(scheme: Scheme): boolean {
  if (scheme.kind === "code") return scheme.bodyNotSigned !== true;
  return !("signed" in scheme) || scheme.signed.bodyNotSigned !== true;
}

function describeProof(scheme: Scheme): string {
  switch (scheme.kind) {
    case "mac":
    case "publicKey": {
      const { encoding, signature, signed } = scheme;
      return (
        `${describeAlgorithm(scheme)}, ${encoding}, of ` +
        `${toCode(signed.template)} in ` +
        `${describePlaces(signature.sources)}`
      );
    }
    case "token":
      return `shared token in ${describeSource(scheme.source)}`;
    case "basic":
      return "basic authentication";
    case "bearer":
      return "bearer token";
    case "code":
      return scheme.proof;
    default:
      return scheme satisfies never;
  }
}

function describeAlgorithm(scheme: SigningScheme): string {
  if (scheme.kind === "publicKey") return `public key, ${scheme.algorithm}`;
  return `${scheme.mac === "hmac" ? "HMAC-" : ""}${scheme.hash.toUpperCase()}`;
}

function describeWindow(scheme: Scheme): string {
  const window = findWindow(scheme);
  if (window === null) return "–";
  const { pastSeconds, futureSeconds, from } = window;
  if (from === "expiry") return `until it expires, ± ${pastSeconds} s`;
  return pastSeconds === futureSeconds
    ? `${pastSeconds} s`
    : `${pastSeconds} s, ${futureSeconds} s ahead`;
}

function describePlaces(sources: readonly Parameters<typeof describeSource>[0][]): string {
  const [first, second] = sources.map(describeSource);
  if (sources.length > 2) return `${first} and ${sources.length - 1} more`;
  return second === undefined ? `${first}` : `${first} or ${second}`;
}

function describeReplay(provider: Provider): string {
  const found = findReplayProtection(provider);
  const word = found.isPossible ? (found.isOn ? "on" : "off") : "–";
  return `${word}: ${found.why}`;
}

function toCode(template: string): string {
  return `\`${template.replaceAll("\n", "\\n")}\``;
}
