import { spawnSync } from "node:child_process";
import { createHmac, randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { verificationSnippets } from "./verification-snippets.ts";

const key = randomBytes(32);
const secret = `whsec_${key.toString("base64")}`;
const body = '{"id":"evt_1","data":{"name":"Jürgen"}}';

function sign(id: string, time: number): Record<string, string> {
  const digest = createHmac("sha256", key).update(`${id}.${time}.${body}`).digest("base64");
  return {
    "webhook-id": id,
    "webhook-timestamp": String(time),
    // Others come first while a secret is being rotated.
    "webhook-signature": `v1a,${randomBytes(64).toString("base64")} v1,${digest}`,
  };
}

function codeOf(wanted: string): string {
  return verificationSnippets.find(({ id }) => id === wanted)?.code ?? "";
}

const programs = {
  node: {
    command: [process.execPath, "--input-type=module", "-e"],
    end: "console.log(isGenuine(JSON.parse(process.env.HEADERS), Buffer.from(process.env.BODY)))",
  },
  python: {
    command: ["python3", "-c"],
    end: "import json\nprint(str(is_genuine(json.loads(os.environ['HEADERS']), os.environ['BODY'].encode())).lower())",
  },
} as const;

it.each(Object.keys(programs) as (keyof typeof programs)[])(
  "the code for %s accepts a genuine event, and rejects a changed, old, or unsigned one",
  (language) => {
    const { command, end } = programs[language];
    const [file, ...options] = command;
    const now = Math.floor(Date.now() / 1_000);
    const ask = (headers: Record<string, string>, sent = body) =>
      spawnSync(file, [...options, `${codeOf(language)}\n${end}`], {
        env: {
          ...process.env,
          WEBHOOK_SECRET: secret,
          HEADERS: JSON.stringify(headers),
          BODY: sent,
        },
        encoding: "utf8",
      });
    // A machine without the language can't run its code.
    if (ask(sign("evt_1", now)).error !== undefined) return;
    const answers = [
      ask(sign("evt_1", now)),
      ask(sign("evt_1", now), body.replace("1", "2")),
      ask(sign("evt_1", now - 3_600)),
      ask({ ...sign("evt_1", now), "webhook-id": "evt_2" }),
    ];
    expect(answers.map(({ stdout, stderr }) => stdout.trim() || stderr)).toEqual([
      "true",
      "false",
      "false",
      "false",
    ]);
  },
);
