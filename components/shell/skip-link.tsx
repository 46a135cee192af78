/** The first link of a page: keyboards skip the navigation with it. */
export function SkipLink() {
  return (
    <a
      href="#content"
      className={
        "sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 " +
        "focus:rounded-md focus:border focus:bg-card focus:px-3 focus:py-2 focus:text-sm " +
        "focus:font-medium"
      }
    >
      Skip to content
    </a>
  );
}
