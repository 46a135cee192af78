import { listSources } from "#lib/schema/field/list-sources.ts";
import type { IdentityPart, IdentitySource } from "./identify-event.ts";

/**
 * A rule that also tells deliveries apart by what they say, for ids that turned out to be those of
 * objects. Null: this rule does so already, or nothing is compared.
 *
 * @param content what counts in addition
 */
export function includeContent(
  rule: IdentitySource | readonly IdentitySource[] | null,
  content: Extract<IdentityPart, { from: "content" | "request" }>,
): IdentitySource[] | null {
  const sources = listSources<IdentitySource>(rule);
  if (sources.every(hasContent)) return null;
  return sources.map((source) => (hasContent(source) ? source : addContent(source, content)));
}

const maxParts = 5;

function addContent(
  { withinSeconds, ...source }: IdentitySource,
  content: IdentityPart,
): IdentitySource {
  const parts = source.from === "all" ? source.of : [source];
  const whole: IdentitySource =
    parts.length < maxParts ? { from: "all", of: [...parts, content] } : content;
  return withinSeconds === undefined ? whole : { ...whole, withinSeconds };
}

function hasContent(source: IdentitySource): boolean {
  const parts = source.from === "all" ? source.of : [source];
  return parts.some(({ from }) => from === "content" || from === "request");
}
