/** The page about senders, made from the catalogue itself, so that it can't say anything else. */
import { takesVerifyToken } from "#lib/core/handshake/verify-token.ts";
import type { DedupeSource } from "#lib/schema/hook.ts";
import type { ProviderSetting } from "./code-scheme.ts";
import type { Provider } from "./provider.ts";
import { describeSource } from "./request-view.ts";
import type { Scheme, SigningScheme } from "./scheme.ts";

/** Why we believe that a scheme is the sender's: what the tests run. */
export type SchemeEvidence = {
  /** The package on npm that signs or verifies the same. */
  readonly package: string | null;
  /** How many published examples with exact values are accepted. */
  readonly vectors: number;
};

/** Markdown: what holds for all, one table of facts, and for each sender what to paste and where. */
export function describeCatalogue(
  providers: readonly Provider[],
  findEvidence: (providerId: string) => SchemeEvidence,
): string {
  const unconfirmed = providers.filter(({ confirmed }) => confirmed === false).length;
  const evidence = providers.map(({ id }) => findEvidence(id));
  const byPackage = evidence.filter((found) => found.package !== null).length;
  const byExample = evidence.filter((found) => found.package === null && found.vectors > 0).length;
  const sorted = providers.toSorted((one, other) => one.name.localeCompare(other.name, "en"));
  return `# Senders

A hook has a \`provider\`: it decides how a delivery proves who sent it, and where the id and the type of an event are.
This page is made from the catalogue by \`node scripts/write-provider-docs.ts\`; change it there.

- \`generic\` verifies nothing. \`custom\` takes a scheme that you spell out in \`verification\`, in the same shape as the catalogue's own.
- A secret is kept exactly as pasted. Whether it is decoded is a matter of the provider and never guessed from its looks.
- Some senders need more than a secret, or none at all: what they need goes into \`verification.settings\`, by the names that stand below.
- Where a sender publishes its keys, they are fetched from its own listed addresses only and kept. When they can't be fetched, a delivery is answered with 503 and comes again.
- A signature that leaves out the body, or parts of it, proves who sent a delivery and not what is in it.
- A window in time holds to both sides of the clock. Where a sender signs no time, only de-duplication stops a replay.
- "the body" is always the bytes as received. \`{url}\` is the hook's public URL with path and query as they were called.
- Of the ${providers.length} senders, ${unconfirmed} are marked "not confirmed against the provider": others describe the scheme, and no page, package or example of the sender itself bears it out. If one refuses what it should take, tell us.
- "Checked by" says why we believe a row: for ${byPackage} senders a package on npm signs or verifies the same as we do, ${byExample} more have published examples, the rest was read only. Tests run both, and every row is also driven over HTTP through the catch endpoint: rightly signed it is taken, with one bit flipped it is not.

| Sender | \`provider\` | Proof | Window | Event id | Checked by | |
|---|---|---|---|---|---|---|
${sorted.map((provider) => toRow(provider, findEvidence(provider.id))).join("\n")}

${sorted.map(toSection).join("\n\n")}
`;
}

function toRow(provider: Provider, evidence: SchemeEvidence): string {
  const { name, id, scheme, eventId, batch, confirmed, answerWithinSeconds } = provider;
  const remarks = [
    confirmed === false ? "not confirmed against the provider" : null,
    batch === undefined ? null : "several events in one body",
    answerWithinSeconds === undefined ? null : `wants its answer within ${answerWithinSeconds} s`,
  ].filter((remark) => remark !== null);
  const facts = [describeProof(scheme), describeWindow(scheme), describeFields(eventId)];
  const cells = [name, `\`${id}\``, ...facts, describeEvidence(evidence), remarks.join("; ")];
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}

function toSection(provider: Provider): string {
  const { name, id, scheme, secretHelp, whereToPaste, docsUrl, confirmed } = provider;
  const settings = scheme.kind === "code" ? (scheme.settings ?? []) : [];
  const lines = [
    `## ${name}`,
    "",
    `\`${id}\`${confirmed === false ? ", not confirmed against the provider" : ""}`,
    "",
    `- Secret: ${secretHelp}`,
    ...settings.map(toSettingLine),
    ...(isBodySigned(scheme) ? [] : ["- The signature leaves out the body or parts of it."]),
    `- Where: ${whereToPaste}`,
    ...describeHandshakes(provider),
    ...describeAnswer(provider),
    `- More: <${docsUrl}>`,
  ];
  return lines.join("\n");
}

function describeHandshakes({ handshakes = [] }: Provider): readonly string[] {
  const told = handshakes.map(({ name, methods, proof, isAnsweredWhilePending }) => {
    const shown =
      proof === "signature" ? "signed" : proof === "none" ? "not signed" : "with the verify token";
    const early = isAnsweredWhilePending === true ? ", answered unsigned while the hook is pending" : "";
    return `${name} (${methods.join(", ")}, ${shown}${early})`;
  });
  const token = takesVerifyToken(handshakes)
    ? ["- Verify token: the hook's page and `verifyToken` of the API show it."]
    : [];
  return told.length === 0
    ? []
    : [`- Handshakes that are answered: ${[...new Set(told)].join("; ")}.`, ...token];
}

function describeAnswer({ answer }: Provider): readonly string[] {
  if (answer === undefined) return [];
  const { status = 200, contentType = "text/plain", body = "", hasEmptyRefusals } = answer;
  const what = body === "" ? "no body" : `the ${contentType} body ${toCode(body)}`;
  const refused = hasEmptyRefusals === true ? "; a refusal has no body either" : "";
  return [`- Answered with ${status} and ${what}${refused}, unless the hook sets an answer of its own.`];
}

function describeEvidence({ package: name, vectors }: SchemeEvidence): string {
  const found = [
    name === null ? null : `npm \`${name}\``,
    vectors === 0 ? null : `${vectors} published ${vectors === 1 ? "example" : "examples"}`,
  ].filter((text) => text !== null);
  return found.length === 0 ? "read only" : found.join(", ");
}

function toSettingLine({ name, help, example, fallback }: ProviderSetting): string {
  const without = fallback === undefined ? "" : ` Without it: ${fallback}.`;
  return `- Setting \`${name}\`: ${help} It looks like \`${example}\`.${without}`;
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
      return `${describeAlgorithm(scheme)}, ${encoding}, of ${toCode(signed.template)} in ${describePlaces(signature.sources)}`;
    }
    case "token":
      return `shared value in ${describeSource(scheme.source)}`;
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
  const window =
    scheme.kind === "code" ? scheme.window : "timestamp" in scheme ? scheme.timestamp : undefined;
  if (window === undefined) return "–";
  const { pastSeconds, futureSeconds } = window;
  return pastSeconds === futureSeconds ? `${pastSeconds} s` : `${pastSeconds} s, ${futureSeconds} s ahead`;
}

function describePlaces(sources: readonly Parameters<typeof describeSource>[0][]): string {
  const [first, second] = sources.map(describeSource);
  if (sources.length > 2) return `${first} and ${sources.length - 1} more`;
  return second === undefined ? `${first}` : `${first} or ${second}`;
}

function describeFields(sources: readonly DedupeSource[]): string {
  return sources
    .map((source) => {
      if (source.from === "content") return "the content";
      return `${source.from} \`${source.from === "header" ? source.name : source.path}\``;
    })
    .join(", else ");
}

function toCode(template: string): string {
  return `\`${template.replaceAll("\n", "\\n")}\``;
}
