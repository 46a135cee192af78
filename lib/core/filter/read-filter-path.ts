/**
 * The steps of a path such as `data.items[0].id` or `headers["x y"]`, as the schema of filters allows them.
 * Text in brackets keeps its spelling; `[0]` is a number.
 */
export function readFilterPath(path: string): (string | number)[] {
  const steps: (string | number)[] = [];
  for (const match of path.matchAll(/\[(\d+)\]|\["([^"\]]+)"\]|\['([^'\]]+)'\]|([^.[\]]+)/gu)) {
    const [, index, double, single, plain] = match;
    steps.push(index === undefined ? (double ?? single ?? plain ?? "") : Number(index));
  }
  return steps;
}
