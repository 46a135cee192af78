/**
 * The steps of a path such as `data.items[0].id` or `headers["x y"]`, as the filter schema allows.
 * Text in brackets is kept as is; `[0]` is a number.
 */
export function readFilterPath(path: string): (string | number)[] {
  const steps: (string | number)[] = [];
  for (const match of path.matchAll(/\[(\d+)\]|\["([^"\]]+)"\]|\['([^'\]]+)'\]|([^.[\]]+)/gu)) {
    const [, index, double, single, plain] = match;
    steps.push(index === undefined ? (double ?? single ?? plain ?? "") : Number(index));
  }
  return steps;
}
