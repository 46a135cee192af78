/** Bodies that are hard to show, and the page's text about each. */
export const deliveryShapes: readonly {
  name: string;
  body: string | Uint8Array<ArrayBuffer>;
  type: string;
  shows: RegExp;
}[] = [
  {
    name: "10 MiB of rows",
    body: JSON.stringify({
      id: "evt_large",
      rows: Array.from({ length: 60_000 }, (_, row) => ({ row, html: "<b>&amp;</b>".repeat(11) })),
    }),
    type: "application/json",
    shows: /Only the beginning is shown/,
  },
  {
    name: "one text of 9 MiB",
    body: JSON.stringify({ id: "evt_text", html: "<".repeat(9 * 1024 * 1024) }),
    type: "application/json",
    shows: /9,437,184 characters/,
  },
  {
    name: "bytes that are no text",
    body: Uint8Array.from({ length: 100_000 }, (_, at) => (at * 89) % 256),
    type: "application/octet-stream",
    shows: /neither JSON, XML, nor a form/,
  },
  {
    name: "JSON that is none",
    body: `{"id": "evt_broken", `,
    type: "application/json",
    shows: /Line 1, column 22: the text ends here/,
  },
  {
    name: "7,000 lists inside each other",
    body: `${"[".repeat(7_000)}${"]".repeat(7_000)}`,
    type: "application/json",
    shows: /nested deeper than 128 levels/,
  },
  { name: "an empty body", body: "", type: "text/plain", shows: /body is empty/ },
  {
    name: "a form",
    body: "payload=%3Cb%3E&n=1&n=2",
    type: "application/x-www-form-urlencoded",
    shows: /"<b>"/,
  },
  {
    name: "numbers with many digits",
    body: '{"id":"evt_digits","n":12345678901234567890123,"price":1.10}',
    type: "application/json",
    shows: /12345678901234567890123/,
  },
];
