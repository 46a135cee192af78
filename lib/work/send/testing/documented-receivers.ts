import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ReceivedCall } from "../../testing/receiver.ts";

const docs = readFileSync(new URL("../../../../docs/verifying-events.md", import.meta.url), "utf8");

/** How the code of docs/verifying-events.md is run: with the call in a file, by one program each. */
const languages = {
  js: {
    file: "receiver.mjs",
    command: [process.execPath],
    isThere: ["--version"],
    main: `import { readFileSync } from "node:fs";
const call = JSON.parse(readFileSync(process.argv[2], "utf8"));
console.log(verifyEvent(call.headers, Buffer.from(call.body), call.secret));`,
  },
  python: {
    file: "receiver.py",
    command: ["python3"],
    isThere: ["--version"],
    main: `import json
import sys
call = json.load(open(sys.argv[1], encoding="utf-8"))
print(str(verify_event(call["headers"], call["body"].encode(), call["secret"])).lower())`,
  },
  java: {
    file: "Events.java",
    command: ["java"],
    isThere: ["-version"],
    // Without a JSON parser in the standard library, it reads lines.
    main: `final class Main {
  public static void main(String[] args) throws Exception {
    var lines = java.nio.file.Files.readAllLines(java.nio.file.Path.of(args[0] + ".lines"));
    var headers = Map.of("webhook-id", lines.get(0), "webhook-timestamp", lines.get(1), "webhook-signature", lines.get(2));
    System.out.println(Events.verify(headers, Base64.getDecoder().decode(lines.get(3)), lines.get(4)));
  }
}`,
  },
} as const;

export type Language = keyof typeof languages;

/** Those of the documented languages that this machine can run. */
export const runnable = (Object.keys(languages) as Language[]).filter((language) => {
  const { command, isThere } = languages[language];
  return spawnSync(command[0], [...isThere]).status === 0;
});

/** Runs the documented code on a call, as a receiver of its own process. */
export function verifyAsDocumented(
  language: Language,
  { headers, body }: Pick<ReceivedCall, "headers" | "body">,
  secret: string,
): boolean {
  const { file, command, main } = languages[language];
  const code = new RegExp(`\`\`\`${language}\\n([\\s\\S]+?)\`\`\``).exec(docs)?.[1];
  if (code === undefined) throw new Error(`The document has no code for ${language}`);
  const folder = mkdtempSync(join(tmpdir(), "catchment-receiver-"));
  try {
    const program = language === "java" ? placeMainFirst(code, main) : `${code}\n${main}\n`;
    writeFileSync(join(folder, file), program);
    const call = join(folder, "call");
    writeFileSync(call, JSON.stringify({ headers, body, secret }));
    const lines = ["webhook-id", "webhook-timestamp", "webhook-signature"].map(
      (name) => headers[name],
    );
    const base64 = Buffer.from(body).toString("base64");
    writeFileSync(`${call}.lines`, [...lines, base64, secret].join("\n"));
    const { status, stdout, stderr } = spawnSync(command[0], [join(folder, file), call], {
      encoding: "utf8",
    });
    if (status !== 0) throw new Error(`${language} failed: ${stderr}`);
    return stdout.trim() === "true";
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** `java File.java` runs the first class. */
function placeMainFirst(code: string, main: string): string {
  const at = code.indexOf("final class");
  return `${code.slice(0, at)}${main}\n${code.slice(at)}`;
}
