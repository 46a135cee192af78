import { globSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

/** Every server action that Next exposes. */
const commands = globSync("{app,lib,components}/**/*.{ts,tsx}")
  .filter((path) => !path.includes("/testing/") && !path.endsWith(".test.ts"))
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

/** They check the origin, and the user or the portal's link, before anything else. */
const made = (path: string) =>
  path === "lib/web/portal/commands.ts"
    ? /^const \w+ = (change|ask)InPortal\(/
    : /^const \w+ = (stay\(\s*)?(change|ask|askReader)\(/;

it.each(commands)(
  "every command of $path is made by what checks its origin, and the user or the link",
  ({ path, text }) => {
    const own = [...text.matchAll(/^const (\w+) = (?:change|ask)\(/gm)].map(([, name]) => name);
    const check = new RegExp(
      `\\b(runPublicFormCommand|respondToCommand|\\w+Command${own.map((name) => `|${name}`).join("")})\\(`,
    );
    const [, ...exports] = text.split(/^export /m);
    for (const source of exports) {
      if (/^(type|interface) /.test(source)) continue;
      if (source.startsWith("const ")) expect(source).toMatch(made(path));
      else expect(source.replace(/^async function \w+/, "")).toMatch(check);
    }
  },
);

it("only what is on the way to a session works without one, and the links in emails to customers", () => {
  const isOpen = /\b(runPublicFormCommand|respondToCommand)\(/;
  const open = commands.filter(({ text }) => isOpen.test(text)).map(({ path }) => path);
  expect(open.sort()).toEqual([
    "app/(auth)/invitations/[token]/commands.ts",
    "app/(auth)/setup/commands.ts",
    "app/(auth)/sign-in/commands.ts",
    "app/portal/emails/commands.ts",
  ]);
});

it.each(routes)("$path, which only needs the cookie, changes nothing", ({ text }) => {
  expect(text).not.toMatch(/export (async function|const) (POST|PUT|PATCH|DELETE)\b/);
  expect(text).toMatch(/export async function GET\b/);
});
