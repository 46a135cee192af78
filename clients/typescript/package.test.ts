import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";

const folder = fileURLToPath(new URL(".", import.meta.url));

/** A program of a user, who installed the package. */
const program = `
import { CatchmentError, createClient, type Run, verifyWebhook } from "@catchment/client";

const catchment = createClient({ url: "http://127.0.0.1:1", token: "cmt_x", maxRetries: 0 });
export async function main(): Promise<string> {
  const failed: Run[] = [];
  try {
    for await (const run of catchment.listRuns({ status: "failed" })) failed.push(run);
    // @ts-expect-error: no such status
    await catchment.listRuns({ status: "lost" });
    // @ts-expect-error: an event has a type
    await catchment.publishEvent({ data: {} });
    const { id } = await catchment.publishEvent({ type: "a.b", data: {} });
    await verifyWebhook({ body: "", headers: new Headers(), secrets: id });
    return "";
  } catch (error) {
    return error instanceof CatchmentError ? error.code : String(error);
  }
}
console.log(await main());
`;

/** The names that the examples of the docs have besides the package. */
const given = `
import { CatchmentError, type Client, type Delivery } from "@catchment/client";
declare const process: { readonly env: Readonly<Record<string, string | undefined>> };
declare const id: string;
declare function save(delivery: Delivery): void;
declare function enqueue(id: string, type: string, data: unknown): Promise<void>;
`;

/** Each TypeScript block of the page. Later ones use the client of the first. */
function listExamples(): readonly string[] {
  const page = readFileSync(join(folder, "../../docs/tools/typed-client.md"), "utf8");
  return [...page.matchAll(/^```ts\n(.*?)^```/gms)].map(([, code = ""]) => {
    const imports = code.match(/^import .*\n/gm)?.join("") ?? "";
    const rest = code.replace(/^import .*\n/gm, "");
    const client = code.includes("createClient") ? "" : "declare const catchment: Client;\n";
    const missing = given.replace(imports.includes("CatchmentError") ? "CatchmentError, " : "", "");
    return `${imports}${missing}${client}export async function example() {\n${rest.replace("export ", "")}}\n`;
  });
}

function tryPackage(compile: (args: readonly string[], cwd: string) => void): string {
  const user = mkdtempSync(join(tmpdir(), "catchment-client-"));
  onTestFinished(() => rmSync(user, { recursive: true }));
  const installed = join(user, "node_modules/@catchment/client");
  mkdirSync(installed, { recursive: true });
  writeFileSync(join(installed, "package.json"), readFileSync(join(folder, "package.json")));
  compile(["-p", join(folder, "tsconfig.build.json"), "--outDir", join(installed, "dist")], user);
  writeFileSync(join(user, "package.json"), '{"type":"module"}');
  writeFileSync(join(user, "main.ts"), program);
  const examples = listExamples();
  expect(examples).toHaveLength(5);
  for (const [index, code] of examples.entries())
    writeFileSync(join(user, `example-${index}.ts`), code);
  // Without skipLibCheck: the declarations have to be right by themselves.
  const options = { strict: true, module: "nodenext", target: "es2022", types: [] };
  writeFileSync(join(user, "tsconfig.json"), JSON.stringify({ compilerOptions: options }));
  compile(["-p", user], user);
  return execFileSync(process.execPath, ["main.js"], { cwd: user, encoding: "utf8" }).trim();
}

it("the package compiles, its declarations are strict, and Node runs it without a dependency", () => {
  const compiler = join(folder, "../../node_modules/typescript/bin/tsc");
  const result = tryPackage((args, cwd) => run(process.execPath, [compiler, ...args], cwd));
  expect(result).toBe("connection_failed");
  expect(
    JSON.parse(readFileSync(join(folder, "package.json"), "utf8")).dependencies,
  ).toBeUndefined();
});

it("the package compiles with TypeScript 5.9, which npm fetches", { tags: "variant" }, () => {
  const npm = ["exec", "--yes", "--package", "typescript@5.9.3", "--", "tsc"];
  expect(tryPackage((args, cwd) => run("npm", [...npm, ...args], cwd))).toBe("connection_failed");
});

function run(program: string, args: readonly string[], cwd: string): void {
  try {
    execFileSync(program, args, { cwd, encoding: "utf8" });
  } catch (error) {
    throw new Error((error as { stdout: string }).stdout);
  }
}
