/**
 * The fixed origin of a URL template, such as `https://api.example.com:8443`. Null if the whole URL
 * is a template, or has no origin. Credentials belong to it: when it changes, they must be entered
 * again.
 */
export function readTemplateOrigin(template: string): string | null {
  const authority = readAuthority(template);
  if (authority === null || authority.text.includes("{{") || authority.text.includes("{%"))
    return null;
  return URL.parse(`${authority.scheme}://${authority.text}/`)?.origin ?? null;
}

/** The part between `://` and the first `/`, `?`, or `#`. Null: not a URL. */
export function readAuthority(
  template: string,
): { readonly scheme: string; readonly text: string } | null {
  const match = /^(https?):\/\/([^/?#]*)/i.exec(template);
  return match === null ? null : { scheme: match[1] ?? "", text: match[2] ?? "" };
}
