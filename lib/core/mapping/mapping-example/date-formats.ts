import { readDate } from "#lib/schema/field/read-date.ts";

/** A way to write a time, and the filters that write it. */
type DateFormat = {
  readonly pattern: RegExp;
  /** Templates' filters, for a source that the `date` filter can read. */
  readonly filters: string;
  /** JSON numbers need a numeric format. */
  readonly isNumber?: boolean;
};

/** Several formats may fit. The right one produces the example's value. */
export const dateFormats: readonly DateFormat[] = [
  { pattern: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/, filters: 'date: "%Y-%m-%dT%H:%M:%SZ"' },
  { pattern: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/, filters: 'date: "%Y-%m-%dT%H:%M:%S.%LZ"' },
  { pattern: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/, filters: "date_to_xmlschema" },
  { pattern: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/, filters: 'date: "%Y-%m-%dT%H:%M:%S"' },
  { pattern: /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/, filters: 'date: "%Y-%m-%d %H:%M:%S"' },
  { pattern: /^\d{4}-\d\d-\d\d \d\d:\d\d$/, filters: 'date: "%Y-%m-%d %H:%M"' },
  { pattern: /^\d{4}-\d\d-\d\d$/, filters: 'date: "%Y-%m-%d"' },
  { pattern: /^\d\d\.\d\d\.\d{4}$/, filters: 'date: "%d.%m.%Y"' },
  { pattern: /^\d\d\/\d\d\/\d{4}$/, filters: 'date: "%m/%d/%Y"' },
  { pattern: /^\d\d\/\d\d\/\d{4}$/, filters: 'date: "%d/%m/%Y"' },
  { pattern: /^[A-Z][a-z]{2,8} \d{1,2}, \d{4}$/, filters: 'date: "%B %-d, %Y"' },
  { pattern: /^[A-Z][a-z]{2} \d{1,2}, \d{4}$/, filters: 'date: "%b %-d, %Y"' },
  { pattern: /^\d{2} [A-Z][a-z]{2} \d{4}$/, filters: "date_to_string" },
  { pattern: /^[12]\d{9}$/, filters: 'date: "%s"' },
  { pattern: /^[12]\d{9}$/, filters: 'date: "%s" | plus: 0', isNumber: true },
  { pattern: /^[12]\d{12}$/, filters: 'date: "%s" | times: 1000', isNumber: true },
];

/** True if the `date` filter can read the text, and a number among them looks like a time of today. */
export function isDateSource(text: string): boolean {
  const isNumber = /^-?\d+(?:\.\d+)?$/.test(text);
  return (!isNumber || /^[12]\d{9}(?:\d{3}){0,3}$/.test(text)) && readDate(text).ok;
}
