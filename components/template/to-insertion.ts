/**
 * The text that a picked payload field inserts after `before`. In JSON it gets quotes if they are
 * missing.
 */
export function toInsertion(path: string, place: "text" | "json", before: string): string {
  const template = `{{ ${path} }}`;
  if (place === "text") return template;
  const quoted = JSON.stringify(template);
  return isInsideText(before) ? quoted.slice(1, -1) : quoted;
}

function isInsideText(json: string): boolean {
  return (json.replace(/\\./gs, "").split('"').length - 1) % 2 === 1;
}
