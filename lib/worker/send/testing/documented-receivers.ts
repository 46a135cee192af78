import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Language, languages } from "./sample-programs.ts";
import type { SampleCall } from "./verification-calls.ts";

const readPage = (name: string) =>
  readFileSync(new URL(`../../../../docs/${name}.md`, import.meta.url), "utf8");
const docs = readPage("verifying-events");
const timedDocs = readPage("api/verifying-one-header");

/** The documented languages that this machine can run. */
export const runnable = (Object.keys(languages) as Language[]).filter((language) =>
  languages[language].needs.every(([program, option]) => spawnSync(program, [option]).status === 0),
);

/**
 * Runs the documented code on calls, all in one process of its language.
 *
 * @param timedHeader the header `t=…,v1=…` in which the calls have their signature, in lowercase.
 *   Omitted: they have those of Standard Webhooks
 * @returns for each call `true`, `false`, or `throws …`
 */
export function verifyAsDocumented(
  language: Language,
  calls: readonly SampleCall[],
  timedHeader?: string,
): readonly string[] {
  const { files, commands } = languages[language];
  const folder = mkdtempSync(join(tmpdir(), "catchment-receiver-"));
  try {
    for (const [name, text] of Object.entries(files(readSample(language, timedHeader))))
      writeFileSync(join(folder, name), rename(text, timedHeader));
    writeFileSync(join(folder, "calls"), calls.map(toLine).join("\n"));
    let output = "";
    for (const [program, ...args] of commands) {
      const run = spawnSync(program, args, { cwd: folder, encoding: "utf8" });
      if (run.status !== 0) throw new Error(`${language} failed: ${run.stderr || run.error}`);
      output = run.stdout;
    }
    return output.trim().split(/\r?\n/);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The programs put the signature of a call into `webhook-signature`. */
function rename(program: string, timedHeader: string | undefined): string {
  return timedHeader === undefined
    ? program
    : program.replaceAll('"webhook-signature"', `"${timedHeader}"`);
}

/** The documented code of a language, with the name of the header as the dashboard shows it. */
function readSample(language: Language, timedHeader: string | undefined): string {
  const page = timedHeader === undefined ? docs : timedDocs;
  const found = new RegExp(`\`\`\`${language}\\n([\\s\\S]+?)\`\`\``).exec(page)?.[1];
  const code = found?.replaceAll("acme-signature", timedHeader ?? "");
  if (code === undefined) throw new Error(`The document has no code for ${language}`);
  return code;
}

/** Not every standard library reads JSON: base64 fields, tabs between them, `-` for missing. */
function toLine({ id, timestamp, signature, body, secret }: SampleCall): string {
  return [id, timestamp, signature, body, secret]
    .map((field) => (field === null ? "-" : Buffer.from(field).toString("base64")))
    .join("\t");
}
