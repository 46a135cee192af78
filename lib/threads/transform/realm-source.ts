import { realmGlobals } from "./realm-globals.ts";

/**
 * Runs in a new realm before the user's code. It fixes the clock and randomness, and returns the
 * functions that the host calls. They keep the built-in functions that they need, since the user's
 * code may replace them. Whatever that code does, it only changes its own result: the host gets
 * nothing but text, also where it formats for a locale.
 */
export const realmSource = `(function (nowMs, seeds, limits) {
"use strict";
const { stringify, parse } = JSON;
const { isArray } = Array;
const { keys, defineProperty } = Object;
const { isFinite, isNaN } = Number;
const toText = String;
const toNumber = Number;
const uncurry = Function.prototype.bind.bind(Function.prototype.call);
const tagOf = uncurry(Object.prototype.toString);
const slice = uncurry(String.prototype.slice);
const hasOwn = uncurry(Object.prototype.hasOwnProperty);
const getTime = uncurry(Date.prototype.getTime);
const construct = Reflect.construct;
const apply = Reflect.apply;
const ErrorType = Error;
const TypeErrorType = TypeError;
const RangeErrorType = RangeError;
const ProxyType = Proxy;
const test = uncurry(RegExp.prototype.test);
const { toPrimitive } = Symbol;

const RealDate = Date;
function FixedDate(...parts) {
  if (new.target === undefined) return new RealDate(nowMs).toString();
  return construct(RealDate, parts.length === 0 ? [nowMs] : parts, new.target);
}
FixedDate.prototype = RealDate.prototype;
defineProperty(FixedDate, "name", { value: "Date" });
defineProperty(FixedDate, "length", { value: 7 });
defineProperty(RealDate.prototype, "constructor", { value: FixedDate, writable: true, configurable: true });
for (const [name, value] of [["now", () => nowMs], ["parse", RealDate.parse], ["UTC", RealDate.UTC]])
  defineProperty(FixedDate, name, { value, writable: true, configurable: true });
globalThis.Date = FixedDate;
// Removed because a transform has no threads.
delete globalThis.SharedArrayBuffer;
delete globalThis.Atomics;

// sfc32, public domain: http://pracrand.sourceforge.net
let [a, b, c, d] = seeds;
Math.random = () => {
  const sum = (a + b + d) | 0;
  d = (d + 1) | 0;
  a = b ^ (b >>> 9);
  b = (c + (c << 3)) | 0;
  c = ((c << 21) | (c >>> 11)) + sum | 0;
  return (sum >>> 0) / 4294967296;
};

${realmGlobals}
class Fault {
  #code;
  #message;
  constructor(code, message) { this.#code = code; this.#message = message; }
  static read(value) { return #code in value ? { code: value.#code, message: value.#message } : null; }
}
const readFault = Fault.read;

function read(json, exactKey) {
  if (exactKey === "") return parse(json);
  guardExact();
  // Equal digits are one object, so that === and includes() compare them.
  const known = { __proto__: null };
  return parse(json, (_key, value) =>
    typeof value === "object" && value !== null && hasOwn(value, exactKey)
      ? (known[value[exactKey]] ??= new ExactNumber(value[exactKey]))
      : value);
}

let left = limits.outputBytes;
function put(text) {
  left -= text.length;
  if (left < 0)
    throw new Fault("output_too_large", "The result is larger than " + limits.outputBytes / 1024 + " KiB. Return less");
  return text;
}

/**
 * The keys on the way to the value that is being written. Storing the paths of all values would
 * cost more than the values.
 */
const trail = [];

function refuse(depth, what) {
  let path = "";
  for (let at = 1; at < depth; at += 1) {
    const key = trail[at];
    path += typeof key === "number" ? "[" + key + "]" : (path === "" ? "" : ".") + key;
  }
  throw new Fault("not_json", (path === "" ? "The result" : "The result's " + path) + " is " + what);
}

function write(value, depth) {
  switch (typeof value) {
    case "string":
      if (value.length > left) put(value);
      return put(stringify(value));
    case "boolean": return put(value ? "true" : "false");
    case "bigint": return put(toText(value));
    case "number":
      if (!isFinite(value)) refuse(depth, toText(value) + ", which JSON can't hold. Return a number or null");
      return put(toText(value === 0 ? 0 : value));
    case "undefined": return depth === 1 ? refuse(depth, "undefined. Return a value, or null") : put("null");
    case "object":
      if (value === null) return put("null");
      if (depth > limits.outputDepth)
        refuse(1, "nested deeper than " + limits.outputDepth + " levels, or contains itself");
      return isArray(value) ? writeList(value, depth) : writeObject(value, depth);
    default: return refuse(depth, "a " + typeof value + ", which JSON can't hold. Return data only");
  }
}

function writeList(list, depth) {
  let text = put("[");
  const { length } = list;
  for (let index = 0; index < length; index += 1) {
    trail[depth] = index;
    const item = list[index];
    if (index > 0) text += ",";
    left -= 1;
    // Numbers are handled without a call: long lists of numbers are common, and a call costs more
    // than the number.
    if (typeof item === "number" && item - item === 0 && item !== 0) {
      const digits = "" + item;
      left -= digits.length;
      text += left < 0 ? put("") : digits;
    } else {
      text += write(item, depth + 1);
    }
  }
  return text + put("]");
}

function writeObject(object, depth) {
  const digits = digitsOf(object);
  if (digits !== null) return put(digits);
  const { toJSON } = object;
  if (typeof toJSON === "function") {
    if (tagOf(object) === "[object Date]" && isNaN(getTime(object))) refuse(depth, "an invalid date");
    const plain = apply(toJSON, object, []);
    if (typeof plain !== "object" || plain === null) return write(plain, depth);
    trail[depth] = "toJSON()";
    if (plain !== object) return write(plain, depth + 1);
  }
  if (typeof object.then === "function")
    throw new Fault("async_not_allowed", "The result is a promise. " +
      "Transforms run at once: remove async, await, and promises");
  const tag = slice(tagOf(object), 8, -1);
  if (tag !== "Object")
    refuse(depth, "of type " + tag + ", which JSON can't hold. Return plain objects and lists, such as [...values]");
  let text = put("{");
  let separator = "";
  // No for-of loop here: the user's code may have replaced the iterator of arrays.
  const names = keys(object);
  for (let index = 0; index < names.length; index += 1) {
    const key = names[index];
    const value = object[key];
    if (value === undefined) continue;
    trail[depth] = key;
    text += put(separator + stringify(key) + ":") + write(value, depth + 1);
    separator = ",";
  }
  return text + put("}");
}

function call(transform, input) {
  return transform(input.delivery, input.steps);
}

/** The result has no prototype: the user's code may have given all objects a toJSON. */
function tell(code, name, message, stack) {
  return stringify({ __proto__: null, code, name, message, stack });
}

function describe(thrown) {
  const text = (value, most) => (typeof value === "string" ? slice(value, 0, most) : "");
  // QuickJS throws null when no memory is left to build the error.
  if (thrown === null) return tell("out_of_memory", undefined, "The code threw null, or needed more than " +
    limits.memoryBytes / 1048576 + " MiB of memory and was stopped. Keep less data at a time");
  if (typeof thrown !== "object" && typeof thrown !== "function") {
    const shown = typeof thrown === "string" ? stringify(thrown) : toText(thrown);
    return tell(undefined, undefined, "threw " + text(shown, 300) + ", which isn't an Error");
  }
  const fault = readFault(thrown);
  if (fault !== null) return tell(fault.code, undefined, fault.message);
  const name = text(thrown.name, 100);
  const message = text(thrown.message, 1000);
  if (thrown instanceof ErrorType) return tell(undefined, name, message, text(thrown.stack, 4000));
  return tell(undefined, undefined, "threw an object that isn't an Error" + (message === "" ? "" : ": " + message));
}

function connect(host) {
  formatInHost = host;
}

return { connect, read, call, write: (value) => write(value, 1), describe };
})`;
