/** More than any sender's form has. Node's parser takes time with the square of their number: 10 MiB of `a&` are six minutes. */
const maxFields = 10_000;

/** A body of `application/x-www-form-urlencoded` (WHATWG URL); null: it has more than 10,000 fields, and is not read. */
export function parseForm(text: string): URLSearchParams | null {
  let fields = 1;
  for (let at = text.indexOf("&"); at !== -1; at = text.indexOf("&", at + 1)) {
    fields += 1;
    if (fields > maxFields) return null;
  }
  return new URLSearchParams(text);
}
