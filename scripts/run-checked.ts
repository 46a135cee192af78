import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

export type Checked = { readonly code: number; readonly output: string; readonly seconds: string };

/**
 * Runs a program of node_modules/.bin to its end. An exit by a signal counts as code 1. With `show`,
 * its output is also printed as it comes.
 */
export function runChecked(
  program: string,
  args: readonly string[],
  options: { env?: Readonly<Record<string, string>>; show?: boolean } = {},
): Promise<Checked> {
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn(`${root}node_modules/.bin/${program}`, args, {
      cwd: root,
      env: { ...process.env, ...options.env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text;
        if (options.show === true) process.stdout.write(text);
      });
    }
    child.once("error", reject);
    child.once("close", (code, signal) => {
      if (signal !== null) output += `\nEnded by ${signal}.\n`;
      resolve({
        code: code ?? 1,
        output,
        seconds: ((performance.now() - startedAt) / 1000).toFixed(1),
      });
    });
  });
}
