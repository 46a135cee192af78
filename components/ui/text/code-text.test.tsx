import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { CodeText } from "./code-text.tsx";

test("what backticks set off is code, and they are not shown", () => {
  const html = renderToStaticMarkup(<CodeText text="Signs `{timestamp}.{body}`, not `<b>`." />);
  expect(html.replace(/ class="[^"]*"/g, "")).toBe(
    "Signs <code>{timestamp}.{body}</code>, not <code>&lt;b&gt;</code>.",
  );
  expect(renderToStaticMarkup(<CodeText text="a ` b" />)).toBe("a ` b");
});
