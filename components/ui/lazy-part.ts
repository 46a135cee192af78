import { type ComponentType, type LazyExoticComponent, lazy } from "react";

/**
 * A component that is loaded on first use, so that dialogs and menus don't slow down their page.
 * Render it within `Suspense`.
 */
export function lazyPart<Name extends string, Props>(
  name: Name,
  load: () => Promise<Readonly<Record<Name, ComponentType<Props>>>>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => ({ default: (await load())[name] }));
}
