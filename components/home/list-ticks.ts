/** Round counts for an axis, at most five from 0 to the first that the highest bar doesn't exceed. */
export function listTicks(highest: number): readonly number[] {
  const power = 10 ** Math.max(0, Math.floor(Math.log10(highest / 4)));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((one) => one * 4 >= highest);
  const size = step ?? highest;
  return Array.from({ length: Math.ceil(highest / size) + 1 }, (_, at) => at * size);
}
