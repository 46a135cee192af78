/**
 * The output for the person who starts the server: numbered steps with a tick and seconds, then the
 * URL to open. It always goes to stderr, because stdout belongs to the log: `npm start >
 * catchment.log` keeps one JSON object per line, and the terminal still shows the URL.
 * `scripts/setup.mjs` prints the steps before `firstStep`.
 */
export type Banner = {
  /** Runs one step and prints its line. `note` is printed after the title. */
  step<T>(
    title: string,
    run: () => Promise<T>,
    note?: (result: T) => string | undefined,
  ): Promise<T>;
  /** Prints lines of label and value, aligned. */
  facts(rows: readonly (readonly [label: string, value: string])[]): void;
  line(text: string): void;
};

const firstStep = 5;

export function createBanner(print: (text: string) => void = printToStderr): Banner {
  let number = firstStep - 1;
  return {
    async step(title, run, note) {
      number += 1;
      const startedAt = performance.now();
      try {
        const result = await run();
        const remark = note?.(result);
        const text = remark === undefined ? title : `${title}: ${remark}`;
        print(`  ✓ ${number}. ${text} (${secondsSince(startedAt)})\n`);
        return result;
      } catch (error) {
        print(`  ✗ ${number}. ${title} (${secondsSince(startedAt)})\n`);
        throw error;
      }
    },
    facts(rows) {
      const width = Math.max(...rows.map(([label]) => label.length));
      print(`\n${rows.map(([label, value]) => `  ${label.padEnd(width)}  ${value}\n`).join("")}\n`);
    },
    line: (text) => print(`${text}\n`),
  };
}

function secondsSince(startedAt: number): string {
  return `${((performance.now() - startedAt) / 1000).toFixed(1)} s`;
}

function printToStderr(text: string): void {
  process.stderr.write(text);
}
