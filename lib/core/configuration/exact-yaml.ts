/** YAML 1.2 whose numbers are those of JSON, and keep their digits. */
import { type ScalarTag, stringify, type Tags } from "yaml";
import { ExactNumber } from "#lib/schema/field/json-value.ts";

const exactNumber: ScalarTag = {
  tag: "tag:yaml.org,2002:float",
  default: true,
  test: /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/,
  identify: (value) => value instanceof ExactNumber,
  resolve: (text) => (String(Number(text)) === text ? Number(text) : new ExactNumber(text)),
  stringify: ({ value }) => String(value),
};

const isNumber = (tag: Tags[number]) => typeof tag === "object" && /:(?:int|float)$/.test(tag.tag);

/** Without `0x1F`, `.5`, and `.inf`, which JSON doesn't have: they are text. */
export const jsonNumbersOnly = (tags: Tags): Tags => [
  exactNumber,
  ...tags.filter((tag) => !isNumber(tag)),
];

/** Text that other programs may take for a number is in quotes. */
export function writeYaml(value: unknown): string {
  return stringify(value, {
    customTags: (tags: Tags) => [exactNumber, ...tags],
    aliasDuplicateObjects: false,
    lineWidth: 0,
  });
}
