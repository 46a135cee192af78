import { NotFoundPage } from "#components/shell/not-found-page.tsx";

/** The page keeps the navigation for signed-in users. */
export default function NotFound() {
  return <NotFoundPage />;
}
