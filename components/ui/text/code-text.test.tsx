import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { CodeText } from "./code-text.tsx";

test("text in backticks is code, without the backticks", () => {
  const html = renderToStaticMarkup(<CodeText text="Signs `{timestamp}.{body}`, not `<b>`." />);
  expect(html.replace(/ class="[^"]*"/g, "")).toBe(
    "Signs <code>{timestamp}.{body}</code>, not <code>&lt;b&gt;</code>.",
  );
  expect(renderToStaticMarkup(<CodeText text="a ` b" />)).toBe("a ` b");
});
