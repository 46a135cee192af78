import { maskReason, maskText } from "#lib/schema/receive/mask-text.ts";

/** Says why a value is masked, if it is. */
export function maskedProps(text: string): { readonly title?: string } {
  return text === maskText ? { title: maskReason } : {};
}
