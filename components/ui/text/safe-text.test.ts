import { expect, it } from "vitest";
import { safeText } from "./safe-text.ts";

it.each([
  ["invoice.paid", "invoice.paid"],
  ["Zoë 👩‍🚀 £", "Zoë 👩\\u{200d}🚀 £"],
  ["evil\u202egpj.exe", "evil\\u{202e}gpj.exe"],
  ["a\u0000b\r\nc", "a\\u{0}b\\u{d}\\u{a}c"],
  ["\ud800x", "\\u{d800}x"],
  ["<script>alert(1)</script>", "<script>alert(1)</script>"],
])("%j is shown as %j", (text, shown) => expect(safeText(text)).toBe(shown));
