import { type Column, type Figures, mediansOf } from "../outcome/results.ts";

/** Something that is measured side by side with others. */
type Variant<Stage> = { readonly name: string; readonly set: () => Promise<Stage> };

type Alternation<Stage> = {
  readonly variants: readonly Variant<Stage>[];
  readonly rounds: number;
  readonly seconds: number;
  readonly measure: (stage: Stage, seconds: number) => Promise<Figures>;
  readonly say: (line: string) => void;
};

/** Sets up all variants, then measures them in turns. @returns the medians of the rounds */
export async function alternate<Stage extends { stop(): Promise<void> }>({
  variants,
  rounds,
  seconds,
  measure,
  say,
}: Alternation<Stage>): Promise<readonly Column[]> {
  const contestants: { name: string; stage: Stage; done: Figures[] }[] = [];
  try {
    for (const { name, set } of variants) contestants.push({ name, stage: await set(), done: [] });
    say("warming up");
    for (const { stage } of contestants) await measure(stage, 1);
    for (let round = 0; round < rounds; round += 1) {
      say(`round ${round + 1} of ${rounds}`);
      // The order alternates, so that neither always comes first.
      for (const { stage, done } of round % 2 === 0 ? contestants : contestants.toReversed())
        done.push(await measure(stage, seconds));
    }
    return contestants.map(({ name, done }) => ({ name, figures: mediansOf(done) }));
  } finally {
    for (const { stage } of contestants) await stage.stop();
  }
}
