import type { HookView } from "#lib/core/mapping/build-request/hook-view.ts";
import { findPayloadField } from "#lib/core/providers/catalog/catalog.ts";

type NamedHook = { readonly id: string; readonly name: string; readonly provider: string };

export function toHookView({ id, name, provider }: NamedHook): HookView {
  return { id, name, payloadField: findPayloadField(provider) };
}
