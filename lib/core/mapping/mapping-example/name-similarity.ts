/**
 * The similarity of two fields by their names, from 0 to a little over 1: `customer.email` and
 * `contact.emailAddress` are similar, `id` and `name` are not. The last name counts most, those
 * around it less.
 */
export function compareNames(one: readonly string[], other: readonly string[]): number {
  const [a, b] = [weigh(one), weigh(other)];
  let common = 0;
  let all = 0;
  for (const word of new Set([...a.keys(), ...b.keys()])) {
    const [left, right] = [a.get(word) ?? 0, b.get(word) ?? 0];
    common += Math.min(left, right) + (left > 0 && right > 0 ? Math.abs(left - right) / 2 : 0);
    // A surrounding name that the other field lacks says little.
    all +=
      Math.max(left, right) * (left > 0 && right > 0 ? 1 : Math.max(left, right) < 1 ? 0.35 : 1);
  }
  // Among synonyms, the same word is best.
  if (common === 0) return 0;
  const isSameWord = fold(one.at(-1)) === fold(other.at(-1));
  return Math.min(1, common / all) + (isSameWord ? 0.15 : 0);
}

function fold(name: string | undefined): string {
  return (name ?? "").toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}

/** The weights of the last name, the one around it, and so on. */
const weights = [1, 0.5, 0.2] as const;

/** The same names are compared with every other field, so their weights are kept. */
const weighed = new WeakMap<readonly string[], ReadonlyMap<string, number>>();

function weigh(names: readonly string[]): ReadonlyMap<string, number> {
  const known = weighed.get(names);
  if (known !== undefined) return known;
  const words = countWords(names);
  weighed.set(names, words);
  return words;
}

function countWords(names: readonly string[]): ReadonlyMap<string, number> {
  const words = new Map<string, number>();
  const relevant = names.filter((name) => !meaningless.has(name.toLowerCase()));
  for (const [index, weight] of weights.entries()) {
    const name = relevant.at(-1 - index);
    for (const word of name === undefined ? [] : splitName(name))
      words.set(word, Math.max(words.get(word) ?? 0, weight));
  }
  return words;
}

/** Names that only wrap others. */
const meaningless: ReadonlySet<string> = new Set([
  "payload",
  "data",
  "object",
  "attributes",
  "properties",
  "fields",
  "body",
  "resource",
  "result",
  "event",
]);

/** `emailAddress` and `mail` are both `email`. */
export function splitName(name: string): readonly string[] {
  const words = name
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .replace(/e\Wmail/g, "email")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "" && !fillers.has(word));
  const joined = words.join("");
  const whole = synonyms.get(joined);
  return whole !== undefined
    ? [whole]
    : words.map((word) => synonyms.get(word) ?? synonyms.get(word.replace(/s$/, "")) ?? stem(word));
}

function stem(word: string): string {
  return word.length > 3 ? word.replace(/s$/, "") : word;
}

const fillers: ReadonlySet<string> = new Set([
  "the",
  "of",
  "at",
  "on",
  "is",
  "my",
  "address",
  "value",
  "text",
]);

const groups: readonly string[] = [
  "email mail",
  "phone tel telephone mobile phonenumber",
  "firstname givenname first given forename",
  "lastname familyname surname last family",
  "name fullname displayname",
  "amount total price sum cost amounttotal",
  "currency currencycode",
  "id identifier ref reference number key uuid externalid",
  "qty quantity count",
  "sku productcode",
  "product item line lineitem",
  "created createdat date time timestamp datetime occurred occurredat",
  "updated updatedat modified",
  "customer contact client buyer person user subscriber attendee invitee payer",
  "company organization organisation org account business",
  "zip postal postcode postalcode zipcode",
  "city town locality",
  "country countrycode",
  "state region province",
  "street line1 address1",
  "url link href website",
  "message comment note description body summary",
  "title subject headline",
  "status state",
  "type kind category",
];

const synonyms: ReadonlyMap<string, string> = new Map(
  groups.flatMap((group) => {
    const words = group.split(" ");
    return words.map((word) => [word, words[0] ?? word] as const);
  }),
);
