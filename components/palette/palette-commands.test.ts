import { expect, it } from "vitest";
import { findCommands, paletteCommands } from "./palette-commands.ts";

it("without text every command is shown", () => {
  expect(findCommands("  ")).toEqual(paletteCommands);
});

it.each([
  ["dark", "Dark theme"],
  ["theme dark", "Dark theme"],
  ["log out", "Sign out"],
  ["create hook", "New hook"],
  ["?help keys".slice(1), "Keyboard shortcuts"],
])("%s finds %s", (text, name) => {
  expect(findCommands(text).map((command) => command.name)).toContain(name);
});

it("a word without a match finds nothing", () => {
  expect(findCommands("dark unicorn")).toEqual([]);
});
