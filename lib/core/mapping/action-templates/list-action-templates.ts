import type { ActionTemplate } from "./action-template.ts";
import { chatTemplates } from "./chat-templates.ts";
import { contactTemplates } from "./contact-templates.ts";
import { orderTemplates } from "./order-templates.ts";

export const actionTemplates: readonly ActionTemplate[] = [
  ...contactTemplates,
  ...chatTemplates,
  ...orderTemplates,
];

/** Templates for the provider first, then those for any provider, then the rest. */
export function listActionTemplates(provider: string): readonly ActionTemplate[] {
  const rank = ({ providers }: ActionTemplate) =>
    providers.includes(provider) ? 0 : providers.length === 0 ? 1 : 2;
  return actionTemplates.toSorted((a, b) => rank(a) - rank(b));
}
