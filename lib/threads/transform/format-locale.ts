/**
 * Formats for transforms: QuickJS has no locales and no time zones. Takes and returns text only.
 * Locale and zone are those of the call, or American English and UTC on every machine.
 *
 * @param settingsJson `{locales?, options?}`
 * @returns `[true, text]` or `[false, message]` as JSON
 */
export function formatLocale(kind: string, value: string, settingsJson: string): string {
  try {
    return JSON.stringify([true, format(kind, value, settingsJson)]);
  } catch (error) {
    return JSON.stringify([false, error instanceof Error ? error.message : "can't be formatted"]);
  }
}

function format(kind: string, value: string, settingsJson: string): string {
  switch (kind) {
    case "number":
      // Text keeps the digits of a bigint.
      return numberFormat(settingsJson).format(value as Intl.StringNumericLiteral);
    case "dateTime":
    case "date":
    case "time":
      return dateFormat(kind, settingsJson).format(Number(value));
    case "compare": {
      const [one = "", other = ""] = JSON.parse(value) as string[];
      return String(collator(settingsJson).compare(one, other));
    }
    case "upperCase":
      return value.toLocaleUpperCase(read(settingsJson).locales);
    case "lowerCase":
      return value.toLocaleLowerCase(read(settingsJson).locales);
    default:
      throw new TypeError(`${kind} isn't a kind of format`);
  }
}

type Settings = { readonly locales: string | string[]; readonly options: object };

function read(json: string): Settings {
  const { locales, options } = JSON.parse(json) as Partial<Settings>;
  return { locales: locales ?? "en-US", options: options ?? {} };
}

const numberFormat = remember((json) => {
  const { locales, options } = read(json);
  return new Intl.NumberFormat(locales, options);
});
const collator = remember((json) => {
  const { locales, options } = read(json);
  return new Intl.Collator(locales, options);
});
const formats = {
  dateTime: remember((json) => makeDateFormat(json, "all")),
  date: remember((json) => makeDateFormat(json, "date")),
  time: remember((json) => makeDateFormat(json, "time")),
};

function dateFormat(kind: keyof typeof formats, json: string): Intl.DateTimeFormat {
  return formats[kind](json);
}

/** The fields that `toLocaleString` and its like show if the options name none (ECMA-402). */
function makeDateFormat(json: string, shown: "all" | "date" | "time"): Intl.DateTimeFormat {
  const { locales, options } = read(json);
  const own = { timeZone: "UTC", ...options };
  const names = shown === "date" ? dateFields : shown === "time" ? timeFields : allFields;
  if (names.some((name) => Object.hasOwn(options, name)))
    return new Intl.DateTimeFormat(locales, own);
  const date = { year: "numeric", month: "numeric", day: "numeric" } as const;
  const time = { hour: "numeric", minute: "numeric", second: "numeric" } as const;
  const added = { ...(shown === "time" ? {} : date), ...(shown === "date" ? {} : time) };
  return new Intl.DateTimeFormat(locales, { ...added, ...own });
}

const dateFields = ["weekday", "year", "month", "day", "dateStyle", "timeStyle"];
const timeFields = [
  ...["dayPeriod", "hour", "minute", "second", "fractionalSecondDigits"],
  ...["dateStyle", "timeStyle"],
];
const allFields = [...dateFields, ...timeFields];

/** Making a format takes longer than using it. */
function remember<Format>(make: (json: string) => Format): (json: string) => Format {
  const known = new Map<string, Format>();
  return (json) => {
    const found = known.get(json) ?? make(json);
    if (known.size >= maxKnown) known.clear();
    known.set(json, found);
    return found;
  };
}

const maxKnown = 50;
