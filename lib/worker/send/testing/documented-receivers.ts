import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Language, languages } from "./sample-programs.ts";
import type { SampleCall } from "./verification-calls.ts";

const docs = readFileSync(new URL("../../../../docs/verifying-events.md", import.meta.url), "utf8");

/** The documented languages that this machine can run. */
export const runnable = (Object.keys(languages) as Language[]).filter((language) =>
  languages[language].needs.every(([program, option]) => spawnSync(program, [option]).status === 0),
);

/**
 * Runs the documented code on calls, all in one process of its language.
 *
 * @returns for each call `true`, `false`, or `throws …`
 */
export function verifyAsDocumented(
  language: Language,
  calls: readonly SampleCall[],
): readonly string[] {
  const { files, commands } = languages[language];
  const folder = mkdtempSync(join(tmpdir(), "catchment-receiver-"));
  try {
    for (const [name, text] of Object.entries(files(readSample(language))))
      writeFileSync(join(folder, name), text);
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

/** The code of a language in docs/verifying-events.md. */
function readSample(language: Language): string {
  const code = new RegExp(`\`\`\`${language}\\n([\\s\\S]+?)\`\`\``).exec(docs)?.[1];
  if (code === undefined) throw new Error(`The document has no code for ${language}`);
  return code;
}

/** Not every standard library reads JSON: base64 fields, tabs between them, `-` for missing. */
function toLine({ id, timestamp, signature, body, secret }: SampleCall): string {
  return [id, timestamp, signature, body, secret]
    .map((field) => (field === null ? "-" : Buffer.from(field).toString("base64")))
    .join("\t");
}
