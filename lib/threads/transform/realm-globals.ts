/**
 * A part of `realmSource`: built-in functions that QuickJS lacks, that ignore their locale, or that
 * would round a number that JavaScript can't hold.
 */
export const realmGlobals = `
const rejectExact = (digits) => {
  throw new TypeErrorType(digits + " has more digits than a JavaScript number. " +
    "Write Number(…) to round it, or String(…) to keep its digits, or BigInt(…) to calculate with it");
};

class ExactNumber {
  #digits;
  constructor(digits) { this.#digits = digits; }
  static digitsOf(value) {
    return typeof value === "object" && value !== null && #digits in value ? value.#digits : null;
  }
  toString(radix) {
    return radix === undefined || radix === 10 ? this.#digits : rejectExact(this.#digits);
  }
  toJSON() { return marksDigits ? digitsMark + this.#digits : this.#digits; }
  valueOf() { return rejectExact(this.#digits); }
  toFixed() { return rejectExact(this.#digits); }
  toPrecision() { return rejectExact(this.#digits); }
  toExponential() { return rejectExact(this.#digits); }
  toLocaleString() { return rejectExact(this.#digits); }
  [toPrimitive](hint) { return hint === "string" ? this.#digits : rejectExact(this.#digits); }
}
const { digitsOf } = ExactNumber;
delete ExactNumber.digitsOf;

let marksDigits = false;
const digitsMark = "\\u{e000}" + seeds.join("") + ":";
const markedDigits = new RegExp('"' + digitsMark + '([-+.eE0-9]+)"', "g");
const replaceAll = uncurry(String.prototype.replace);

function stringifyExact(value, replacer, space) {
  const own = typeof replacer === "function"
    ? function (key, given) {
        const digits = digitsOf(this[key]);
        const replaced = apply(replacer, this, [key, digits === null ? given : this[key]]);
        const kept = digitsOf(replaced);
        return kept === null ? replaced : digitsMark + kept;
      }
    : replacer;
  const before = marksDigits;
  marksDigits = true;
  try {
    const text = stringify(value, own, space);
    return typeof text === "string" ? replaceAll(text, markedDigits, "$1") : text;
  } finally {
    marksDigits = before;
  }
}

/** Only for a delivery with such numbers: these functions are slower than the built-in ones. */
function guardExact() {
  const wrap = (holder, name, convert) => {
    const original = holder[name];
    const guarded = new ProxyType(original, {
      apply: (target, self, args) => {
        const digits = digitsOf(args[0]);
        return digits === null ? apply(target, self, args) : convert(digits);
      },
    });
    defineProperty(holder, name, { value: guarded, writable: true, configurable: true });
    return guarded;
  };
  const toBigInt = BigInt;
  const isWhole = (digits) => test(/^-?\\d+$/, digits);
  for (const [name, convert] of [
    ["Number", (digits) => toNumber(digits)],
    ["BigInt", (digits) => (isWhole(digits) ? toBigInt(digits) : rejectExact(digits))],
  ]) {
    const { prototype } = globalThis[name];
    const value = wrap(globalThis, name, convert);
    defineProperty(prototype, "constructor", { value, writable: true, configurable: true });
  }
  for (const name of ["parseInt", "parseFloat"]) Number[name] = wrap(globalThis, name, rejectExact);
  wrap(Number, "isFinite", (digits) => isFinite(toNumber(digits)));
  wrap(Number, "isInteger", isWhole);
  JSON.stringify = stringifyExact;
}

let formatInHost;
/** A locale or options were given, which QuickJS would ignore. */
const format = (kind, value, locales, options) => {
  const settings = stringify({ __proto__: null, locales, options });
  const [isFormatted, text] = parse(formatInHost(kind, toText(value), settings));
  if (!isFormatted) throw new RangeErrorType(text);
  return text;
};
const localize = (holder, name, kind, toValue) => {
  const original = uncurry(holder[name]);
  const local = { [name](locales, options) {
    if (locales === undefined && options === undefined) return original(this);
    return format(kind, toValue(this), locales, options);
  } };
  defineProperty(holder, name, { value: local[name], writable: true, configurable: true });
};
const dateTime = (date) => {
  const time = getTime(date);
  if (isNaN(time)) throw new RangeErrorType("The date is invalid");
  return time;
};
localize(Number.prototype, "toLocaleString", "number", uncurry(Number.prototype.valueOf));
localize(BigInt.prototype, "toLocaleString", "number", uncurry(BigInt.prototype.valueOf));
localize(Date.prototype, "toLocaleString", "dateTime", dateTime);
localize(Date.prototype, "toLocaleDateString", "date", dateTime);
localize(Date.prototype, "toLocaleTimeString", "time", dateTime);
localize(String.prototype, "toLocaleUpperCase", "upperCase", toText);
localize(String.prototype, "toLocaleLowerCase", "lowerCase", toText);

const toLower = uncurry(String.prototype.toLowerCase);
const compareCodes = (one, other) => (one < other ? -1 : one > other ? 1 : 0);
const plainWords = /^[ 0-9A-Za-z]*$/;
defineProperty(String.prototype, "localeCompare", { value: { localeCompare(that, locales, options) {
  const one = toText(this);
  const other = toText(that);
  // The usual case, without a call to the host: a long list would take too long.
  if (locales === undefined && options === undefined && test(plainWords, one) && test(plainWords, other))
    return compareCodes(toLower(one), toLower(other)) || compareCodes(other, one);
  return toNumber(format("compare", stringify([one, other]), locales, options));
} }.localeCompare, writable: true, configurable: true });

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const codeOf = uncurry(String.prototype.charCodeAt);
const fromCode = String.fromCharCode;
const indexOf = uncurry(String.prototype.indexOf);

globalThis.btoa = function btoa(value) {
  const bytes = toText(value);
  let text = "";
  for (let at = 0; at < bytes.length; at += 3) {
    const left = bytes.length - at;
    const codes = [codeOf(bytes, at), left > 1 ? codeOf(bytes, at + 1) : 0, left > 2 ? codeOf(bytes, at + 2) : 0];
    if (codes[0] > 255 || codes[1] > 255 || codes[2] > 255)
      throw new RangeErrorType("btoa takes characters up to U+00FF. " +
        "Write btoa(unescape(encodeURIComponent(text))) for UTF-8");
    const bits = (codes[0] << 16) | (codes[1] << 8) | codes[2];
    text += alphabet[bits >> 18] + alphabet[(bits >> 12) & 63] +
      (left > 1 ? alphabet[(bits >> 6) & 63] : "=") + (left > 2 ? alphabet[bits & 63] : "=");
  }
  return text;
};

globalThis.atob = function atob(value) {
  let text = replaceAll(toText(value), /[\\t\\n\\f\\r ]+/g, "");
  if (text.length % 4 === 0) text = replaceAll(text, /={1,2}$/, "");
  if (text.length % 4 === 1 || !test(/^[A-Za-z0-9+/]*$/, text)) throw new RangeErrorType("The text is not base64");
  let bytes = "";
  let bits = 0;
  for (let at = 0; at < text.length; at += 1) {
    bits = ((bits << 6) | indexOf(alphabet, text[at])) & 0xffffff;
    if (at % 4 > 0) bytes += fromCode((bits >> (6 - 2 * (at % 4))) & 255);
  }
  return bytes;
};
for (const name of ["atob", "btoa"]) defineProperty(globalThis, name, { enumerable: false });
`;
