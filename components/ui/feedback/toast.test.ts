import { expect, it } from "vitest";
import { announce, dismissToast, readToasts, toast, watchToasts } from "./toast.ts";

it("a toast reaches every subscriber, and disappears when dismissed", () => {
  const seen: string[][] = [];
  const stop = watchToasts(() => seen.push(readToasts().toasts.map(({ message }) => message)));
  toast("Paused.");
  dismissToast(readToasts().toasts[0]?.id ?? 0);
  stop();
  toast("No one hears this.");
  expect(seen).toEqual([["Paused."], []]);
});

it("only the last three toasts stay", () => {
  for (const message of ["1", "2", "3", "4"]) toast(message);
  expect(readToasts().toasts.map(({ message }) => message)).toEqual(["2", "3", "4"]);
});

it("a repeated announcement is a change, so that it is read out again", () => {
  announce("3 new");
  const first = readToasts().announcement;
  announce("3 new");
  expect(readToasts().announcement).not.toBe(first);
  expect(readToasts().announcement.trim()).toBe(first);
});
