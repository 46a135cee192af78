import { Webhook } from "lucide-react";
import { expect, it } from "vitest";
import { findCommands, type PaletteCommand, paletteCommands } from "./palette-commands.ts";

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

it("a button of the page stands for the command of the same name", () => {
  const own: PaletteCommand = {
    id: "page-0",
    group: "On this page",
    name: "New hook",
    words: "page",
    icon: Webhook,
    does: { kind: "go", href: "/hooks/new" },
  };
  const found = findCommands("new hook", [own]);
  expect(found.filter(({ name }) => name === "New hook")).toEqual([own]);
});

it("a word without a match finds nothing", () => {
  expect(findCommands("dark unicorn")).toEqual([]);
});
