"use client";

import { type LucideIcon, Monitor, Moon, Sun } from "lucide-react";
import { useTheme } from "next-themes";
import { useId } from "react";
import { useHydrated } from "#components/ui/use-hydrated.ts";

const themes: readonly { readonly id: string; readonly name: string; readonly icon: LucideIcon }[] =
  [
    { id: "system", name: "System", icon: Monitor },
    { id: "light", name: "Light", icon: Sun },
    { id: "dark", name: "Dark", icon: Moon },
  ];

/**
 * The theme of this browser. Only the browser knows the choice, so none is marked before hydration.
 */
export function ThemeSwitch() {
  const { theme, setTheme } = useTheme();
  const isHydrated = useHydrated();
  const group = useId();
  return (
    <fieldset className="flex rounded-md bg-muted p-0.5">
      <legend className="sr-only">Theme</legend>
      {themes.map(({ id, name, icon: Icon }) => (
        <label key={id} title={name} className="theme-choice">
          <input
            type="radio"
            name={group}
            value={id}
            checked={isHydrated && theme === id}
            onChange={() => setTheme(id)}
            className="sr-only"
          />
          <Icon aria-hidden size={15} />
          <span className="sr-only">{name}</span>
        </label>
      ))}
    </fieldset>
  );
}
