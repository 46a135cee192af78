export { LoadingEditor as default } from "#components/shell/loading-pages.tsx";
