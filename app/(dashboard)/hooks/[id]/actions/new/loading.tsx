export { LoadingEditor as default } from "#components/loading-pages.tsx";
