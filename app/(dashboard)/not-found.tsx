import { NotFoundPage } from "#components/shell/not-found-page.tsx";

/** Keeps the navigation for signed-in users. */
export default function NotFound() {
  return <NotFoundPage />;
}
