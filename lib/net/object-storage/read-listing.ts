import { SaxesParser } from "saxes";

type ListingPage = {
  readonly keys: readonly string[];
  readonly prefixes: readonly string[];
  /** Null: this was the last page. */
  readonly nextToken: string | null;
};

/** Reads the XML of ListObjectsV2. Throws if it isn't XML. */
export function readListing(xml: string): ListingPage {
  const [keys, prefixes]: [string[], string[]] = [[], []];
  let nextToken: string | null = null;
  const path: string[] = [];
  let text = "";
  const parser = new SaxesParser();
  parser.on("opentag", ({ name }) => {
    path.push(name);
    text = "";
  });
  parser.on("text", (part) => {
    text += part;
  });
  parser.on("closetag", () => {
    const where = path.slice(1).join("/");
    if (where === "Contents/Key") keys.push(text);
    if (where === "CommonPrefixes/Prefix") prefixes.push(text);
    if (where === "NextContinuationToken") nextToken = text;
    path.pop();
    text = "";
  });
  parser.write(xml).close();
  return { keys, prefixes, nextToken };
}
