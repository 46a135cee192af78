/** What the owner of a hook pastes into the sender's settings. */
export function catchUrl(
  publicUrl: string,
  hook: { readonly accountSlug: string; readonly key: string },
): string {
  return `${publicUrl}/catch/${hook.accountSlug}/${hook.key}`;
}
