export { LoadingWideList as default } from "#components/shell/loading-pages.tsx";
