/**
 * Scheme, host and port that a URL template is fixed to, as `https://api.example.com:8443`; null when a template decides them
 * (the whole URL is one) or there is none. Credentials belong to this origin: when it changes, they must be entered again.
 */
export function readTemplateOrigin(template: string): string | null {
  const authority = readAuthority(template);
  if (authority === null || authority.text.includes("{{") || authority.text.includes("{%")) return null;
  return URL.parse(`${authority.scheme}://${authority.text}/`)?.origin ?? null;
}

/** The part between `://` and the first `/`, `?` or `#` of the source; null: it does not start like a URL. */
export function readAuthority(template: string): { readonly scheme: string; readonly text: string } | null {
  const match = /^(https?):\/\/([^/?#]*)/i.exec(template);
  return match === null ? null : { scheme: match[1] ?? "", text: match[2] ?? "" };
}
