import { expect, test } from "vitest";
import { readFileVariables } from "./file-variables.ts";

const files: Record<string, string> = {
  "/run/secrets/key": "k".repeat(40),
  "/url": "postgresql://db/x\n",
};

function read(path: string): string {
  const text = files[path];
  if (text === undefined) throw new Error("ENOENT");
  return text;
}

test("a secret is read from its file, without the line break at the end", () => {
  const source = {
    PORT: "3000",
    CATCHMENT_SECRET_KEY_FILE: "/run/secrets/key",
    DATABASE_URL_FILE: "/url",
    SMTP_URL_FILE: "",
  };
  expect(readFileVariables(source, read)).toEqual({
    ok: true,
    env: { PORT: "3000", CATCHMENT_SECRET_KEY: "k".repeat(40), DATABASE_URL: "postgresql://db/x" },
  });
});

test("a file that can't be read, or a value beside it, is an error that names the variable", () => {
  expect(readFileVariables({ SMTP_URL_FILE: "/none" }, read)).toEqual({
    ok: false,
    variable: "SMTP_URL_FILE",
    message: "names /none, which can't be read by this user",
  });
  expect(readFileVariables({ DATABASE_URL_FILE: "/url", DATABASE_URL: "x" }, read)).toMatchObject({
    ok: false,
    variable: "DATABASE_URL_FILE",
  });
});
