import { globSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

/** Every server action that Next exposes. */
const commands = globSync("app/**/*.{ts,tsx}")
  .map((path) => ({ path, text: readFileSync(path, "utf8") }))
  .filter(({ text }) => /^\s*["']use server["']/m.test(text));

const routes = globSync("app/(dashboard)/api/**/route.ts").map((path) => ({
  path,
  text: readFileSync(path, "utf8"),
}));

it("there are commands and routes to check", () => {
  expect(commands.length).toBeGreaterThan(5);
  expect(routes.length).toBeGreaterThan(1);
});

it.each(commands)(
  "every command of $path first checks its origin, and the user or the portal's link",
  ({ path, text }) => {
    const isPortal = path.startsWith("app/portal/");
    const check = isPortal
      ? /\b(runPortalCommand|askPortalService)\(\w+, token, /
      : /\b(runPublicFormCommand|respondToCommand|changeByService|askService|askReader|(change|ask)ByJson)\(/;
    const functions = text.split(/^export /m).slice(1);
    for (const source of functions) {
      expect(source).toMatch(/^(async function|type|interface) /);
      if (source.startsWith("async")) expect(source).toMatch(check);
    }
  },
);

it("only what is on the way to a session works without one", () => {
  const isOpen = /\b(runPublicFormCommand|respondToCommand)\(/;
  const open = commands.filter(({ text }) => isOpen.test(text)).map(({ path }) => path);
  expect(open.sort()).toEqual([
    "app/(auth)/invitations/[token]/commands.ts",
    "app/(auth)/setup/commands.ts",
    "app/(auth)/sign-in/commands.ts",
  ]);
});

it.each(routes)("$path, which only needs the cookie, changes nothing", ({ text }) => {
  expect(text).not.toMatch(/export (async function|const) (POST|PUT|PATCH|DELETE)\b/);
  expect(text).toMatch(/export async function GET\b/);
});
