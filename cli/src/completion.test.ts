import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { commands } from "./commands.ts";
import { formatCompletion, shells } from "./completion/completion.ts";

const isThere = (shell: string) => spawnSync(shell, ["-c", "exit"]).status === 0;

/** The words that the shell itself offers at the end of a line. */
const ask: Readonly<Record<(typeof shells)[number], (line: string) => string>> = {
  bash: (line) => `
COMP_WORDS=(${line} "") COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
_catchment catchment "" "\${COMP_WORDS[COMP_CWORD-1]}"; printf '%s\\n' "\${COMPREPLY[@]}"`,
  // The functions of its completion system exist only while a person types.
  zsh: (line) => `
compadd() { shift; print -l -- "$@" }; _files() { print files }
_describe() { for entry in $entries; do print -- "\${entry%%:*}"; done }
words=(${line} "") CURRENT=$#words; _catchment`,
  fish: (line) =>
    `complete -C ${JSON.stringify(`${line} `)}; complete -C ${JSON.stringify(`${line} -`)}`,
};

const flags = { bash: "--norc", zsh: "-f", fish: "--no-config" } as const;

function complete(shell: (typeof shells)[number], line: string): readonly string[] {
  const before = shell === "zsh" ? "compdef() { : }\n" : "";
  const script = `${before}${formatCompletion(shell, commands)}\n${ask[shell](line)}`;
  const { PATH, NODE_ENV } = process.env;
  const { stdout, stderr } = spawnSync(shell, [flags[shell], "-c", script], {
    encoding: "utf8",
    env: { PATH, NODE_ENV, HOME: "/nonexistent", TERM: "dumb" },
  });
  expect(stderr).toBe("");
  // fish writes a summary after a tab.
  return stdout
    .split("\n")
    .flatMap((text) => text.split("\t").slice(0, 1))
    .filter(Boolean);
}

const firsts = [...new Set(commands.map(({ name }) => name.split(" ")[0] ?? ""))];

// Bash is everywhere, and the others only where someone installed them.
const present = shells.filter((shell) => shell === "bash" || isThere(shell));

test.each(present)("%s offers commands, their second words, options, and values", (shell) => {
  expect(complete(shell, "catchment")).toEqual(expect.arrayContaining(["help", ...firsts]));
  expect(complete(shell, "catchment actions")).toEqual(
    expect.arrayContaining(["get", "enable", "disable", "--json"]),
  );
  const get = complete(shell, "catchment actions get");
  expect(get).toContain("--output");
  expect(get).not.toContain("enable");
  const outputs = complete(shell, "catchment deliveries --output");
  expect(outputs).toEqual(expect.arrayContaining(["table", "compact", "json"]));
  expect(complete(shell, "catchment completion")).toEqual(expect.arrayContaining([...shells]));
  expect(complete(shell, "catchment listen Checkout --to x")).toContain("--share");
});
